import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importResultSchema, type Job } from '../../src-preload/contract/job.ts';
import { relationImportResultSchema } from '../../src-preload/contract/transfer.ts';
import type { Sandbox } from '../../src-main/app/embedded-sandbox.ts';
import { MemoryKeychain } from '../support/memory-keychain.ts';
import { openOrigin } from '../support/origin.ts';
import { projectUrl, SandboxCalls } from '../support/sandbox-calls.ts';
import { filesWith, spellings } from '../support/secret-search.ts';
import { backUp, ended, openTestSandbox, openWorld, register, type World } from '../support/world.ts';

const signature = 'f00dfeedsignature0123456789abcdef';
const secretKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const poll = { interval: 2, timeout: 10_000 };

interface Scene {
  world: World;
  sandbox: Sandbox;
  project: string;
  group: string;
  /** The archive of the project, as the sandbox exported it. */
  content: Buffer;
  keychain: MemoryKeychain;
  /** All events, as text. */
  events: string[];
}

async function scene(options: Parameters<typeof openTestSandbox>[0] = {}): Promise<Scene> {
  const sandbox = await openTestSandbox({ projects: 1, ...options });
  const keychain = new MemoryKeychain();
  const world = await openWorld({ keychain });
  await register(world, 'work', sandbox);
  const [project = ''] = sandbox.state.paths;
  const events: string[] = [];
  world.app.subscribe((...event) => {
    events.push(JSON.stringify(event));
  });
  const content = await new SandboxCalls(sandbox).exportArchive(project);
  return {
    world,
    sandbox,
    project,
    group: project.slice(0, project.lastIndexOf('/')),
    content,
    keychain,
    events,
  };
}

/** Object storage with the archive behind every path; what is put there is kept with its request. */
const storageWith = (content: Buffer) =>
  openOrigin(({ method }, reply) => {
    const headers = { 'content-type': 'application/gzip', 'content-length': content.length };
    reply.writeHead(200, headers).end(method === 'GET' ? content : undefined);
  });

async function only(world: World, runId: string): Promise<Job> {
  const [job] = await ended(world, runId);
  if (job === undefined) throw new Error('There is no job.');
  return job;
}

/** Everything a window could ask about what was done. */
async function told({ world, events }: Scene): Promise<string> {
  const { client } = world;
  const { jobs } = await client.call('job.list', { runId: null, status: null, before: null, limit: 100 });
  const replies: unknown[] = [jobs, await client.call('run.list', { before: null, limit: 100 })];
  for (const { id } of jobs) {
    replies.push(await client.call('job.show', { job: id }), await client.call('job.steps', { job: id }));
    replies.push(await client.call('job.log', { job: id, afterId: 0, limit: 500 }));
  }
  replies.push(await client.call('storage.list', {}), await client.call('settings.show', {}));
  return [...events, JSON.stringify(replies)].join('\n');
}

async function expectHidden(scene: Scene, secret: string): Promise<void> {
  const text = (await told(scene)).toLowerCase();
  for (const spelling of spellings(secret)) expect(text).not.toContain(spelling.toLowerCase());
  await scene.world.app.close();
  expect(filesWith(scene.world.dataDir, spellings(secret))).toEqual([]);
}

const posts = ({ sandbox }: Scene, path: RegExp): number =>
  sandbox.requests.filter((request) => request.method === 'POST' && path.test(request.path)).length;

const target = (group: string, path = 'copy') => ({
  namespace: group,
  path,
  name: null,
  overrideParams: {},
  archive: null,
});

