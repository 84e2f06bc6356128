/** @file A plan with an archive folder of its own, and one that uses the folder in the settings. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planDraft } from '../../support/jobs/plan-draft.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ended, openTestSandbox, openWorld, register, type World } from '../../support/world.ts';
import { archiveFilter } from '../../support/requests.ts';

async function stored(world: World, planId: string): Promise<string[]> {
  const { runId } = await world.client.call('plan.run', { id: planId });
  expect((await ended(world, runId)).map(({ state }) => state.status)).toEqual(['succeeded']);
  const list = archiveFilter({ limit: 1 });
  const { archives } = await world.client.call('archive.list', list);
  return archives.map(({ absolutePath }) => absolutePath);
}

async function openPlanned() {
  const sandbox = await openTestSandbox({ projectCount: 1 });
  const world = await openWorld();
  await register(world, 'work', sandbox);
  const folder = join(temporaryFolder(), 'drive');
  mkdirSync(folder);
  return { world, folder };
}

test('archives of a plan go to its folder, others where the settings say, and no newer one elsewhere counts', async () => {
  const { world, folder } = await openPlanned();
  const own = await world.client.call('plan.save', planDraft({ archiveRoot: folder, skipUnchanged: true }));
  expect(own.plan.archiveRoot).toBe(folder);
  const other = await world.client.call('plan.save', planDraft({ name: 'other' }));
  expect(other.plan.archiveRoot).toBeNull();

  expect((await stored(world, other.plan.id))[0]).toContain(join(world.dataDir, 'archives'));
  // An archive in another folder does not count: the folder of this plan has none.
  expect((await stored(world, own.plan.id))[0]).toContain(folder);
  const { archiveRoot, earlierRoots } = await world.client.call('settings.show', {});
  expect({ archiveRoot, earlierRoots }).toEqual({
    archiveRoot: join(world.dataDir, 'archives'),
    earlierRoots: [folder],
  });

  // An omitted value stays; null means the folder in the settings.
  const { id } = own.plan;
  expect((await world.client.call('plan.save', planDraft({ id }))).plan.archiveRoot).toBe(folder);
  await world.client.call('plan.save', planDraft({ id, archiveRoot: null }));
  expect((await stored(world, id))[0]).toContain(join(world.dataDir, 'archives'));
});

test('a plan that is refused makes no archive folder of the one that it names', async () => {
  const { world, folder } = await openPlanned();
  await world.client.call('plan.save', planDraft({ name: 'nightly' }));
  const saved = world.client.call('plan.save', planDraft({ name: 'Nightly', archiveRoot: folder }));
  await expect(saved).rejects.toMatchObject({ code: 'already-exists' });
  expect((await world.client.call('settings.show', {})).earlierRoots).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

test('a folder that can be none is refused, and no plan is saved', async () => {
  const { world, folder } = await openPlanned();
  const saved = world.client.call('plan.save', planDraft({ archiveRoot: join(folder, 'none') }));
  await expect(saved).rejects.toMatchObject({ code: 'invalid-input' });
  expect((await world.client.call('plan.list', {})).plans).toEqual([]);
});
