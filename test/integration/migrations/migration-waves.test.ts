/** @file The progress of a migration's waves, and its projects whose destination is impossible. */
import { expect, it } from 'vitest';
import { openTestSandbox, openWorld, register } from '../../support/world.ts';

it('each wave counts its projects by state, projects in conflict are found, and an invalid override is rejected', async () => {
  const world = await openWorld();
  await register(world, 'source', await openTestSandbox({ projectCount: 5 }));
  await register(world, 'target', await openTestSandbox({ projectCount: 0 }));
  const { client } = world;
  const { id } = await client.call('migration.create', {
    name: 'Move',
    source: 'source',
    target: 'target',
    selection: { kind: 'all' },
    rules: [],
    overrideParams: {},
    freeze: false,
    waveSize: 2,
  });
  const all = { migration: id, state: null, wave: null, search: null, offset: 0, limit: 500 };
  const { projects } = await client.call('migration.projects', all);
  const [first, second, third] = projects.map(({ sourceId }) => String(sourceId));
  await client.call('migration.place', { migration: id, project: first ?? '', leftOut: true });
  const placement = { namespace: 'maintainer', path: 'one' };
  await client.call('migration.place', { migration: id, project: second ?? '', placement });
  await client.call('migration.place', {
    migration: id,
    project: third ?? '',
    placement: { ...placement, path: 'ONE' },
  });

  const { waves, inConflict } = await client.call('migration.waves', { migration: id });
  expect(waves.map(({ wave, projects: of }) => [wave, of.planned, of['left-out'], of.arrived])).toEqual([
    [1, 1, 1, 0],
    [2, 2, 0, 0],
    [3, 1, 0, 0],
  ]);
  expect(inConflict).toBe(2);
  for (const overrideParams of [{ visiblity: 'private' }, { visibility: 'secret' }]) {
    await expect(
      client.call('migration.place', {
        migration: id,
        project: second ?? '',
        placement: { ...placement, overrideParams },
      }),
    ).rejects.toMatchObject({ code: 'invalid-input' });
  }
  const found = await client.call('migration.projects', { ...all, inConflict: true });
  expect(found.projects.map(({ sourceId }) => String(sourceId))).toEqual([second, third]);
  expect(found.total).toBe(2);
});
