/** @file Archives on a read-only disk. No reader needs to write beside them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { noSmallDisk, smallDisk } from '../../support/faults/small-disk.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { backUp, importInto, openTestSandbox, openWorld, register, type World } from '../../support/world.ts';
import { archiveFilter } from '../../support/requests.ts';

const chooseRoot = (world: World, path: string) =>
  world.client.call('settings.change', { archiveRoot: path });

/** Stores an archive on its own disk, in a world with a writable data folder. */
async function storedOnDisk() {
  const disk = smallDisk();
  const sandbox = await openTestSandbox({ projectCount: 1 });
  const world = await openWorld();
  await register(world, 'work', sandbox);
  await chooseRoot(world, disk.root);
  expect(await backUp(world, 'work', 'all')).toMatchObject([{ state: { status: 'succeeded' } }]);
  const { archives } = await world.client.call('archive.list', archiveFilter({ limit: 10 }));
  const [stored] = archives;
  if (stored === undefined) throw new Error('nothing is stored');
  return { disk, world, sandbox, stored };
}

test.skipIf(noSmallDisk)('an archive on a read-only disk is verified, read and restored', async () => {
  const { disk, world, stored } = await storedOnDisk();
  const archive = stored.absolutePath;
  disk.resize('ro');
  for (const level of ['L1', 'L2'] as const) {
    expect(await world.client.call('archive.verify', { archive, level })).toMatchObject({
      proof: { level },
      damaged: null,
      unrecorded: { code: 'disk-denied' },
    });
  }
  expect(await world.client.call('archive.inspect', { archive })).toMatchObject({ verdict: 'sound' });
  expect(await world.client.call('archive.lint', { archive, target: null })).toHaveProperty('findings');
  const record = { archive, relation: 'issues', line: 0 };
  expect(await world.client.call('archive.record', record)).toMatchObject({ relation: 'issues' });
  expect(await importInto(world, 'work', archive, { path: 'restored' })).toMatchObject({
    state: { status: 'succeeded' },
  });
});

test.skipIf(noSmallDisk)('the catalogue records the damage of an archive on a read-only disk', async () => {
  const { disk, world, stored } = await storedOnDisk();
  const bytes = readFileSync(stored.absolutePath);
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  writeFileSync(stored.absolutePath, bytes);
  disk.resize('ro');
  const verified = await world.client.call('archive.verify', { archive: stored.id, level: 'L2' });
  expect(verified).toMatchObject({ proof: null, damaged: {}, unrecorded: { code: 'disk-denied' } });
  expect(verified.summary.damaged).not.toBeNull();
  await world.client.call('archive.rescan', {});
  const { archives } = await world.client.call('archive.list', archiveFilter({ limit: 10 }));
  expect(archives).toMatchObject([{ id: stored.id, damaged: verified.damaged }]);
});

test.skipIf(noSmallDisk)(
  'another data folder can choose an archive folder on a read-only disk, and then change to a writable one',
  async () => {
    const { disk, stored } = await storedOnDisk();
    disk.resize('ro');
    const other = await openWorld();
    await chooseRoot(other, disk.root);
    expect(await other.client.call('archive.rescan', {})).toMatchObject({ found: 1, missing: 0 });
    expect(await other.client.call('archive.verify', { archive: stored.sha256, level: 'L1' })).toMatchObject({
      proof: { level: 'L1' },
    });
    const elsewhere = temporaryFolder();
    await chooseRoot(other, elsewhere);
    expect(await other.client.call('settings.show', {})).toMatchObject({ archiveRoot: elsewhere });
  },
);
