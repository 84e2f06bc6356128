import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changeResultSchema, type ChangeResult } from '../../src-preload/contract/change.ts';
import type { CallRequest } from '../../src-preload/contract/calls.ts';
import type { Job } from '../../src-preload/contract/job.ts';
import type { Sandbox } from '../../src-main/app/embedded-sandbox.ts';
import { projectUrl, SandboxCalls } from '../support/sandbox-calls.ts';
import { filesWith, spellings } from '../support/secret-search.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ended, openTestSandbox, openWorld, register, type World } from '../support/world.ts';

type Requested = CallRequest<'project.change'>['change'];
type Fault = Parameters<Sandbox['faults']['add']>[0];

interface Scene {
  world: World;
  sandbox: Sandbox;
  calls: SandboxCalls;
  /** A project with content. */
  project: string;
  group: string;
}

async function scene(options: Parameters<typeof openTestSandbox>[0] = {}): Promise<Scene> {
  const sandbox = await openTestSandbox({ projects: 1, ...options });
  const world = await openWorld();
  await register(world, 'work', sandbox, sandbox.tokens.administrator);
  const [project = ''] = sandbox.state.paths;
  const calls = new SandboxCalls(sandbox, sandbox.tokens.administrator);
  return { world, sandbox, calls, project, group: project.slice(0, project.lastIndexOf('/')) };
}

async function change({ world }: Scene, project: string, change: Requested): Promise<Job> {
  const confirmation =
    change.kind === 'delete'
      ? (await world.client.call('host.confirm', { action: 'project.delete', instance: 'work', project }))
          .confirmation
      : null;
  const { runId } = await world.client.call('project.change', {
    instance: 'work',
    project,
    change,
    confirmation,
  });
  const [job] = await ended(world, runId);
  if (job === undefined) throw new Error('The change has no job.');
  return job;
}

async function done(scene: Scene, project: string, wanted: Requested): Promise<ChangeResult> {
  const job = await change(scene, project, wanted);
  if (job.state.status !== 'succeeded') throw new Error(JSON.stringify(job.state));
  return changeResultSchema.parse(job.result);
}

/** Requests of a kind that reached the sandbox. */
const reached = ({ sandbox }: Scene, method: string, path: RegExp): number =>
  sandbox.requests.filter((request) => request.method === method && path.test(request.path)).length;

const fork: Extract<Requested, { kind: 'fork' }> = {
  kind: 'fork',
  namespace: null,
  name: null,
  path: 'copy',
  description: null,
  visibility: null,
  branches: null,
  mergeIntoItself: null,
};
const created = (path: string): Extract<Requested, { kind: 'create' }> => ({
  kind: 'create',
  namespace: null,
  forUser: null,
  attributes: { path, name: 'New one', initialize_with_readme: true, visibility: 'internal' },
});

interface Asked {
  project: string;
  change: Requested;
}

interface Kind {
  name: string;
  method: string;
  path: RegExp;
  /** Full path to be named, and what is asked for. */
  ask: (scene: Scene) => Asked | Promise<Asked>;
  /** What the sandbox then holds; read over its API, or its state. */
  effect: (scene: Scene) => Promise<unknown>;
  expected: unknown;
}

const file = (): string => {
  const path = join(temporaryFolder(), 'notes of today.txt');
  writeFileSync(path, 'twelve bytes');
  return path;
};
const view = async ({ calls }: Scene, project: string): Promise<Record<string, unknown>> =>
  (await calls.get(projectUrl(project))) as Record<string, unknown>;
const uploads = async ({ calls, project }: Scene): Promise<string[]> =>
  ((await calls.get(`${projectUrl(project)}/uploads`)) as { filename: string }[]).map(
    ({ filename }) => filename,
  );

