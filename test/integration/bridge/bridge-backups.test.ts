/** @file What starting a backup of chosen projects asks of the instance, tells on the way, and leaves when it is given up. */
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

test('projects of the stored list that are named by their id start without asking the instance', async () => {
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

test('projects that are named by path, or not in the list, are asked for, with progress', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 3 });
  await register(world, 'lab', sandbox);
  const [first, second, third] = await listed(world);
  const told: Progress[] = [];
  const { jobIds, refused } = await world.client.call(
    'backup.start',
    {
      instance: 'lab',
      projects: [first?.id ?? '', second?.fullPath ?? '', '99999', third?.fullPath ?? ''],
      keepExisting: false,
    },
    (progress) => {
      told.push(progress);
    },
  );
  expect(jobIds).toHaveLength(3);
  expect(refused).toMatchObject([{ project: '99999', error: { code: 'project-missing' } }]);
  expect(told).toEqual([1, 2, 3, 4].map((done) => ({ step: 'choose', unit: 'records', done, total: 4 })));
});

test('a project that is named twice, by id and by path, is backed up once', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await register(world, 'lab', sandbox);
  const [one] = await listed(world);
  const projects = [one?.fullPath ?? '', one?.id ?? ''];
  const { jobIds } = await world.client.call('backup.start', {
    instance: 'lab',
    projects,
    keepExisting: false,
  });
  expect(jobIds).toHaveLength(1);
});

test('given up while projects are looked up, it leaves no job', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 3 });
  await register(world, 'lab', sandbox);
  const known = await listed(world);
  const giveUp = new AbortController();
  const asked = inProcessClient(world.app.dispatch, giveUp.signal).call(
    'backup.start',
    { instance: 'lab', projects: known.map(({ fullPath }) => fullPath), keepExisting: false },
    () => {
      giveUp.abort();
    },
  );
  await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
  expect((await world.client.call('job.list', all)).jobs).toEqual([]);
});

test('with a token that may only read nothing is started, until one that may do more is given', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 2 });
  await register(world, 'lab', sandbox, sandbox.tokens.readOnly);
  const request = { instance: 'lab', projects: 'all', keepExisting: false } as const;
  await expect(world.client.call('backup.start', request)).rejects.toMatchObject({ code: 'token-scope' });
  expect((await world.client.call('job.list', all)).jobs).toEqual([]);
  // As another process gives it: nobody asked the instance what it may do.
  const other = await openWorld({
    dataDir: world.dataDir,
    env: { PACKHORSE_TOKEN_LAB: sandbox.tokens.maintainer },
  });
  expect((await other.client.call('backup.start', request)).jobIds).toHaveLength(2);
  expect((await other.client.call('instance.list', {})).instances).toMatchObject([{ tokenCanWrite: true }]);
});