describe('an export that is pushed elsewhere', () => {
  const start = ({ world, project }: Scene, url: string) =>
    world.client.call('export.start', {
      instance: 'work',
      project,
      description: 'For the road',
      push: { url, method: 'PUT' },
    });

  it.each([
    ['that is answered', null, 1],
    ['whose answer is lost', { kind: 'lose-reply' } as const, 1],
    ['that is lost', { kind: 'reset' } as const, 2],
  ])(
    'by a request %s arrives, and its address is told and stored nowhere',
    async (_how, action, sendings) => {
      const scenery = await scene();
      const { sandbox, world, project } = scenery;
      // The one from before would prove nothing.
      await expect.poll(() => new SandboxCalls(sandbox).exportStatus(project), poll).toBe('finished');
      sandbox.state.append(project, 'milestones', { title: 'Later', iid: 99 });
      const before = posts(scenery, /\/export$/);
      const storage = await storageWith(scenery.content);
      if (action !== null)
        sandbox.faults.add({ match: { method: 'POST', path: '/export$', nth: 1 }, action });
      const { runId, warnings } = await start(
        scenery,
        `${storage.url}/bucket/a.tar.gz?X-Amz-SignedHeaders=host&X-Amz-Signature=${signature}`,
      );
      expect(warnings).toHaveLength(1);
      expect(warnings.join(' ')).toContain('Content-Type');
      const job = await only(world, runId);
      expect(job).toMatchObject({ kind: 'change', state: { status: 'succeeded' } });
      expect(JSON.stringify(job.input)).toContain(`${storage.url}/bucket/a.tar.gz`);
      await expect
        .poll(() => storage.sent.filter(({ method }) => method === 'PUT').length, poll)
        .toBeGreaterThan(0);
      expect(storage.sent[0]?.url).toContain(signature);
      expect(storage.sent[0]?.headers['content-type']).toBe('application/gzip');
      // A finished export from before hides whether the request arrived; then it is sent again, and the same is pushed again.
      expect(posts(scenery, /\/export$/) - before).toBeGreaterThanOrEqual(sendings);
      await expectHidden(scenery, signature);
    },
  );

  it('is pushed once where no other export was there before, also when the answer is lost', async () => {
    const scenery = await scene();
    const { sandbox, world } = scenery;
    const made = { path: 'fresh', initialize_with_readme: true };
    await new SandboxCalls(sandbox).call('/projects', 'POST', made);
    const storage = await storageWith(scenery.content);
    const action = { kind: 'lose-reply' } as const;
    sandbox.faults.add({ match: { method: 'POST', path: '/export$', nth: 1 }, action });
    const before = posts(scenery, /\/export$/);
    const { runId } = await start(
      { ...scenery, project: 'maintainer/fresh' },
      `${storage.url}/a?sig=${signature}`,
    );
    expect((await only(world, runId)).state.status).toBe('succeeded');
    expect(posts(scenery, /\/export$/) - before).toBe(1);
    await expect.poll(() => storage.sent.length, poll).toBe(1);
  });

  it('without a place to go to is simply made', async () => {
    const { world, project, sandbox } = await scene();
    const { runId, warnings } = await world.client.call('export.start', {
      instance: 'work',
      project,
      description: null,
      push: null,
    });
    expect(warnings).toEqual([]);
    expect((await only(world, runId)).state.status).toBe('succeeded');
    await expect.poll(() => new SandboxCalls(sandbox).exportStatus(project), poll).toBe('finished');
  });
});

