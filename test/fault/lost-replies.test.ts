import { openAsBlob } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Job } from '../../src-contract/runs/job.ts';
import type { Sandbox } from '../../src-main/services/sandbox/embedded-sandbox.ts';
import { readStoredState } from '../support/faults/stored-truth.ts';
import {
  backUp,
  ended,
  importInto,
  openTestSandbox,
  openWorld,
  register,
  type World,
} from '../support/world.ts';
import { archiveFilter } from '../support/requests.ts';

type Fault = Parameters<Sandbox['faults']['add']>[0];

interface Move {
  world: World;
  source: Sandbox;
  target: Sandbox;
  archive: string;
  namespace: string;
}

async function readyToImport(
  speed: { importStartedMs?: number } = {},
  by: 'maintainer' | 'administrator' = 'maintainer',
): Promise<Move> {
  const [source, target] = [await openTestSandbox({ projectCount: 5 }), await openTestSandbox({ speed })];
  const world = await openWorld();
  await register(world, 'source', source);
  await register(world, 'target', target, target.tokens[by]);
  // The project with the fewest records.
  const project = 'borealis/blank-slate';
  await backUp(world, 'source', [project]);
  const { archives } = await world.client.call('archive.list', archiveFilter({ limit: 1 }));
  const namespace = project.slice(0, project.lastIndexOf('/'));
  return { world, source, target, archive: archives[0]?.absolutePath ?? '', namespace };
}

const poll = { interval: 2, timeout: 10_000 };

/** Returns whether the whole archive was handed to the connection. */
async function isSent(world: World, job: string): Promise<boolean> {
  const { progress } = await world.client.call('job.show', { job });
  return progress !== null && progress.unit === 'bytes' && progress.done >= (progress.total ?? Infinity);
}

const posts = (sandbox: Sandbox, path: RegExp): number =>
  sandbox.requests.filter((request) => request.method === 'POST' && path.test(request.path)).length;

const importFault = (action: Fault['action'], nth = 1): Fault => ({
  match: { method: 'POST', path: '/projects/import$', nth },
  action,
});

describe('an import whose reply is lost', () => {
  const faults: [string, Fault['action'], number][] = [
    ['after the server has done the work', { kind: 'lose-reply' }, 1],
    ['in the middle of the reply', { kind: 'cut', afterBytes: 20, framing: 'length' }, 1],
    ['in the middle of a reply without a length', { kind: 'cut', afterBytes: 20, framing: 'close' }, 1],
    ['before the server starts the work', { kind: 'reset' }, 2],
    ['to an error page of a proxy', { kind: 'html', status: 502 }, 2],
    ['to a server error', { kind: 'respond', status: 500 }, 2],
  ];

  it.each(faults)('%s creates exactly one project', async (_when, action, expectedRequests) => {
    const { world, target, archive, namespace } = await readyToImport();
    target.faults.add(importFault(action));
    const job = await importInto(world, 'target', archive, { namespace, path: 'copy' });
    expect(job.state.status).toBe('succeeded');
    expect(target.state.paths).toEqual([`${namespace}/copy`]);
    expect(posts(target, /\/projects\/import$/)).toBe(expectedRequests);
  });

  it('and whose project appears only after the request was given up as lost adopts that project and creates no other', async () => {
    const { world, target, archive, namespace } = await readyToImport();
    // The first request creates its project long after its connection broke, and before the second one takes effect.
    target.faults.add(importFault({ kind: 'delay-import', ms: 1_700 }));
    target.faults.add(importFault({ kind: 'delay-import', ms: 2_500 }, 2));
    const { jobId, runId } = await world.client.call('import.start', {
      instance: 'target',
      archive,
      namespace,
      path: 'copy',
      name: null,
      overwrite: false,
      allowSuspicious: false,
      overrideParams: {},
    });
    // The program stops between the last byte of the upload and its reply.
    await expect.poll(() => isSent(world, jobId), poll).toBe(true);
    await world.app.close();
    const env = { PACKHORSE_TOKEN_TARGET: target.tokens.maintainer };
    const [job] = await ended(await openWorld({ dataDir: world.dataDir, env }), runId);
    expect(job?.state.status).toBe('succeeded');
    expect(posts(target, /\/projects\/import$/)).toBe(2);
    expect(target.state.paths).toEqual([`${namespace}/copy`]);
  });

  it('stops if another user has taken the path in the meantime, and changes nothing', async () => {
    const { world, target, archive, namespace } = await readyToImport();
    const { instances } = await world.client.call('instance.list', {});
    const user = instances.find(({ name }) => name === 'target')?.username ?? '';
    for (const action of [{ kind: 'delay-import', ms: 1_000 }, { kind: 'lose-reply' }] as const) {
      target.faults.add({ match: { ...importFault(action).match, user }, action });
    }
    const start = importInto(world, 'target', archive, { namespace, path: 'copy' });
    await expect.poll(() => posts(target, /\/projects\/import$/), poll).toBe(1);
    const created = await fetch(`${target.url}/api/v4/projects/import`, {
      method: 'POST',
      headers: { 'PRIVATE-TOKEN': target.tokens.administrator },
      body: await formFor(archive, namespace),
    });
    expect(created.status).toBe(201);
    const job = await start;
    expect(job.state).toMatchObject({ status: 'failed', error: { code: 'import-ambiguous' } });
    expect(target.state.paths).toEqual([`${namespace}/copy`]);
    expect(posts(target, /\/projects\/import$/)).toBe(2);
  });

  it('thirty times at once, in every way, creates exactly thirty projects', async () => {
    const { world, target, archive, namespace } = await readyToImport();
    const ways: Fault['action'][] = [
      { kind: 'lose-reply' },
      { kind: 'reset' },
      { kind: 'cut', afterBytes: 10, framing: 'chunked' },
      { kind: 'respond', status: 503 },
      { kind: 'cut', afterBytes: 0, framing: 'length', reset: true },
    ];
    for (let nth = 1; nth <= 30; nth += 1) {
      target.faults.add(importFault(ways[nth % ways.length] ?? { kind: 'reset' }, nth));
    }
    const jobs = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        importInto(world, 'target', archive, { namespace, path: `copy-${at}` }),
      ),
    );
    expect(jobs.map((job) => job.state.status)).toEqual(Array<string>(30).fill('succeeded'));
    const expected = Array.from({ length: 30 }, (_, at) => `${namespace}/copy-${at}`);
    expect(target.state.paths.toSorted()).toEqual(expected.toSorted());
    expect(posts(target, /\/projects\/import$/)).toBeGreaterThan(30);
  });
});

