/** @file The stored archives of projects that were found on an instance, whether or not its stored list has them. */
import { expect, test } from 'vitest';
import { backUp, openTestSandbox, openWorld, register } from '../support/world.ts';

test('a project that is in no list is found, backed up by its id, and then reported as backed up', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 4 });
  await register(world, 'work', sandbox);
  const find = { instance: 'work', list: 'all', of: null, query: {}, cursor: null, limit: 10 } as const;
  const { projects } = await world.client.call('project.find', find);
  const backupStatuses = async () =>
    (await world.client.call('project.held', { instance: 'work', projects })).projects.map(
      ({ backupStatus, archives }) => [backupStatus, archives],
    );
  expect(await backupStatuses()).toEqual(projects.map(() => ['never', 0]));
  const [first] = projects;
  const [job] = await backUp(world, 'work', [String(first?.id)]);
  expect(job?.state.status).toBe('succeeded');
  expect(await backupStatuses()).toEqual(
    projects.map(({ id }) => (id === first?.id ? ['current', 1] : ['never', 0])),
  );
});

test('nothing is reported for an unregistered instance', async () => {
  const world = await openWorld();
  await expect(world.client.call('project.held', { instance: 'none', projects: [] })).rejects.toMatchObject({
    code: 'instance-unknown',
  });
});
