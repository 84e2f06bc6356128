import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { exportWith } from '../../support/archives/archive-builder.ts';
import { FaultyDisk, type Fault } from '../../support/faults/archive-disk.ts';
import {
  ArchiveRoot,
  expectedPath,
  storeArchive,
  listArchives,
  withCode,
} from '../../support/archives/archive-root.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let archives: ArchiveRoot;

beforeEach(() => {
  archives = new ArchiveRoot();
});

describe('discarding an archive', () => {
  const trash = `.trash/${expectedPath}`;
  const trashedFiles = ['', '.manifest.json', '.reason.txt', '.state.json'].map((suffix) => trash + suffix);
  const keepWithState = async (): Promise<void> => {
    await storeArchive(archives.storeOn(), exportWith());
    await archives.storeOn().updateState(expectedPath, (state) => ({ ...state, note: 'mine' }));
  };

  it('moves it and the files beside it to the same path in the trash, with the reason', async () => {
    await keepWithState();
    const bytes = readFileSync(join(archives.path, expectedPath));
    expect(await archives.storeOn().discard(expectedPath, 'Too old')).toBe(true);
    expect(archives.files()).toEqual(trashedFiles);
    expect(readFileSync(join(archives.path, trash)).equals(bytes)).toBe(true);
    expect(readFileSync(join(archives.path, `${trash}.reason.txt`), 'utf8')).toBe(
      'Too old\n2026-11-20T12:00:00.000Z\n',
    );
    expect(await listArchives(archives.storeOn())).toEqual([]);
    expect(await archives.storeOn().trashBytes()).toBe(
      trashedFiles.reduce((sum, name) => sum + statSync(join(archives.path, name)).size, 0),
    );
  });

  it('is undone by moving the files back', async () => {
    await keepWithState();
    await archives.storeOn().discard(expectedPath, 'Too old');
    for (const suffix of ['', '.manifest.json', '.state.json']) {
      await rename(join(archives.path, trash + suffix), join(archives.path, expectedPath + suffix));
    }
    expect(await archives.storeOn().verify(expectedPath, 'L2')).toMatchObject({ proof: { level: 'L2' } });
  });

  it('leaves a pinned archive in its place', async () => {
    await keepWithState();
    await archives.storeOn().updateState(expectedPath, (state) => ({ ...state, pinned: true }));
    const before = archives.files();
    expect(await archives.storeOn().discard(expectedPath, 'Too old')).toBe(false);
    expect(archives.files()).toEqual(before);
  });

  it('leaves an archive in its place if its pin cannot be read', async () => {
    await keepWithState();
    writeFileSync(join(archives.path, `${expectedPath}.state.json`), 'not a state');
    const before = archives.files();
    await expect(archives.storeOn().discard(expectedPath, 'Too old')).rejects.toThrow(
      withCode('manifest-unreadable'),
    );
    expect(archives.files()).toEqual(before);
  });

  it.each<Fault>(['crash', 'crash after', 'EIO'])(
    'loses nothing on a fault (%s) at any disk call, and succeeds when it is repeated',
    async (fault) => {
      await keepWithState();
      const bytes = readFileSync(join(archives.path, expectedPath));
      const stored = join(temporaryFolder(), 'stored');
      cpSync(archives.path, stored, { recursive: true });
      const counting = new FaultyDisk();
      await archives.storeOn(counting).discard(expectedPath, 'Too old');
      expect(counting.calls.length).toBeGreaterThan(15);
      for (const [index, call] of counting.calls.entries()) {
        await rm(archives.path, { recursive: true });
        cpSync(stored, archives.path, { recursive: true });
        await expect(
          archives.storeOn(new FaultyDisk(fault, index)).discard(expectedPath, 'Too old'),
        ).rejects.toThrow();
        await archives.storeOn().sweep();
        for (const archive of await listArchives(archives.storeOn()))
          expect(archive.missing, call).toBe(false);
        expect(await archives.storeOn().discard(expectedPath, 'Too old')).toBe(true);
        // A reason that was not written completely may stay in the trash.
        expect(
          archives.files().filter((name) => !name.endsWith('.part')),
          call,
        ).toEqual(trashedFiles);
        expect(readFileSync(join(archives.path, trash)).equals(bytes), call).toBe(true);
        expect(readFileSync(join(archives.path, `${trash}.reason.txt`), 'utf8')).toBe(
          'Too old\n2026-11-20T12:00:00.000Z\n',
        );
      }
    },
  );
});
