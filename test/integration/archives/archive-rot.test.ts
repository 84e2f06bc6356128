/** @file Bits flip on the disk unnoticed. The hash reveals every flip, and the app reports it. */
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openArchiveStore } from '../../../src-main/archive/store.ts';
import { trashRetentionMs } from '../../../src-main/archive/trash.ts';
import { verifyArchive } from '../../../src-main/archive/verify.ts';
import { SettingsStore } from '../../../src-main/platform/settings.ts';
import { stateFileSchema } from '../../../src-contract/archives/archive-schema.ts';
import { exportWith } from '../../support/archives/archive-builder.ts';
import {
  ArchiveRoot,
  expectedPath,
  manifestFields,
  storeArchive,
  receiveArchive,
} from '../../support/archives/archive-root.ts';
import { instanceOf } from '../../support/jobs/plan-harness.ts';
import { planDraft } from '../../support/jobs/plan-draft.ts';
import { ShiftedClock } from '../../support/clocks/shifted-clock.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openWorld, type World } from '../../support/world.ts';
import { archiveFilter } from '../../support/requests.ts';

function flipBit(path: string, bit: number): void {
  const file = openSync(path, 'r+');
  try {
    const byte = Buffer.alloc(1);
    readSync(file, byte, 0, 1, bit >> 3);
    writeSync(file, Buffer.from([(byte[0] ?? 0) ^ (1 << (bit & 7))]), 0, 1, bit >> 3);
  } finally {
    closeSync(file);
  }
}

describe('one flipped bit', () => {
  it('is found by the hash anywhere in an archive, and an archive without it is not reported as damaged', async () => {
    const archives = new ArchiveRoot();
    const manifest = await storeArchive(archives.storeOn(), exportWith());
    const path = join(archives.path, expectedPath);
    const bits = statSync(path).size * 8;
    const findDamage = async (): Promise<string | null> =>
      (await verifyArchive(path, manifest, 'L1', {})).damage;
    const flips = 200;
    // The first and the last bit are included.
    const places = Array.from({ length: flips }, (_, at) => Math.round((at * (bits - 1)) / (flips - 1)));
    const missed: number[] = [];
    for (const bit of places) {
      flipBit(path, bit);
      if (!/SHA-256/.test((await findDamage()) ?? '')) missed.push(bit);
      flipBit(path, bit);
    }
    expect(missed).toEqual([]);
    expect(await findDamage()).toBeNull();
  });
});

/** Ends waits of a minute or more at once. */
class ShortWaitClock extends ShiftedClock {
  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return super.sleep(ms >= 60_000 ? 20 : ms, signal);
  }
}

const now = Date.UTC(2026, 10, 20, 12);
const day = 86_400_000;
const instanceUrl = 'https://gitlab.example';

