import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { trashRetentionMs } from '../../../src-main/archive/trash.ts';
import { exportWith } from '../../support/archives/archive-builder.ts';
import { FaultyDisk, type Fault } from '../../support/faults/archive-disk.ts';
import {
  ArchiveRoot,
  expectedPath,
  manifestFields,
  identity,
  storeArchive,
  listArchives,
  receiveArchive,
  withCode,
} from '../../support/archives/archive-root.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let archives: ArchiveRoot;

beforeEach(async () => {
  archives = new ArchiveRoot();
  await storeArchive(archives.storeOn(), exportWith());
  await archives.storeOn().updateState(expectedPath, (state) => ({ ...state, note: 'mine' }));
});

const secondIdentity = { ...identity, receivedAt: identity.receivedAt + 1 };

const discard = (): Promise<boolean> => archives.storeOn().discard(expectedPath, 'Too old');

async function trashed(): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const { path, trashed: why } of archives.storeOn().listTrashed()) found.push({ path, ...why });
  return found;
}

describe('an archive in the trash folder', () => {
  it('is listed with the time and the reason', async () => {
    expect(await trashed()).toEqual([]);
    await discard();
    expect(await trashed()).toEqual([
      { path: expectedPath, at: '2026-11-20T12:00:00.000Z', reason: 'Too old' },
    ]);
  });

  it('is restored as it was, and pinned', async () => {
    const before = archives.files();
    const bytes = readFileSync(join(archives.path, expectedPath));
    await discard();
    await archives.storeOn().restore(expectedPath);
    expect(archives.files()).toEqual(before);
    expect(readFileSync(join(archives.path, expectedPath)).equals(bytes)).toBe(true);
    expect(await archives.storeOn().readState(expectedPath)).toMatchObject({ pinned: true, note: 'mine' });
    expect(await archives.storeOn().verify(expectedPath, 'L2')).toMatchObject({ damaged: null });
    await expect(archives.storeOn().restore(expectedPath)).rejects.toThrow(withCode('archive-missing'));
  });

  it('does not replace another archive at its former path', async () => {
    await discard();
    await storeArchive(archives.storeOn(), exportWith());
    const before = archives.files();
    await expect(archives.storeOn().restore(expectedPath)).rejects.toThrow(withCode('already-exists'));
    expect(archives.files()).toEqual(before);
  });

  it.each(['../x', '/etc/passwd', '.trash/../../x'])(
    'is never restored by a path outside of the folder, such as %s',
    async (path) => {
      await expect(archives.storeOn().restore(path)).rejects.toThrow(withCode('archive-unsafe'));
    },
  );

  it('is deleted permanently after seven days, and not before', async () => {
    await discard();
    archives.clock.jump(trashRetentionMs - 1);
    expect(await archives.storeOn().sweepTrash()).toEqual([]);
    expect(await trashed()).toHaveLength(1);
    archives.clock.jump(1);
    expect(await archives.storeOn().sweepTrash()).toEqual([expectedPath]);
    expect(archives.files()).toEqual([]);
  });

  it('stays if the time of its discard is unknown', async () => {
    await discard();
    writeFileSync(join(archives.path, `.trash/${expectedPath}.reason.txt`), 'Too old\n');
    archives.clock.jump(100 * trashRetentionMs);
    expect(await archives.storeOn().sweepTrash()).toEqual([]);
    expect(await trashed()).toHaveLength(1);
  });

  it('is deleted at once when a user empties the folder, and so is a failed download', async () => {
    await discard();
    const bad = await receiveArchive(archives.storeOn(), exportWith(), secondIdentity);
    await bad.discard({ trashReason: 'The download was cut' });
    archives.clock.jump(100 * trashRetentionMs);
    expect(await archives.storeOn().emptyTrash()).toBeGreaterThan(1_000);
    expect(archives.files()).toEqual([]);
    expect(await archives.storeOn().emptyTrash()).toBe(0);
  });

  it('that was unreadable after its download is never swept', async () => {
    const bad = await receiveArchive(archives.storeOn(), exportWith().subarray(0, 300), secondIdentity);
    await expect(bad.commit(manifestFields)).rejects.toThrow(withCode('archive-corrupt'));
    await bad.discard({ trashReason: 'The download was cut' });
    archives.clock.jump(100 * trashRetentionMs);
    const before = archives.files();
    expect(before.filter((name) => name.startsWith('.trash/'))).toHaveLength(2);
    expect(await archives.storeOn().sweepTrash()).toEqual([]);
    expect(archives.files()).toEqual(before);
  });

  it.each<Fault>(['crash', 'crash after', 'EIO'])(
    'is never lost on a fault (%s) at any disk call of its restore, and is restored when the call is repeated',
    async (fault) => {
      await discard();
      const bytes = exportWith();
      const stored = join(temporaryFolder(), 'held');
      cpSync(archives.path, stored, { recursive: true });
      const counting = new FaultyDisk();
      await archives.storeOn(counting).restore(expectedPath);
      expect(counting.calls.length).toBeGreaterThan(10);
      for (const [index, call] of counting.calls.entries()) {
        await rm(archives.path, { recursive: true });
        cpSync(stored, archives.path, { recursive: true });
        await archives
          .storeOn(new FaultyDisk(fault, index))
          .restore(expectedPath)
          .catch(() => undefined);
        await archives.storeOn().sweep();
        for (const archive of await listArchives(archives.storeOn()))
          expect(archive.missing, call).toBe(false);
        if ((await listArchives(archives.storeOn())).length === 0)
          await archives.storeOn().restore(expectedPath);
        expect(readFileSync(join(archives.path, expectedPath)).equals(bytes), call).toBe(true);
        expect(await archives.storeOn().readState(expectedPath), call).toMatchObject({ pinned: true });
      }
    },
  );
});
