/**
 * @file Every kind of change takes effect once, whatever happens to its request and its reply.
 *
 * Slow, because each kind is tested with every fault, each time with its own app and sandbox.
 */
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/services/sandbox/embedded-sandbox.ts';
import { projectUrl } from '../../support/servers/sandbox-calls.ts';
import { ended, openWorld } from '../../support/world.ts';
import {
  createChange,
  changeSuccessfully,
  writeTestFile,
  fork,
  requestCount,
  openScene,
  uploads,
  readProject,
  type ProjectChange,
  type Scene,
} from '../../support/jobs/change-scene.ts';

type Fault = Parameters<Sandbox['faults']['add']>[0];

interface RequestedChange {
  project: string;
  change: ProjectChange;
}

interface Kind {
  name: string;
  method: string;
  path: RegExp;
  /** Returns the full path of the project, and the requested change. */
  request: (scene: Scene) => RequestedChange | Promise<RequestedChange>;
  /** The resulting state of the sandbox, read over its API, or its internal state. */
  effect: (scene: Scene) => Promise<unknown>;
  expected: unknown;
}
const kinds: Kind[] = [
  {
    name: 'a creation',
    method: 'POST',
    path: /\/projects$/,
    request: ({ group }) => ({ project: `${group}/made`, change: createChange('made') }),
    effect: ({ sandbox, group }) =>
      Promise.resolve(sandbox.state.paths.filter((path) => path.startsWith(`${group}/made`)).length),
    expected: 1,
  },
  {
    name: 'an edit',
    method: 'PUT',
    path: /\/projects\/\d+$/,
    request: ({ project }) => ({
      project,
      change: { kind: 'edit', attributes: { description: 'By us', topics: ['one', 'two'] } },
    }),
    effect: async (scene) => {
      const { description, topics } = await readProject(scene, scene.project);
      return { description, topics };
    },
    expected: { description: 'By us', topics: ['one', 'two'] },
  },
  {
    name: 'a fork',
    method: 'POST',
    path: /\/fork$/,
    request: ({ project }) => ({ project, change: fork }),
    effect: ({ sandbox }) => Promise.resolve(sandbox.state.paths.filter((path) => /^root\//.test(path))),
    expected: ['root/copy'],
  },
  {
    name: 'a star',
    method: 'POST',
    path: /\/star$/,
    request: ({ project }) => ({ project, change: { kind: 'star' } }),
    effect: async (scene) => (await readProject(scene, scene.project))['star_count'],
    expected: 1,
  },
  {
    name: 'a removed star',
    method: 'POST',
    path: /\/unstar$/,
    async request({ calls, project }) {
      await calls.call(`${projectUrl(project)}/star`, 'POST');
      return { project, change: { kind: 'unstar' } };
    },
    effect: async (scene) => (await readProject(scene, scene.project))['star_count'],
    expected: 0,
  },
  {
    name: 'marking as archived',
    method: 'POST',
    path: /\/archive$/,
    request: ({ project }) => ({ project, change: { kind: 'set-archived', archived: true } }),
    effect: async (scene) => (await readProject(scene, scene.project))['archived'],
    expected: true,
  },
  {
    name: 'a deletion',
    method: 'DELETE',
    path: /\/projects\/\d+$/,
    request: ({ project }) => ({ project, change: { kind: 'delete', permanently: false } }),
    effect: ({ sandbox, project }) =>
      Promise.resolve(sandbox.state.paths.map((path) => path.startsWith(`${project}-deletion_scheduled-`))),
    expected: [true],
  },
  {
    name: 'a permanent deletion',
    method: 'DELETE',
    path: /permanently_remove/,
    async request({ calls, sandbox, project }) {
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
    async request({ calls, sandbox, project }) {
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
    request: ({ project }) => ({ project, change: { kind: 'upload', file: writeTestFile(), sizeBytes: 12 } }),
    effect: async (scene) => (await uploads(scene)).filter((name) => name === 'notes_of_today.txt'),
    expected: ['notes_of_today.txt'],
  },
];

const losses: [string, Fault['action'], number][] = [
  ['after the work was done', { kind: 'lose-reply' }, 1],
  ['in the middle of the response', { kind: 'cut', afterBytes: 3, framing: 'length' }, 1],
  ['before the work began', { kind: 'reset' }, 2],
  ['to an error page of a proxy', { kind: 'html', status: 502 }, 2],
];

describe.each(kinds)('$name', ({ method, path, request, effect, expected }) => {
  it.each(losses)('whose response is lost %s takes effect exactly once', async (_when, action, sentCount) => {
    const scenery = await openScene();
    const { project, change } = await request(scenery);
    const before = requestCount(scenery, method, path);
    scenery.sandbox.faults.add({ match: { method, path: path.source, nth: 1 }, action });
    expect((await changeSuccessfully(scenery, project, change)).changed).toBe(true);
    expect(await effect(scenery)).toEqual(expected);
    expect(requestCount(scenery, method, path) - before).toBe(sentCount);
  });

  it('resumes after a restart between its steps, and takes effect once', async () => {
    const scenery = await openScene();
    const { world, sandbox } = scenery;
    const { project, change } = await request(scenery);
    const before = requestCount(scenery, method, path);
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
    // Waits until the intent is stored and the response is lost.
    await expect
      .poll(() => requestCount(scenery, method, path) - before, { interval: 2, timeout: 10_000 })
      .toBe(1);
    await world.app.close();
    const env = { PACKHORSE_TOKEN_WORK: sandbox.tokens.administrator };
    const next = await openWorld({ dataDir: world.dataDir, env });
    const [job] = await ended(next, runId);
    expect(job).toMatchObject({ id: jobId, state: { status: 'succeeded' } });
    // An upload that was cut off in the middle is sent again.
    expect(await effect(scenery)).toEqual(expected);
  });
});