it('a replacing import whose reply is lost is found under its temporary path and is not sent again', async () => {
  const { world, target, archive, namespace } = await readyToImport(
    { importStartedMs: 1_500 },
    'administrator',
  );
  await importInto(world, 'target', archive, { namespace, path: 'copy' });
  const path = `${namespace}/copy`;
  const { id: replacedId } = await target.state.project(path);
  target.faults.add(importFault({ kind: 'lose-reply' }));
  const confirmationRequest = { action: 'import.overwrite', instance: 'target', project: path } as const;
  const { confirmation } = await world.client.call('host.confirm', confirmationRequest);
  const { jobId, runId } = await world.client.call('import.start', {
    instance: 'target',
    archive,
    namespace,
    path: 'copy',
    name: null,
    overwrite: true,
    allowSuspicious: false,
    overrideParams: {},
    confirmation,
  });
  // GitLab renames the new project to the requested path only when its import ends.
  const isTemporary = (place: string): boolean =>
    place.startsWith(path) && /^-[0-9a-f]{32}$/.test(place.slice(path.length));
  const stepBeforeRename = async () => {
    const { step } = await world.client.call('job.show', { job: jobId });
    return target.state.paths.some(isTemporary) ? step : null;
  };
  await expect.poll(stepBeforeRename, poll).toBe('wait');
  const [job] = await ended(world, runId);
  const { id: importedId } = await target.state.project(path);
  expect(importedId).toBeGreaterThan(replacedId);
  expect(job).toMatchObject({
    state: { status: 'succeeded' },
    result: { projectId: importedId, fullPath: path },
  });
  expect(posts(target, /\/projects\/import$/)).toBe(2);
  expect(target.state.paths).toEqual([path]);
});

async function formFor(archive: string, namespace: string): Promise<FormData> {
  const form = new FormData();
  form.set('path', 'copy');
  form.set('namespace', namespace);
  form.set('file', await openAsBlob(archive), 'a_export.tar.gz');
  return form;
}

describe('an export whose reply is lost', () => {
  const exportPosts = (sandbox: Sandbox): number => posts(sandbox, /\/export$/);

  async function backUpWith(
    action: Fault['action'],
  ): Promise<{ source: Sandbox; job: Job | undefined; world: World }> {
    const source = await openTestSandbox({ projectCount: 1 });
    const world = await openWorld();
    await register(world, 'source', source);
    source.faults.add({ match: { method: 'POST', path: '/export$', nth: 1 }, action });
    const [job] = await backUp(world, 'source', source.state.paths);
    return { source, job, world };
  }

  it.each([
    ['after the server has started it', { kind: 'lose-reply' } as const, 1],
    ['before the server starts it', { kind: 'reset' } as const, 2],
    ['to a server error', { kind: 'respond', status: 500 } as const, 2],
  ])(
    '%s is requested again only if the server did not start it, and exactly one archive is stored',
    async (_when, action, expectedRequests) => {
      const { source, job, world } = await backUpWith(action);
      expect(job?.state.status).toBe('succeeded');
      expect(exportPosts(source)).toBe(expectedRequests);
      expect(readStoredState(world.dataDir).archives).toHaveLength(1);
    },
  );
});