const kinds: Kind[] = [
  {
    name: 'a creation',
    method: 'POST',
    path: /\/projects$/,
    ask: ({ group }) => ({ project: `${group}/made`, change: created('made') }),
    effect: ({ sandbox, group }) =>
      Promise.resolve(sandbox.state.paths.filter((path) => path.startsWith(`${group}/made`)).length),
    expected: 1,
  },
  {
    name: 'an edit',
    method: 'PUT',
    path: /\/projects\/\d+$/,
    ask: ({ project }) => ({
      project,
      change: { kind: 'edit', attributes: { description: 'By us', topics: ['one', 'two'] } },
    }),
    effect: async (scene) => {
      const { description, topics } = await view(scene, scene.project);
      return { description, topics };
    },
    expected: { description: 'By us', topics: ['one', 'two'] },
  },
  {
    name: 'a fork',
    method: 'POST',
    path: /\/fork$/,
    ask: ({ project }) => ({ project, change: fork }),
    effect: ({ sandbox }) => Promise.resolve(sandbox.state.paths.filter((path) => /^root\//.test(path))),
    expected: ['root/copy'],
  },
  {
    name: 'a star',
    method: 'POST',
    path: /\/star$/,
    ask: ({ project }) => ({ project, change: { kind: 'star' } }),
    effect: async (scene) => (await view(scene, scene.project))['star_count'],
    expected: 1,
  },
  {
    name: 'a star taken back',
    method: 'POST',
    path: /\/unstar$/,
    async ask({ calls, project }) {
      await calls.call(`${projectUrl(project)}/star`, 'POST');
      return { project, change: { kind: 'unstar' } };
    },
    effect: async (scene) => (await view(scene, scene.project))['star_count'],
    expected: 0,
  },
  {
    name: 'marking as archived',
    method: 'POST',
    path: /\/archive$/,
    ask: ({ project }) => ({ project, change: { kind: 'set-archived', archived: true } }),
    effect: async (scene) => (await view(scene, scene.project))['archived'],
    expected: true,
  },
  {
    name: 'a deletion',
    method: 'DELETE',
    path: /\/projects\/\d+$/,
    ask: ({ project }) => ({ project, change: { kind: 'delete', permanently: false } }),
    effect: ({ sandbox, project }) =>
      Promise.resolve(sandbox.state.paths.map((path) => path.startsWith(`${project}-deletion_scheduled-`))),
    expected: [true],
  },
  {
    name: 'a deletion for good',
    method: 'DELETE',
    path: /permanently_remove/,
    async ask({ calls, sandbox, project }) {
      await calls.call(projectUrl(project), 'DELETE');
      return { project: sandbox.state.paths[0] ?? '', change: { kind: 'delete', permanently: true } };
    },
    effect: async ({ calls }) => await calls.get('/projects'),
    expected: [],
  },
  {
    name: 'a restoration',
    method: 'POST',
    path: /\/restore$/,
    async ask({ calls, sandbox, project }) {
      await calls.call(projectUrl(project), 'DELETE');
      return { project: sandbox.state.paths[0] ?? '', change: { kind: 'restore' } };
    },
    effect: ({ sandbox, project }) => Promise.resolve(sandbox.state.paths.join() === project),
    expected: true,
  },
  {
    name: 'an upload',
    method: 'POST',
    path: /\/uploads$/,
    ask: ({ project }) => ({ project, change: { kind: 'upload', file: file(), sizeBytes: 12 } }),
    effect: async (scene) => (await uploads(scene)).filter((name) => name === 'notes_of_today.txt'),
    expected: ['notes_of_today.txt'],
  },
];

const losses: [string, Fault['action'], number][] = [
  ['after the work was done', { kind: 'lose-reply' }, 1],
  ['in the middle of the answer', { kind: 'cut', afterBytes: 3, framing: 'length' }, 1],
  ['before the work began', { kind: 'reset' }, 2],
  ['by an error page of a proxy', { kind: 'html', status: 502 }, 2],
];

describe.each(kinds)('$name', ({ method, path, ask, effect, expected }) => {
  it.each(losses)('whose answer is lost %s has exactly one effect', async (_when, action, sendings) => {
    const scenery = await scene();
    const { project, change } = await ask(scenery);
    const before = reached(scenery, method, path);
    scenery.sandbox.faults.add({ match: { method, path: path.source, nth: 1 }, action });
    expect((await done(scenery, project, change)).changed).toBe(true);
    expect(await effect(scenery)).toEqual(expected);
    expect(reached(scenery, method, path) - before).toBe(sendings);
  });

  it('goes on after a restart between its steps, once', async () => {
    const scenery = await scene();
    const { world, sandbox } = scenery;
    const { project, change } = await ask(scenery);
    const before = reached(scenery, method, path);
    sandbox.faults.add({ match: { method, path: path.source, nth: 1 }, action: { kind: 'lose-reply' } });
    const confirmation =
      change.kind === 'delete'
        ? (await world.client.call('host.confirm', { action: 'project.delete', instance: 'work', project }))
            .confirmation
        : null;
    const { runId, jobId } = await world.client.call('project.change', {
      instance: 'work',
      project,
      change,
      confirmation,
    });
    // Until the intent stands there, and the answer is lost.
    await expect
      .poll(() => reached(scenery, method, path) - before, { interval: 2, timeout: 10_000 })
      .toBe(1);
    await world.app.close();
    const env = { PACKHORSE_TOKEN_WORK: sandbox.tokens.administrator };
    const next = await openWorld({ dataDir: world.dataDir, env });
    const [job] = await ended(next, runId);
    expect(job).toMatchObject({ id: jobId, state: { status: 'succeeded' } });
    // An upload that was cut off in its middle is sent again.
    expect(await effect(scenery)).toEqual(expected);
  });
});

describe('what a change tells', () => {
  it('a creation has the attributes that were asked for, in the namespace of its path', async () => {
    const scenery = await scene();
    const { group } = scenery;
    const { project } = await done(scenery, `${group}/made`, created('made'));
    expect(project).toMatchObject({
      fullPath: `${group}/made`,
      name: 'New one',
      visibility: 'internal',
      emptyRepository: false,
    });
  });

  it('a creation without a namespace is in the own one, and for a user in that of the user', async () => {
    const scenery = await scene();
    expect((await done(scenery, 'made', created('made'))).project?.fullPath).toBe('root/made');
    const users = (await scenery.calls.get('/users?username=developer')) as { id: number }[];
    const forUser = users[0]?.id ?? 0;
    const theirs = await done(scenery, 'developer/made', { ...created('made'), forUser });
    expect(theirs.project).toMatchObject({ fullPath: 'developer/made', creatorId: forUser });
  });

  it('a fork is complete when its job has ended', async () => {
    const scenery = await scene({ speed: { forkScheduledMs: 60, forkStartedMs: 60 } });
    const { project } = await done(scenery, scenery.project, fork);
    expect(project).toMatchObject({ fullPath: 'root/copy', importStatus: 'finished' });
  });

  it('a fork that fails is told', async () => {
    const scenery = await scene();
    scenery.sandbox.faults.add({ match: { path: '/fork$' }, action: { kind: 'end-fork', as: 'failed' } });
    const job = await change(scenery, scenery.project, fork);
    expect(job.state).toMatchObject({ status: 'failed', error: { code: 'fork-failed' } });
  });

  it('an edit names what a lower subscription did not take', async () => {
    const scenery = await scene({ tier: 'free' });
    const attributes = { description: 'Taken', approvals_before_merge: 2 };
    const job = await change(scenery, scenery.project, { kind: 'edit', attributes });
    expect(job).toMatchObject({
      state: { status: 'succeeded', warnings: [{ code: 'not-taken', where: 'approvals_before_merge' }] },
      result: { changed: true, project: { description: 'Taken' } },
    });
  });

  it('a deletion tells until when it can be undone, and where it was not delayed that the project is gone', async () => {
    const delayed = await scene();
    const { deletion, project } = await done(delayed, delayed.project, {
      kind: 'delete',
      permanently: false,
    });
    expect(Date.parse(deletion?.finalOn ?? '') - Date.parse(deletion?.markedOn ?? '')).toBe(30 * 86_400_000);
    expect(project?.fullPath).toContain('-deletion_scheduled-');
    const atOnce = await scene({ version: '15.11.0', tier: 'free', deletion: { delayed: false } });
    expect(await done(atOnce, atOnce.project, { kind: 'delete', permanently: false })).toMatchObject({
      deletion: null,
      project: null,
    });
  });

  it('an upload tells how it is written in texts', async () => {
    const scenery = await scene();
    const sizeBytes = 12;
    const { uploaded } = await done(scenery, scenery.project, { kind: 'upload', file: file(), sizeBytes });
    expect(uploaded?.markdown).toMatch(/^\[notes_of_today\.txt\]\(\/uploads\//);
  });

  it('the password in an address to mirror from reaches GitLab, and is told and stored nowhere', async () => {
    const scenery = await scene();
    const { world, sandbox, group, project } = scenery;
    const password = 'a-password-for-mirroring-0123';
    const address = `${sandbox.url.replace('://', `://me:${password}@`)}/${project}.git`;
    const attributes = { path: 'mirror', import_url: address };
    const job = await change(scenery, `${group}/mirror`, { ...created('mirror'), attributes });
    expect(job).toMatchObject({ state: { status: 'succeeded' }, result: { project: { importType: 'git' } } });
    const { jobs } = await world.client.call('job.list', {
      runId: null,
      status: null,
      before: null,
      limit: 9,
    });
    expect(JSON.stringify(jobs)).toContain(`${sandbox.url}/${project}.git`);
    expect(JSON.stringify(jobs)).not.toContain(password);
    await world.app.close();
    expect(filesWith(world.dataDir, spellings(password))).toEqual([]);
  });

  it('what is so already is told, and nothing is sent', async () => {
    const scenery = await scene();
    const { changed } = await done(scenery, scenery.project, { kind: 'set-archived', archived: false });
    expect(changed).toBe(false);
    expect(reached(scenery, 'POST', /archive/)).toBe(0);
  });
});

describe('what is refused', () => {
  const refusal = async (asked: Promise<unknown>): Promise<string> =>
    asked.then(
      () => 'nothing',
      (error: unknown) => (error as { code: string }).code,
    );

  it('a deletion that was not confirmed, or confirmed for another project', async () => {
    const scenery = await scene({ projects: 2 });
    const { world, sandbox } = scenery;
    const [first = '', second = ''] = sandbox.state.paths;
    const { confirmation } = await world.client.call('host.confirm', {
      action: 'project.delete',
      instance: 'work',
      project: second,
    });
    const change = { kind: 'delete', permanently: false } as const;
    for (const word of [null, 'a guess', confirmation]) {
      const request = { instance: 'work', project: first, change, confirmation: word };
      expect(await refusal(world.client.call('project.change', request))).toBe('confirmation-missing');
    }
    expect(reached(scenery, 'DELETE', /./)).toBe(0);
  });

  it('attributes that cannot be, before anything is asked', async () => {
    const { world, project, sandbox } = await scene();
    const attributes = { visibilty: 'public' };
    const before = sandbox.requests.filter(({ method }) => method !== 'GET').length;
    const change = { kind: 'edit', attributes } as const;
    expect(await refusal(world.client.call('project.change', { instance: 'work', project, change }))).toBe(
      'invalid-input',
    );
    expect(await refusal(world.client.call('project.checkAttributes', { use: 'edit', attributes }))).toBe(
      'invalid-input',
    );
    expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toHaveLength(before);
  });

  it('a file that is no more, or is another by now', async () => {
    const { world, project } = await scene();
    const path = file();
    for (const change of [
      { kind: 'upload', file: `${path}.gone`, sizeBytes: 12 },
      { kind: 'upload', file: path, sizeBytes: 13 },
    ] as const) {
      expect(await refusal(world.client.call('project.change', { instance: 'work', project, change }))).toBe(
        'invalid-input',
      );
    }
  });

  it('a job of a deletion that failed is not simply done again', async () => {
    const scenery = await scene();
    const { world, sandbox, project } = scenery;
    sandbox.faults.add({ match: { method: 'DELETE' }, action: { kind: 'respond', status: 403 } });
    const job = await change(scenery, project, { kind: 'delete', permanently: false });
    expect(job.state.status).toBe('failed');
    expect(await refusal(world.client.call('job.retry', { job: job.id }))).toBe('invalid-input');
  });

  it('a path that is taken, by the job, with nothing sent', async () => {
    const scenery = await scene();
    const name = scenery.project.split('/').at(-1) ?? '';
    const job = await change(scenery, scenery.project, created(name));
    expect(job.state).toMatchObject({ status: 'failed', error: { code: 'path-taken' } });
    expect(reached(scenery, 'POST', /\/projects$/)).toBe(0);
  });

  it('a change by an account that may not, with the reason', async () => {
    const { world, sandbox, project } = await scene();
    await register(world, 'guest', sandbox, sandbox.tokens.developer);
    const change = { kind: 'set-archived', archived: true } as const;
    const { runId } = await world.client.call('project.change', { instance: 'guest', project, change });
    const [job] = await ended(world, runId);
    expect(job?.state.status).toBe('failed');
    expect((await sandbox.state.project(project)).archived).toBe(false);
  });
});

describe('what is confirmed', () => {
  it('names the project with its records, and until when it can be undone', async () => {
    const { world, project } = await scene();
    const { destroys, deletion } = await world.client.call('host.confirm', {
      action: 'project.delete',
      instance: 'work',
      project,
    });
    expect(destroys[0]).toEqual({ what: 'project', name: project, count: null });
    expect(
      destroys.some(({ what, name, count }) => what === 'records' && name === 'issues' && (count ?? 0) > 0),
    ).toBe(true);
    expect(deletion?.delayed).toBe(true);
    expect(deletion?.finalOn).toMatch(/^\d{4}-\d\d-\d\d$/);
  });
});
