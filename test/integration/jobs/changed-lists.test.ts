/** @file After a change the stored list is the same as after a refresh, without a refresh. */
import { expect, test } from 'vitest';
import type { ProjectRow } from '../../../src-contract/projects/project.ts';
import { SandboxCalls } from '../../support/servers/sandbox-calls.ts';
import {
  change,
  createChange,
  changeSuccessfully,
  fork,
  requestCount,
  openScene,
  type ProjectChange,
  type Scene,
} from '../../support/jobs/change-scene.ts';

const listed = async ({ world }: Scene): Promise<ProjectRow[]> => {
  const { projects } = await world.client.call('project.page', {
    instance: 'work',
    sort: 'path',
    descending: false,
    offset: 0,
    limit: 100,
  });
  return projects;
};
const refresh = ({ world }: Scene, visible: boolean) =>
  world.client.call('instance.refresh', { name: 'work', visible });

const renamed: ProjectChange = { kind: 'edit', attributes: { path: 'renamed', name: 'Renamed' } };
const marked: ProjectChange = { kind: 'delete', permanently: false };

test.each<
  [what: string, changes: [project: (scene: Scene) => string, wanted: ProjectChange][], expected: object]
>([
  ['a new path and name', [[({ project }) => project, renamed]], { name: 'Renamed' }],
  [
    'the mark as archived',
    [[({ project }) => project, { kind: 'set-archived', archived: true }]],
    { archived: true },
  ],
  [
    'the mark for deletion',
    [[({ project }) => project, marked]],
    { archived: true, markedForDeletionOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string },
  ],
  [
    'a restoration',
    [
      [({ project }) => project, marked],
      [({ sandbox }) => sandbox.state.paths[0] ?? '', { kind: 'restore' }],
    ],
    { archived: false, markedForDeletionOn: null },
  ],
])('%s is listed at once', async (_, changes, expected) => {
  const work = await openScene();
  await refresh(work, true);
  const events: unknown[] = [];
  work.world.app.subscribe((name, payload) => {
    if (name === 'project.changed') events.push(payload);
  });
  const before = requestCount(work, 'GET', /projects\?/);
  for (const [project, requested] of changes) await changeSuccessfully(work, project(work), requested);
  expect(requestCount(work, 'GET', /projects\?/)).toBe(before);
  expect(events).toHaveLength(changes.length);
  const rows = await listed(work);
  expect(rows).toMatchObject([expected]);
  await refresh(work, true);
  expect(await listed(work)).toEqual(rows);
});

test('a project that was created or forked is listed at once, but not one for another user', async () => {
  const work = await openScene();
  await refresh(work, false);
  const before = (await listed(work)).length;
  await changeSuccessfully(work, 'fresh', createChange('fresh'));
  await changeSuccessfully(work, work.project, fork);
  const rows = await listed(work);
  expect(rows).toHaveLength(before + 2);
  const theirs = new SandboxCalls(work.sandbox, work.sandbox.tokens.maintainer);
  const { id, username } = (await theirs.get('/user')) as { id: number; username: string };
  await changeSuccessfully(work, `${username}/theirs`, { ...createChange('theirs'), forUser: id });
  expect(await listed(work)).toEqual(rows);
  await refresh(work, false);
  expect(await listed(work)).toEqual(rows);
});

test('a permanently deleted project is no longer listed', async () => {
  const work = await openScene();
  await refresh(work, true);
  await changeSuccessfully(work, work.project, marked);
  const at = work.sandbox.state.paths[0] ?? '';
  await changeSuccessfully(work, at, { kind: 'delete', permanently: true });
  expect(await listed(work)).toEqual([]);
});

test('a change of a project that is not listed, and a failed change, leave the list unchanged', async () => {
  const work = await openScene();
  await changeSuccessfully(work, work.project, { kind: 'star' });
  expect(await listed(work)).toEqual([]);
  await refresh(work, true);
  const rows = await listed(work);
  const taken = await change(work, work.project, { ...fork, namespace: work.group, path: null });
  expect(taken.state).toMatchObject({ status: 'failed', error: { code: 'path-taken' } });
  expect(await listed(work)).toEqual(rows);
});
