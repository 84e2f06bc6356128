/** @file Starting a backup of chosen projects: its requests to the instance, its progress, and its jobs after a cancel. */
import { expect, test } from 'vitest';
import { inProcessClient } from '../../../src-main/bridge/transports/in-process.ts';
import type { Progress } from '../../../src-contract/runs/job.ts';
import { openTestSandbox, openWorld, register, type World } from '../../support/world.ts';
import { jobFilter } from '../../support/requests.ts';

const all = jobFilter();

async function listed(world: World): Promise<{ id: string; fullPath: string }[]> {
  await world.client.call('instance.refresh', { name: 'lab', visible: false });
  const { projects } = await world.client.call('project.page', {
    instance: 'lab',
    sort: 'path',
    descending: false,
    offset: 0,
    limit: 500,
  });
  return projects.map(({ id, fullPath }) => ({ id: String(id), fullPath }));
}

test('a backup of listed projects that are named by id starts without a request to the instance', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 20 });
  await register(world, 'lab', sandbox);
  const known = await listed(world);
  await sandbox.close();
  const { jobIds, refused } = await world.client.call('backup.start', {
    instance: 'lab',
    projects: known.map(({ id }) => id),
    keepExisting: false,
  });
  expect([jobIds.length, refused]).toEqual([20, []]);
  const { jobs } = await world.client.call('job.list', all);
  expect(jobs.map(({ project }) => project).sort()).toEqual(known.map(({ fullPath }) => fullPath).sort());
});

test('projects that are named by path, or are not in the list, are fetched, with progress', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 3 });
  await register(world, 'lab', sandbox);
  const [first, second, third] = await listed(world);
  const reports: Progress[] = [];
  const { jobIds, refused } = await world.client.call(
    'backup.start',
    {
      instance: 'lab',
      projects: [first?.id ?? '', second?.fullPath ?? '', '99999', third?.fullPath ?? ''],
      keepExisting: false,
    },
    (progress) => {
      reports.push(progress);
    },
  );
  expect(jobIds).toHaveLength(3);
  expect(refused).toMatchObject([{ project: '99999', error: { code: 'project-missing' } }]);
  expect(reports).toEqual([1, 2, 3, 4].map((done) => ({ step: 'choose', unit: 'records', done, total: 4 })));
});

test('a project that is named twice, by id and by path, is backed up once', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await register(world, 'lab', sandbox);
  const [project] = await listed(world);
  const projects = [project?.fullPath ?? '', project?.id ?? ''];
  const { jobIds } = await world.client.call('backup.start', {
    instance: 'lab',
    projects,
    keepExisting: false,
  });
  expect(jobIds).toHaveLength(1);
});

test('a call that is cancelled while it looks up projects creates no job', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 3 });
  await register(world, 'lab', sandbox);
  const known = await listed(world);
  const controller = new AbortController();
  const started = inProcessClient(world.app.dispatch, controller.signal).call(
    'backup.start',
    { instance: 'lab', projects: known.map(({ fullPath }) => fullPath), keepExisting: false },
    () => {
      controller.abort();
    },
  );
  await expect(started).rejects.toMatchObject({ code: 'cancelled' });
  expect((await world.client.call('job.list', all)).jobs).toEqual([]);
});

test('no backup starts with a read-only token, until a token that can write is given', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 2 });
  await register(world, 'lab', sandbox, sandbox.tokens.readOnly);
  const request = { instance: 'lab', projects: 'all', keepExisting: false } as const;
  await expect(world.client.call('backup.start', request)).rejects.toMatchObject({ code: 'token-scope' });
  expect((await world.client.call('job.list', all)).jobs).toEqual([]);
  // Another process provides the token, so that the instance was not asked what the token may do.
  const other = await openWorld({
    dataDir: world.dataDir,
    env: { PACKHORSE_TOKEN_LAB: sandbox.tokens.maintainer },
  });
  expect((await other.client.call('backup.start', request)).jobIds).toHaveLength(2);
  expect((await other.client.call('instance.list', {})).instances).toMatchObject([{ tokenCanWrite: true }]);
});