describe('a long-running host', () => {
  let dataDir: string;
  let clock: ShortWaitClock;
  let world: World;

  beforeEach(async () => {
    dataDir = temporaryFolder();
    clock = new ShortWaitClock(now);
    const settings = new SettingsStore(join(dataDir, 'settings.json'), clock);
    await settings.change((before) => ({ ...before, instances: [instanceOf('work')] }));
    for (const days of [2, 3]) {
      const at = now - days * day;
      const archives = openArchiveStore({ root: join(dataDir, 'archives'), clock: new SteppedClock(at) });
      const identity = { instanceUrl, fullPath: 'group/app', projectId: 12, receivedAt: at };
      const pending = await receiveArchive(archives, exportWith(), identity);
      await pending.commit({
        ...manifestFields,
        instance: { name: 'work', url: instanceUrl, username: 'ada' },
      });
      const proof = { level: 'L2', at: new Date(at).toISOString(), detail: null } as const;
      await archives.updateState(pending.path, (state) => ({ ...state, proofs: [proof] }));
    }
    world = await openWorld({ dataDir, clock });
    await world.client.call('archive.rescan', {});
  });

  const storedArchives = async () =>
    (await world.client.call('archive.list', archiveFilter({ limit: 9 }))).archives;

  const nextEvent = (event: string): Promise<unknown> =>
    new Promise((resolve) => {
      const end = world.app.subscribe((name, payload) => {
        if (name !== event) return;
        end();
        resolve(payload);
      });
    });

  it('finds a flipped bit the next day, reports its archive, and keeps older archives until the archive is intact again', async () => {
    const [newest] = await storedArchives();
    const path = newest?.absolutePath ?? '';
    flipBit(path, 3_001);
    const { plan } = await world.client.call('plan.save', planDraft({ keepLast: 1, enabled: false }));
    const found = nextEvent('archive.damaged');
    world.app.startSchedule();
    expect(await found).toMatchObject({ archiveId: newest?.id });
    const reason = 'The content differs from what was stored (SHA-256)';
    expect(await storedArchives()).toMatchObject([
      { id: newest?.id, damaged: { reason } },
      { damaged: null },
    ]);
    expect(stateFileSchema.parse(JSON.parse(readFileSync(`${path}.state.json`, 'utf8')))).toMatchObject({
      damaged: { reason },
    });
    const { attention } = await world.client.call('overview.show', {});
    expect(attention).toContainEqual({
      kind: 'archive-damaged',
      archiveId: newest?.id,
      instance: 'work',
      project: 'group/app',
      reason,
    });
    const { retention, id } = plan;
    expect(await world.client.call('plan.prunePreview', { id, retention })).toMatchObject({
      removedCount: 0,
    });

    flipBit(path, 3_001);
    const changed = nextEvent('archive.changed');
    clock.step(day);
    expect(await changed).toMatchObject({ archiveId: newest?.id });
    expect(await storedArchives()).toMatchObject([{ damaged: null }, { damaged: null }]);
    expect(await world.client.call('plan.prunePreview', { id, retention })).toMatchObject({
      removedCount: 1,
    });
  });

  it('finds and remembers the damage of an archive whose state file is unreadable', async () => {
    const [newest] = await storedArchives();
    const path = newest?.absolutePath ?? '';
    await world.client.call('archive.setPinned', { archive: path, pinned: true, note: null });
    writeFileSync(`${path}.state.json`, '{"pinned":');
    flipBit(path, 3_001);
    const found = nextEvent('archive.damaged');
    world.app.startSchedule();
    expect(await found).toMatchObject({ archiveId: newest?.id });
    const reason = 'The content differs from what was stored (SHA-256)';
    const known = [
      { id: newest?.id, damaged: { reason }, pinned: true, proof: { level: 'L2' } },
      { damaged: null },
    ];
    expect(await storedArchives()).toMatchObject(known);
    expect(await world.client.call('archive.verify', { archive: path, level: 'L1' })).toMatchObject({
      proof: null,
      damaged: { reason },
      unrecorded: { code: 'manifest-unreadable' },
    });
    const { unreadable } = await world.client.call('archive.rescan', {});
    expect(unreadable).toMatchObject([{ error: { code: 'manifest-unreadable' } }]);
    expect(await storedArchives()).toMatchObject(known);
  });

  it('remembers damage at a rescan although the state file does not contain it, until the bytes are compared again', async () => {
    const [newest] = await storedArchives();
    const path = newest?.absolutePath ?? '';
    await world.client.call('archive.setPinned', { archive: path, pinned: true, note: null });
    const stateFile = `${path}.state.json`;
    const earlierState = readFileSync(stateFile, 'utf8');
    writeFileSync(stateFile, '{"pinned":');
    flipBit(path, 3_001);
    await world.client.call('archive.verify', { archive: path, level: 'L1' });
    const reason = 'The content differs from what was stored (SHA-256)';
    const known = [
      { id: newest?.id, damaged: { reason }, pinned: true, proof: { level: 'L2' } },
      { damaged: null },
    ];

    rmSync(stateFile);
    await world.client.call('archive.rescan', {});
    expect(await storedArchives()).toMatchObject(known);
    writeFileSync(stateFile, earlierState);
    await world.client.call('archive.rescan', {});
    expect(await storedArchives()).toMatchObject(known);

    flipBit(path, 3_001);
    const proof = { level: 'L1', at: new Date(now + day).toISOString(), detail: null };
    const state = stateFileSchema.parse(JSON.parse(earlierState));
    writeFileSync(stateFile, JSON.stringify({ ...state, proofs: [...state.proofs, proof] }));
    await world.client.call('archive.rescan', {});
    expect(await storedArchives()).toMatchObject([{ damaged: null }, { damaged: null }]);
  });

  it('forgets at a rescan that an archive was absent or its manifest unreadable, even without a state file', async () => {
    const [newest] = await storedArchives();
    const path = newest?.absolutePath ?? '';
    const manifest = readFileSync(`${path}.manifest.json`, 'utf8');
    rmSync(`${path}.state.json`);
    const rescan = async () => {
      await world.client.call('archive.rescan', {});
      return (await storedArchives())[0]?.damaged;
    };
    renameSync(path, `${path}.away`);
    expect(await rescan()).toMatchObject({ reason: 'The file is missing' });
    rmSync(`${path}.manifest.json`);
    expect(await rescan()).toMatchObject({ reason: 'The file is no longer in the store.' });
    renameSync(`${path}.away`, path);
    writeFileSync(`${path}.manifest.json`, '{');
    expect(await rescan()).toMatchObject({
      reason: 'The archive cannot be used: A file beside an archive cannot be read.',
    });
    writeFileSync(`${path}.manifest.json`, manifest);
    expect(await rescan()).toBeNull();
  });

  it('keeps the pin and the proof of an archive whose state file is absent or unreadable when it is verified', async () => {
    const [newest] = await storedArchives();
    const path = newest?.absolutePath ?? '';
    await world.client.call('archive.setPinned', { archive: path, pinned: true, note: null });
    const stateFile = `${path}.state.json`;
    const known = { id: newest?.id, damaged: null, pinned: true, proof: { level: 'L2' } };

    writeFileSync(stateFile, '{"pinned":');
    expect(await world.client.call('archive.verify', { archive: path, level: 'L1' })).toMatchObject({
      summary: known,
      proof: { level: 'L1' },
      unrecorded: { code: 'manifest-unreadable' },
    });
    rmSync(stateFile);
    expect(await world.client.call('archive.verify', { archive: path, level: 'L1' })).toMatchObject({
      summary: known,
      proof: { level: 'L1' },
    });
    await world.client.call('archive.rescan', {});
    expect((await storedArchives())[0]).toMatchObject(known);
  });

  it('keeps the proof of an archive whose state file is absent when it is pinned', async () => {
    const [newest] = await storedArchives();
    const path = newest?.absolutePath ?? '';
    const stateFile = `${path}.state.json`;
    rmSync(stateFile);
    await world.client.call('archive.setPinned', { archive: path, pinned: true, note: null });
    expect(stateFileSchema.parse(JSON.parse(readFileSync(stateFile, 'utf8')))).toMatchObject({
      pinned: true,
      proofs: [{ level: 'L2' }],
    });
  });

  it('permanently deletes archives that were pruned more than seven days ago', async () => {
    const { plan } = await world.client.call('plan.save', planDraft({ keepLast: 1, enabled: false }));
    const oldest = (await storedArchives()).at(-1);
    await world.client.call('archive.prune', { planId: plan.id, shown: [oldest?.id ?? ''] });
    const [trashed] = (await world.client.call('archive.trash', {})).archives;
    expect(existsSync(trashed?.absolutePath ?? '')).toBe(true);
    clock.step(trashRetentionMs);
    const [newest] = await storedArchives();
    flipBit(newest?.absolutePath ?? '', 9);
    const found = nextEvent('archive.damaged');
    world.app.startSchedule();
    await found;
    expect(await world.client.call('archive.trash', {})).toEqual({ archives: [], bytes: 0 });
  });
});
