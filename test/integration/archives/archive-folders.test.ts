/** @file What the doctor says of each archive folder. */
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planDraft } from '../../support/jobs/plan-draft.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { backUp, openTestSandbox, openWorld, register, type World } from '../../support/world.ts';

const checksOf = async (world: World) => {
  const { checks } = await world.client.call('doctor.run', {});
  return checks.filter(({ name }) => name.startsWith('archive folder'));
};

test('the doctor looks at every archive folder, and says which plan waits for one that is away', async () => {
  const sandbox = await openTestSandbox({ projects: 1 });
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
      value: `${earlier} is not the folder that it was: the mark of Packhorse is not in it; 1 archive stands in it`,
    },
    {
      ok: false,
      value: `${drive} is not there; waited for by the plan "Nightly"`,
      todo: expect.stringMatching(/plug it in/) as string,
    },
  ]);
});