describe('an import from an address', () => {
  it.each([
    ['that is answered', null, 1],
    ['whose answer is lost', { kind: 'lose-reply' } as const, 1],
    ['that is lost', { kind: 'reset' } as const, 2],
  ])(
    'by a request %s makes one project, and the address is told and stored nowhere',
    async (_how, action, sendings) => {
      const scenery = await scene();
      const { sandbox, world, project, group } = scenery;
      const storage = await storageWith(scenery.content);
      if (action !== null) {
        sandbox.faults.add({ match: { method: 'POST', path: '/remote-import$', nth: 1 }, action });
      }
      const { runId, target: path } = await world.client.call('import.url', {
        instance: 'work',
        url: `${storage.url}/a.tar.gz?X-Amz-Signature=${signature}`,
        ...target(group),
        overwrite: false,
      });
      const job = await only(world, runId);
      expect(job.state).toMatchObject({ status: 'succeeded', warnings: [{ code: 'not-compared' }] });
      expect(path).toBe(`${group}/copy`);
      expect(sandbox.state.paths).toEqual([project, path]);
      expect((await sandbox.state.project(path)).importStatus).toBe('finished');
      expect(posts(scenery, /\/remote-import$/)).toBe(sendings);
      await expectHidden(scenery, signature);
    },
  );

  it('is compared with an archive that is at hand', async () => {
    const scenery = await scene();
    const { world, project, group } = scenery;
    await backUp(world, 'work', [project]);
    const { archives } = await world.client.call('archive.list', {
      instance: null,
      project: null,
      before: null,
      limit: 1,
    });
    const storage = await storageWith(readFileSync(archives[0]?.absolutePath ?? ''));
    const { runId } = await world.client.call('import.url', {
      instance: 'work',
      url: `${storage.url}/a.tar.gz`,
      ...target(group),
      archive: archives[0]?.id ?? '',
      overwrite: false,
    });
    const result = importResultSchema.parse((await only(world, runId)).result);
    expect(result.reconciliation.reconciled).toBe(true);
  });

  it('whose address went with the program fails and says so; started again with it, it arrives', async () => {
    const scenery = await scene();
    const { sandbox, world, group } = scenery;
    const storage = await storageWith(scenery.content);
    const request = {
      instance: 'work',
      url: `${storage.url}/a.tar.gz?X-Amz-Signature=${signature}`,
      ...target(group),
      overwrite: false,
    };
    sandbox.faults.add({ match: { path: '/remote-import$', nth: 1 }, action: { kind: 'reset' } });
    const { jobId, runId } = await world.client.call('import.url', request);
    await expect.poll(() => posts(scenery, /\/remote-import$/), poll).toBe(1);
    await world.app.close();
    const env = { PACKHORSE_TOKEN_WORK: sandbox.tokens.maintainer };
    const next = await openWorld({ dataDir: world.dataDir, env, keychain: scenery.keychain });
    const failed = await only(next, runId);
    expect(failed).toMatchObject({ id: jobId, state: { status: 'failed', error: { code: 'secret-lost' } } });
    const again = await next.client.call('import.url', request);
    expect((await only(next, again.runId)).state.status).toBe('succeeded');
    expect(sandbox.state.paths.filter((path) => path.endsWith('/copy'))).toHaveLength(1);
  });

  it('that GitLab refuses is told with its reason, and without the address', async () => {
    const scenery = await scene({ allowLocalRequests: false });
    const { world, group } = scenery;
    const storage = await storageWith(scenery.content);
    const { runId } = await world.client.call('import.url', {
      instance: 'work',
      url: `${storage.url}/a.tar.gz?X-Amz-Signature=${signature}`,
      ...target(group),
      overwrite: false,
    });
    const { state } = await only(world, runId);
    expect(state).toMatchObject({ status: 'failed', error: { code: 'import-refused' } });
    await expectHidden(scenery, signature);
  });

  it('replaces a project only when that was confirmed', async () => {
    const { world, project, content, sandbox, group } = await scene();
    const storage = await storageWith(content);
    const name = project.split('/').at(-1) ?? '';
    await register(world, 'root', sandbox, sandbox.tokens.administrator);
    const request = {
      instance: 'root',
      url: `${storage.url}/a.tar.gz`,
      ...target(group, name),
      overwrite: true,
    };
    await expect(world.client.call('import.url', request)).rejects.toMatchObject({
      code: 'confirmation-missing',
    });
    const before = (await sandbox.state.project(project)).id;
    const { confirmation } = await world.client.call('host.confirm', {
      action: 'import.overwrite',
      instance: 'root',
      project,
    });
    const { runId } = await world.client.call('import.url', { ...request, confirmation });
    expect((await only(world, runId)).state).toMatchObject({ status: 'succeeded' });
    expect((await sandbox.state.project(project)).id).not.toBe(before);
  });
});

