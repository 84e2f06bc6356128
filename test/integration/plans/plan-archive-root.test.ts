/** @file A plan with its own archive folder, and one that uses the folder in the settings. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planDraft } from '../../support/jobs/plan-draft.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ended, openTestSandbox, openWorld, register, type World } from '../../support/world.ts';
import { archiveFilter } from '../../support/requests.ts';

async function runAndListArchives(world: World, planId: string): Promise<string[]> {
  const { runId } = await world.client.call('plan.run', { id: planId });
  expect((await ended(world, runId)).map(({ state }) => state.status)).toEqual(['succeeded']);
  const list = archiveFilter({ limit: 1 });
  const { archives } = await world.client.call('archive.list', list);
  return archives.map(({ absolutePath }) => absolutePath);
}

async function openWithFolder() {
  const sandbox = await openTestSandbox({ projectCount: 1 });
  const world = await openWorld();
  await register(world, 'work', sandbox);
  const folder = join(temporaryFolder(), 'drive');
  mkdirSync(folder);
  return { world, folder };
}

test('a plan stores archives in its own folder or that of the settings, and ignores newer ones elsewhere', async () => {
  const { world, folder } = await openWithFolder();
  const own = await world.client.call('plan.save', planDraft({ archiveRoot: folder, skipUnchanged: true }));
  expect(own.plan.archiveRoot).toBe(folder);
  const other = await world.client.call('plan.save', planDraft({ name: 'other' }));
  expect(other.plan.archiveRoot).toBeNull();

  expect((await runAndListArchives(world, other.plan.id))[0]).toContain(join(world.dataDir, 'archives'));
  // The archive in the other folder does not count, because this plan's folder has none.
  expect((await runAndListArchives(world, own.plan.id))[0]).toContain(folder);
  const { archiveRoot, earlierRoots } = await world.client.call('settings.show', {});
  expect({ archiveRoot, earlierRoots }).toEqual({
    archiveRoot: join(world.dataDir, 'archives'),
    earlierRoots: [folder],
  });

  // An omitted value is kept; null means the folder in the settings.
  const { id } = own.plan;
  expect((await world.client.call('plan.save', planDraft({ id }))).plan.archiveRoot).toBe(folder);
  await world.client.call('plan.save', planDraft({ id, archiveRoot: null }));
  expect((await runAndListArchives(world, id))[0]).toContain(join(world.dataDir, 'archives'));
});

test('a rejected plan does not turn the folder that it names into an archive folder', async () => {
  const { world, folder } = await openWithFolder();
  await world.client.call('plan.save', planDraft({ name: 'nightly' }));
  const saved = world.client.call('plan.save', planDraft({ name: 'Nightly', archiveRoot: folder }));
  await expect(saved).rejects.toMatchObject({ code: 'already-exists' });
  expect((await world.client.call('settings.show', {})).earlierRoots).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

test('a plan with an unusable archive folder is rejected and not saved', async () => {
  const { world, folder } = await openWithFolder();
  const saved = world.client.call('plan.save', planDraft({ archiveRoot: join(folder, 'none') }));
  await expect(saved).rejects.toMatchObject({ code: 'invalid-input' });
  expect((await world.client.call('plan.list', {})).plans).toEqual([]);
});
