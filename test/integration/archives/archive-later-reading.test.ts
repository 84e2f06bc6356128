/** @file The same bytes are read again, and the reader finds more than the one that stored the archive. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Manifest, ProjectCounts } from '../../../src-contract/archives/archive.ts';
import { manifestSchema, stateFileSchema } from '../../../src-contract/archives/archive-schema.ts';
import { countedRelations } from '../../../src-contract/relations.ts';
import { serializeSidecar } from '../../../src-main/archive/sidecar.ts';
import { exportWith, member } from '../../support/archives/archive-builder.ts';
import { ArchiveRoot, expectedPath, storeArchive } from '../../support/archives/archive-root.ts';
import { planDraft } from '../../support/jobs/plan-draft.ts';
import { ShiftedClock } from '../../support/clocks/shifted-clock.ts';
import { archiveFilter } from '../../support/requests.ts';
import { ended, openTestSandbox, openWorld, register } from '../../support/world.ts';

const day = 86_400_000;
const issues = './tree/project/issues.ndjson';
const upload = './uploads/0123456789abcdef0123456789abcdef/a.png';
/** An archive of the size of a sandbox export, because retention notices an archive that shrank. */
const unusableExport = exportWith({
  [issues]: member({ name: issues, content: '{"title":\n' }),
  [upload]: member({ name: upload, content: randomBytes(8_000) }),
});
const manifestOf = (path: string): Manifest =>
  manifestSchema.parse(JSON.parse(readFileSync(`${path}.manifest.json`, 'utf8')));
const stateOf = (path: string) =>
  stateFileSchema.parse(JSON.parse(readFileSync(`${path}.state.json`, 'utf8')));

/** Replaces an archive, and leaves its manifest as a reader wrote it that found nothing wrong with these bytes. */
function storeOverestimated(path: string, bytes: Buffer, change: Partial<Manifest> = {}): void {
  const manifest = manifestOf(path);
  const found = { sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  const inspection = { ...manifest.inspection, ...found };
  writeFileSync(path, bytes);
  writeFileSync(
    `${path}.manifest.json`,
    serializeSidecar({ ...manifest, ...found, inspection, ...change } satisfies Manifest),
  );
}

/** Ends waits of a minute or more at once. */
class ShortWaitClock extends ShiftedClock {
  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return super.sleep(ms >= 60_000 ? 20 : ms, signal);
  }
}

const counts = {
  ...(Object.fromEntries(countedRelations.map((name) => [name, null])) as ProjectCounts),
  issues: 3,
};
const counted = { at: '2026-11-20T09:00:00.000Z', counts, lastActivityAt: null };

test.each([
  ['unusable', unusableExport, {}, ['L1'], 'unusable'],
  ['incomplete', exportWith(), { sourceCounts: { before: counted, after: counted } }, ['L2'], 'sound'],
  [
    'suspicious',
    exportWith({ './link': member({ name: './link', type: '2', linkName: '/etc/passwd' }) }),
    {},
    ['L2'],
    'suspicious',
  ],
] as const)(
  'a reading that finds an archive %s is stored, and removes stronger proofs',
  async (_, bytes, change, levels, verdict) => {
    const archives = new ArchiveRoot();
    const store = archives.storeOn();
    await storeArchive(store, exportWith());
    const path = join(archives.path, expectedPath);
    storeOverestimated(path, bytes, change);
    const imported = {
      level: 'L3',
      at: '2026-11-20T10:00:00.000Z',
      detail: null,
      contentsCompared: true,
    } as const;
    const read = { level: 'L2', at: '2026-11-20T09:30:00.000Z', detail: null } as const;
    await store.updateState(expectedPath, (state) => ({ ...state, proofs: [read, imported] }));
    await store.verify(expectedPath, 'L2');
    const { laterReading, proofs, damaged } = stateOf(path);
    expect({ damaged, verdict: laterReading?.verdict }).toEqual({ damaged: null, verdict });
    expect(proofs.map((proof) => proof.level)).toEqual(levels);
    // A comparison of the bytes changes nothing about what was read.
    await store.verify(expectedPath, 'L1');
    expect(stateOf(path).laterReading).toEqual(laterReading);
  },
);

