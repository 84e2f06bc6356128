/** @file The stored project lists: asked for anew, read offline, and what a refresh that breaks off leaves. */
import { expect, test } from 'vitest';
import type { Progress } from '../../../src-contract/runs/job.ts';
import type { CallRequest } from '../../../src-contract/calls.ts';
import { commandLinePaths } from '../../../src-main/bridge/archives/granted-paths.ts';
import { backUp, openTestSandbox, openWorld, register, type World } from '../../support/world.ts';

const page = (world: World, request: Partial<CallRequest<'project.page'>> = {}) =>
  world.client.call('project.page', {
    sort: 'path',
    descending: false,
    offset: 0,
    limit: 500,
    ...request,
  });

function heardBy(world: World): unknown[] {
  const heard: unknown[] = [];
  world.app.subscribe((name, payload) => {
    if (name !== 'job.changed') heard.push([name, payload]);
  });
  return heard;
}

test('a refresh stores all projects, tells how many it will be and how far it is, and that it ended', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 250 });
  await register(world, 'source', sandbox);
  expect(await page(world)).toEqual({
    projects: [],
    total: 0,
    lists: [{ instance: 'source', refreshedAt: null }],
  });
  const heard = heardBy(world);
  const told: Progress[] = [];
  const refreshed = await world.client.call(
    'instance.refresh',
    { name: 'source', visible: false },
    (progress) => {
      told.push(progress);
    },
  );
  expect(refreshed.projects).toBe(250);
  expect(told).toEqual(
    [0, 100, 200, 250].map((done) => ({ step: 'list', unit: 'records', done, total: 250 })),
  );
  expect(heard).toEqual([['project.changed', { instance: 'source', revision: 1 }]]);
  const { projects, total, lists } = await page(world, { limit: 100, offset: 200 });
  expect([projects.length, total]).toEqual([50, 250]);
  expect(lists).toEqual([{ instance: 'source', refreshedAt: refreshed.refreshedAt }]);
});

test('what is visible is more than what one is a member of', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 8 });
  await register(world, 'source', sandbox, sandbox.tokens.outsider);
  const refresh = (visible: boolean) => world.client.call('instance.refresh', { name: 'source', visible });
  expect((await refresh(false)).projects).toBe(0);
  const { projects } = await refresh(true);
  expect(projects).toBeGreaterThan(0);
  expect((await page(world)).total).toBe(projects);
  expect((await refresh(false)).projects).toBe(0);
});

test('with the server gone the list stands as it was, and a refresh that fails loses nothing', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 150 });
  await register(world, 'source', sandbox);
  await world.client.call('instance.refresh', { name: 'source', visible: false });
  const before = await page(world);
  sandbox.faults.add({
    match: { path: '/projects\\?', nth: 3 },
    action: { kind: 'respond', status: 403, body: { message: 'no more' } },
  });
  const heard = heardBy(world);
  await expect(
    world.client.call('instance.refresh', { name: 'source', visible: false }),
  ).rejects.toMatchObject({ code: 'forbidden' });
  expect(await page(world)).toEqual(before);
  await sandbox.close();
  expect(await page(world)).toEqual(before);
  expect(heard).toEqual([]);
});

test('a refresh that is given up answers at once and leaves the list as it was', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 250 });
  await register(world, 'source', sandbox);
  await world.client.call('instance.refresh', { name: 'source', visible: false });
  const before = await page(world);
  sandbox.faults.add({ match: { path: '/projects\\?', nth: 3 }, action: { kind: 'stall', afterBytes: 100 } });
  const giveUp = new AbortController();
  const result = await world.app.dispatch(
    'instance.refresh',
    { name: 'source', visible: false },
    {
      signal: giveUp.signal,
      paths: commandLinePaths,
      progress: ({ done }) => {
        if (done === 100) giveUp.abort();
      },
    },
  );
  expect(result).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  expect(await page(world)).toEqual(before);
});

test('how a project stands follows its backups', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 3 });
  await register(world, 'source', sandbox);
  await world.client.call('instance.refresh', { name: 'source', visible: false });
  const [first = '', second = ''] = sandbox.state.paths;
  sandbox.faults.add({
    match: { project: second, method: 'POST', path: '/export$' },
    action: { kind: 'respond', status: 403, body: { message: 'no' } },
  });
  const heard = heardBy(world);
  await backUp(world, 'source', [first, second]);
  const { projects } = await page(world);
  const row = (path: string) => projects.find(({ fullPath }) => fullPath === path);
  expect(row(first)).toMatchObject({ backupStatus: 'current', archives: 1, newestArchive: { proof: 'L2' } });
  expect(row(second)).toMatchObject({ backupStatus: 'failed', archives: 0, newestArchive: null });
  expect(projects.filter(({ backupStatus }) => backupStatus === 'never')).toHaveLength(1);
  expect(heard).toEqual([['archive.changed', { archiveId: row(first)?.newestArchive?.id, revision: 1 }]]);
  expect((await page(world, { backupStatus: 'failed' })).projects.map(({ fullPath }) => fullPath)).toEqual([
    second,
  ]);
});

test('an instance that is not registered has no projects to be paged', async () => {
  const world = await openWorld();
  await expect(page(world, { instance: 'none' })).rejects.toMatchObject({ code: 'instance-unknown' });
});
