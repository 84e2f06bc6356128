/** @file Archive folders that are missing or no longer wanted: the doctor's report, and forgetting one. */
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planDraft } from '../../support/jobs/plan-draft.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { backUp, openTestSandbox, openWorld, register, type World } from '../../support/world.ts';
import { archiveFilter } from '../../support/requests.ts';

const checksOf = async (world: World) => {
  const { checks } = await world.client.call('doctor.run', {});
  return checks.filter(({ name }) => name.startsWith('archive folder'));
};

test('the doctor checks every archive folder, and reports which plan waits for a missing one', async () => {
  const sandbox = await openTestSandbox({ projectCount: 1 });
  const world = await openWorld();
  await register(world, 'work', sandbox);
  const [earlier, drive] = [join(temporaryFolder(), 'earlier'), join(temporaryFolder(), 'drive')];
  mkdirSync(earlier);
  mkdirSync(drive);
  await world.client.call('settings.change', { archiveRoot: earlier });
  await backUp(world, 'work', [sandbox.state.paths[0] ?? '']);
  const standard = join(world.dataDir, 'archives');
  await world.client.call('settings.change', { archiveRoot: standard });
  await world.client.call('plan.save', planDraft({ name: 'Nightly', archiveRoot: drive }));
  expect(await checksOf(world)).toMatchObject([
    { name: 'archive folder', ok: true, value: expect.stringContaining(`${standard}, `) as string },
    { name: 'archive folder 2', ok: true, value: expect.stringContaining(`${earlier}, `) as string },
    { name: 'archive folder 3', ok: true, value: expect.stringMatching(/drive, [\d.]+ GB free$/) as string },
  ]);

  renameSync(drive, `${drive}-aside`);
  renameSync(earlier, `${earlier}-aside`);
  // An empty mount point.
  mkdirSync(earlier);
  expect(await checksOf(world)).toMatchObject([
    { ok: true },
    {
      ok: false,
      value: `${earlier} is not the original archive folder: the marker file of Packhorse is missing in it; 1 archive is in it`,
    },
    {
      ok: false,
      value: `${drive} is not available; the plan "Nightly" waits for it`,
      todo: expect.stringMatching(/plug it in/) as string,
    },
  ]);
});

test('a forgotten folder keeps its files, is not listed or rescanned, and can be chosen again', async () => {
  const sandbox = await openTestSandbox({ projectCount: 1 });
  const world = await openWorld();
  await register(world, 'work', sandbox);
  const [earlier, drive] = [join(temporaryFolder(), 'earlier'), join(temporaryFolder(), 'drive')];
  mkdirSync(earlier);
  mkdirSync(drive);
  await world.client.call('settings.change', { archiveRoot: earlier });
  const [path = ''] = sandbox.state.paths;
  await backUp(world, 'work', [path]);
  const standard = join(world.dataDir, 'archives');
  await world.client.call('settings.change', { archiveRoot: standard });
  await backUp(world, 'work', [path]);
  const { plan } = await world.client.call('plan.save', planDraft({ name: 'Nightly', archiveRoot: drive }));

  const forget = (forgetRoot: string) => world.client.call('settings.change', { forgetRoot });
  const list = async () => {
    const all = archiveFilter({ limit: 10 });
    return (await world.client.call('archive.list', all)).archives;
  };
  for (const [folder, why] of [
    [standard, /is the folder for new archives/],
    [drive, /the plan "Nightly"/],
    [join(earlier, 'none'), /is not an archive folder/],
  ] as const) {
    await expect(forget(folder)).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringMatching(why) as string,
    });
  }
  const [newer, older] = await list();
  expect((await forget(earlier)).earlierRoots).toEqual([drive]);
  expect(existsSync(older?.absolutePath ?? '')).toBe(true);
  const scanned = { found: 1, added: 0, missing: 0, absentFolders: [] };
  expect(await world.client.call('archive.rescan', {})).toMatchObject(scanned);
  expect(await list()).toEqual([newer]);
  expect(await checksOf(world)).toHaveLength(2);

  await world.client.call('plan.remove', { id: plan.id });
  await forget(drive);
  await world.app.close();
  const again = await openWorld({ dataDir: world.dataDir });
  await again.client.call('settings.change', { archiveRoot: earlier });
  expect(await again.client.call('archive.rescan', {})).toMatchObject({ found: 2, missing: 0 });
  const { archives } = await again.client.call('archive.list', archiveFilter({ limit: 10 }));
  expect(archives.map(({ id }) => id)).toEqual([newer?.id, older?.id]);
});