describe('an import from a storage', () => {
  const storage = { name: 'exports', region: 'eu-central-1', bucket: 'backups', accessKeyId: 'AKIAEXAMPLE' };

  it.each([
    ['that is answered', null, 1],
    ['whose answer is lost', { kind: 'lose-reply' } as const, 1],
    ['that is lost', { kind: 'reset' } as const, 2],
  ])(
    'by a request %s makes one project, and its key is told and stored nowhere',
    async (_how, action, sendings) => {
      const contents: Buffer[] = [];
      const origin = await openOrigin(({ method }, reply) => {
        const content = contents[0] ?? Buffer.alloc(0);
        const headers = { 'content-type': 'application/gzip', 'content-length': content.length };
        reply.writeHead(200, headers).end(method === 'GET' ? content : undefined);
      });
      const scenery = await scene({ s3Endpoint: origin.url });
      contents.push(scenery.content);
      const { sandbox, world, project, group, keychain } = scenery;
      await world.client.call('storage.save', { storage, secretAccessKey: secretKey });
      expect([...keychain.entries]).toContainEqual(['Packhorse/storage exports', secretKey]);
      if (action !== null) {
        sandbox.faults.add({ match: { method: 'POST', path: '/remote-import-s3$', nth: 1 }, action });
      }
      const { runId, target: path } = await world.client.call('import.s3', {
        instance: 'work',
        storage: 'exports',
        key: 'folder/a.tar.gz',
        ...target(group),
      });
      expect((await only(world, runId)).state.status).toBe('succeeded');
      expect(sandbox.state.paths).toEqual([project, path]);
      expect(origin.sent.some(({ url }) => url.includes('/backups/folder/a.tar.gz'))).toBe(true);
      expect(posts(scenery, /\/remote-import-s3$/)).toBe(sendings);
      await expectHidden(scenery, secretKey);
    },
  );

  it('that nobody saved is refused at once', async () => {
    const { world, group } = await scene();
    const request = { instance: 'work', storage: 'nowhere', key: 'a', ...target(group) };
    await expect(world.client.call('import.s3', request)).rejects.toMatchObject({ code: 'storage-missing' });
  });
});

describe('a storage', () => {
  const storage = { name: 'exports', region: 'eu-central-1', bucket: 'backups', accessKeyId: 'AKIAEXAMPLE' };

  it('is kept in the settings, its key in the keychain alone; without a new key the old one stays', async () => {
    const keychain = new MemoryKeychain();
    const { client, dataDir } = await openWorld({ keychain });
    await client.call('storage.save', { storage, secretAccessKey: secretKey });
    await client.call('storage.save', { storage: { ...storage, bucket: 'others' }, secretAccessKey: null });
    expect(await client.call('storage.list', {})).toEqual({ storages: [{ ...storage, bucket: 'others' }] });
    expect(readFileSync(join(dataDir, 'settings.json'), 'utf8')).toContain('"others"');
    expect(filesWith(dataDir, spellings(secretKey))).toEqual([]);
    await client.call('storage.remove', { name: 'exports' });
    expect((await client.call('storage.list', {})).storages).toEqual([]);
    expect([...keychain.entries.values()]).not.toContain(secretKey);
  });

  it('without a key is not saved, nor when the keychain does not take it', async () => {
    const keychain = new MemoryKeychain();
    const { client } = await openWorld({ keychain });
    const save = (secretAccessKey: string | null) =>
      client.call('storage.save', { storage, secretAccessKey });
    await expect(save(null)).rejects.toMatchObject({ code: 'storage-missing' });
    await expect(save('short')).rejects.toMatchObject({ code: 'invalid-input' });
    keychain.failure = 'The name org.freedesktop.secrets was not provided by any .service files';
    await expect(save(secretKey)).rejects.toMatchObject({ code: 'keychain-unreachable' });
    expect((await client.call('storage.list', {})).storages).toEqual([]);
    await expect(client.call('storage.remove', { name: 'exports' })).rejects.toMatchObject({
      code: 'storage-missing',
    });
  });
});