test('a reading that confirms the manifest ends an earlier, worse one, and one of changed bytes ends nothing', async () => {
  const archives = new ArchiveRoot();
  const store = archives.storeOn();
  await storeArchive(store, exportWith());
  const path = join(archives.path, expectedPath);
  const laterReading = { at: '2026-11-20T09:30:00.000Z', verdict: 'unusable', findings: [] } as const;
  const damaged = { at: '2026-11-20T09:30:00.000Z', reason: 'gone' };
  await store.updateState(expectedPath, (state) => ({
    ...state,
    damaged,
    laterReading: { ...laterReading, findings: [] },
  }));
  const good = readFileSync(path);
  writeFileSync(path, unusableExport);
  await store.verify(expectedPath, 'L2');
  expect(stateOf(path)).toMatchObject({
    laterReading,
    damaged: { reason: expect.stringMatching('bytes') as unknown },
  });
  writeFileSync(path, good);
  await store.verify(expectedPath, 'L2');
  expect(stateOf(path)).toMatchObject({ damaged: null, proofs: [{ level: 'L2' }] });
  expect(stateOf(path).laterReading).toBeUndefined();
});

const projectPath = 'atlas/compass';

test('the project of an archive that a later reading found unusable is backed up again, and the better archive stays', async () => {
  const clock = new ShortWaitClock(Date.now());
  const sandbox = await openTestSandbox({ projectCount: 1 });
  sandbox.state.change(projectPath, { lastActivityAt: Date.now() - 2 * day });
  const world = await openWorld({ clock });
  await register(world, 'work', sandbox);
  await world.client.call('instance.refresh', { name: 'work', visible: false });
  const { plan } = await world.client.call(
    'plan.save',
    planDraft({ keepLast: 1, skipUnchanged: false, enabled: false }),
  );
  const run = async (id: string): Promise<void> => {
    await ended(world, (await world.client.call('plan.run', { id })).runId);
  };
  const storedArchives = async () =>
    (await world.client.call('archive.list', archiveFilter({ limit: 9 }))).archives;
  const status = async () => (await world.client.call('overview.show', {})).instances[0]?.statusCounts;
  await run(plan.id);
  const [older] = await storedArchives();
  await world.client.call('archive.setPinned', { archive: older?.id ?? '', pinned: true, note: null });
  await run(plan.id);
  await world.client.call('archive.setPinned', { archive: older?.id ?? '', pinned: false, note: null });
  const [newest] = await storedArchives();
  const path = newest?.absolutePath ?? '';
  storeOverestimated(path, unusableExport);
  await world.client.call('archive.rescan', {});
  expect(await storedArchives()).toMatchObject([{ condition: 'complete' }, { condition: 'complete' }]);
  expect(await status()).toMatchObject({ current: 1 });
  const { id, retention } = plan;
  expect(await world.client.call('plan.prunePreview', { id, retention })).toMatchObject({ removedCount: 1 });

  const found = new Promise((resolve) => {
    const end = world.app.subscribe((name, payload) => {
      if (name !== 'archive.damaged' && name !== 'archive.downgraded') return;
      end();
      resolve([name, payload]);
    });
  });
  clock.step(25 * day);
  world.app.startSchedule();
  expect(await found).toMatchObject(['archive.downgraded', { archiveId: newest?.id }]);
  const known = [
    { id: newest?.id, condition: 'unusable', damaged: null, proof: { level: 'L1' } },
    { id: older?.id, condition: 'complete' },
  ];
  expect(await storedArchives()).toMatchObject(known);
  expect(await status()).toMatchObject({ current: 0, damaged: 1 });
  expect((await world.client.call('overview.show', {})).attention).toContainEqual(
    expect.objectContaining({ kind: 'archive-damaged', archiveId: newest?.id, unusable: true }),
  );
  expect(await world.client.call('plan.prunePreview', { id, retention })).toMatchObject({ removedCount: 0 });
  await world.client.call('archive.rescan', {});
  expect(await storedArchives()).toMatchObject(known);
  writeFileSync(`${path}.state.json`, '{"pinned":');
  await world.client.call('archive.rescan', {});
  expect(await storedArchives()).toMatchObject(known);
  rmSync(`${path}.state.json`);
});
