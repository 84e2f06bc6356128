/** @file The stored project lists: refreshed, read offline, and unchanged after a failed refresh. */
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

function recordEvents(world: World): unknown[] {
  const events: unknown[] = [];
  world.app.subscribe((name, payload) => {
    if (name !== 'job.changed') events.push([name, payload]);
  });
  return events;
}

test('a refresh stores all projects, reports their number and its progress, and emits an event at its end', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 250 });
  await register(world, 'source', sandbox);
  expect(await page(world)).toEqual({
    projects: [],
    total: 0,
    lists: [{ instance: 'source', refreshedAt: null }],
  });
  const events = recordEvents(world);
  const reports: Progress[] = [];
  const refreshed = await world.client.call(
    'instance.refresh',
    { name: 'source', visible: false },
    (progress) => {
      reports.push(progress);
    },
  );
  expect(refreshed.projects).toBe(250);
  expect(reports).toEqual(
    [0, 100, 200, 250].map((done) => ({ step: 'list', unit: 'records', done, total: 250 })),
  );
  expect(events).toEqual([['project.changed', { instance: 'source', revision: 1 }]]);
  const { projects, total, lists } = await page(world, { limit: 100, offset: 200 });
  expect([projects.length, total]).toEqual([50, 250]);
  expect(lists).toEqual([{ instance: 'source', refreshedAt: refreshed.refreshedAt }]);
});

test('a refresh of all visible projects also lists projects in which the account is not a member', async () => {
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

test('the list remains unchanged after a failed refresh, and when the server is gone', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 150 });
  await register(world, 'source', sandbox);
  await world.client.call('instance.refresh', { name: 'source', visible: false });
  const before = await page(world);
  sandbox.faults.add({
    match: { path: '/projects\\?', nth: 3 },
    action: { kind: 'respond', status: 403, body: { message: 'no more' } },
  });
  const events = recordEvents(world);
  await expect(
    world.client.call('instance.refresh', { name: 'source', visible: false }),
  ).rejects.toMatchObject({ code: 'forbidden' });
  expect(await page(world)).toEqual(before);
  await sandbox.close();
  expect(await page(world)).toEqual(before);
  expect(events).toEqual([]);
});

test('a cancelled refresh returns at once and leaves the list unchanged', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 250 });
  await register(world, 'source', sandbox);
  await world.client.call('instance.refresh', { name: 'source', visible: false });
  const before = await page(world);
  sandbox.faults.add({ match: { path: '/projects\\?', nth: 3 }, action: { kind: 'stall', afterBytes: 100 } });
  const controller = new AbortController();
  const result = await world.app.dispatch(
    'instance.refresh',
    { name: 'source', visible: false },
    {
      signal: controller.signal,
      grants: commandLinePaths,
      progress: ({ done }) => {
        if (done === 100) controller.abort();
      },
    },
  );
  expect(result).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  expect(await page(world)).toEqual(before);
});

test('the backup status of a project follows its backups', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 3 });
  await register(world, 'source', sandbox);
  await world.client.call('instance.refresh', { name: 'source', visible: false });
  const [first = '', second = ''] = sandbox.state.paths;
  sandbox.faults.add({
    match: { project: second, method: 'POST', path: '/export$' },
    action: { kind: 'respond', status: 403, body: { message: 'no' } },
  });
  const events = recordEvents(world);
  await backUp(world, 'source', [first, second]);
  const { projects } = await page(world);
  const row = (path: string) => projects.find(({ fullPath }) => fullPath === path);
  expect(row(first)).toMatchObject({ backupStatus: 'current', archives: 1, newestArchive: { proof: 'L2' } });
  expect(row(second)).toMatchObject({ backupStatus: 'failed', archives: 0, newestArchive: null });
  expect(projects.filter(({ backupStatus }) => backupStatus === 'never')).toHaveLength(1);
  expect(events).toEqual([['archive.changed', { archiveId: row(first)?.newestArchive?.id, revision: 1 }]]);
  expect((await page(world, { backupStatus: 'failed' })).projects.map(({ fullPath }) => fullPath)).toEqual([
    second,
  ]);
});

test('the projects of an unregistered instance cannot be listed', async () => {
  const world = await openWorld();
  await expect(page(world, { instance: 'none' })).rejects.toMatchObject({ code: 'instance-unknown' });
});