describe('an import of one relation', () => {
  /** A project that was backed up and then lost its issues, as by an import that dropped them. */
  async function withLosses(): Promise<Scene & { archive: string; copy: string }> {
    const scenery = await scene();
    const { sandbox, world, project, group } = scenery;
    await backUp(world, 'work', [project]);
    const { archives } = await world.client.call('archive.list', {
      instance: null,
      project: null,
      before: null,
      limit: 1,
    });
    const archive = archives[0]?.absolutePath ?? '';
    sandbox.faults.add({
      match: { method: 'POST', path: '/projects/import$' },
      action: { kind: 'drop-records', relation: 'issues', count: 2 },
    });
    const { runId } = await world.client.call('import.start', {
      instance: 'work',
      archive,
      namespace: group,
      path: 'copy',
      name: null,
      overwrite: false,
      allowSuspicious: false,
      overrideParams: {},
    });
    await only(world, runId);
    sandbox.faults.clear();
    return { ...scenery, archive, copy: `${group}/copy` };
  }

  const issuesIn = async ({ sandbox }: Scene, path: string): Promise<number> =>
    (await sandbox.state.project(path)).relations['issues']?.length ?? 0;

  it.each([
    ['that is answered', null, 1],
    ['whose answer is lost', { kind: 'lose-reply' } as const, 1],
    ['that is lost', { kind: 'reset' } as const, 2],
  ])('by a request %s adds what is missing, once', async (_how, action, sendings) => {
    const scenery = await withLosses();
    const { sandbox, world, archive, copy, project } = scenery;
    const whole = await issuesIn(scenery, project);
    expect(await issuesIn(scenery, copy)).toBe(whole - 2);
    if (action !== null) {
      sandbox.faults.add({ match: { method: 'POST', path: '/import-relation$', nth: 1 }, action });
    }
    const { runId } = await world.client.call('import.relation', {
      instance: 'work',
      project: copy,
      archive,
      relation: 'issues',
    });
    const job = await only(world, runId);
    expect(job.state).toMatchObject({ status: 'succeeded', warnings: [] });
    expect(relationImportResultSchema.parse(job.result)).toMatchObject({
      relation: 'issues',
      fullPath: copy,
      inArchive: whole,
      before: whole - 2,
      after: whole,
    });
    expect(await issuesIn(scenery, copy)).toBe(whole);
    expect(posts(scenery, /\/import-relation$/)).toBe(sendings);
    const { relationImports } = await world.client.call('import.relations', {
      instance: 'work',
      project: copy,
    });
    expect(relationImports).toMatchObject([{ relation: 'issues', status: 'finished' }]);
  });

  it('goes on after a restart, once', async () => {
    const scenery = await withLosses();
    const { sandbox, world, archive, copy } = scenery;
    sandbox.faults.add({ match: { path: '/import-relation$', nth: 1 }, action: { kind: 'lose-reply' } });
    const request = { instance: 'work', project: copy, archive, relation: 'issues' } as const;
    const { runId } = await world.client.call('import.relation', request);
    const list = async () =>
      (await new SandboxCalls(sandbox).get(`${projectUrl(copy)}/relation-imports`)) as unknown[];
    await expect.poll(async () => (await list()).length, poll).toBe(1);
    await world.app.close();
    const env = { PACKHORSE_TOKEN_WORK: sandbox.tokens.maintainer };
    const next = await openWorld({ dataDir: world.dataDir, env, keychain: scenery.keychain });
    expect((await only(next, runId)).state.status).toBe('succeeded');
    expect(await list()).toHaveLength(1);
  });

  it('that lost records again is warned of', async () => {
    const scenery = await withLosses();
    const { sandbox, world, archive, copy } = scenery;
    sandbox.faults.add({
      match: { path: '/import-relation$' },
      action: { kind: 'drop-records', relation: 'issues', count: 1 },
    });
    const request = { instance: 'work', project: copy, archive, relation: 'issues' } as const;
    const { runId } = await world.client.call('import.relation', request);
    expect((await only(world, runId)).state).toMatchObject({
      status: 'succeeded',
      warnings: [{ code: 'lost-on-import', where: 'issues' }],
    });
  });

  it('that the instance fails is told', async () => {
    const { sandbox, world, archive, copy } = await withLosses();
    sandbox.faults.add({
      match: { path: '/import-relation$' },
      action: { kind: 'end-relation-import', as: 'failed' },
    });
    const request = { instance: 'work', project: copy, archive, relation: 'issues' } as const;
    const { runId } = await world.client.call('import.relation', request);
    expect((await only(world, runId)).state).toMatchObject({
      status: 'failed',
      error: { code: 'relation-import-failed' },
    });
  });
});
