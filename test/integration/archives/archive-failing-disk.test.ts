import { readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Disk } from '../../../src-main/platform/disk/disk.ts';
import { exportWith } from '../../support/archives/archive-builder.ts';
import { FaultyDisk, type Fault } from '../../support/faults/archive-disk.ts';
import {
  ArchiveRoot,
  expectedPath,
  manifestFields,
  identity,
  listArchives,
  withoutRandomPart,
  withCode,
} from '../../support/archives/archive-root.ts';

let archives: ArchiveRoot;

beforeEach(() => {
  archives = new ArchiveRoot();
});

describe('a failing disk', () => {
  const codes: Partial<Record<Fault, string>> = {
    ENOSPC: 'disk-full',
    EIO: 'disk-failed',
    EACCES: 'disk-denied',
  };
  const folder = (): string => join(archives.path, 'gitlab.example.com/group/app');

  /** Stores one archive in existing folders, and discards it after any failure, like a job. */
  async function attempt(disk: Disk): Promise<void> {
    await mkdir(folder(), { recursive: true });
    const pending = await archives.storeOn(disk).createPending(identity);
    try {
      await pending.write(exportWith());
      await pending.finish();
      await pending.commit(manifestFields);
    } catch (error) {
      await pending.discard().catch(() => undefined);
      throw error;
    }
  }

  async function callsOfOneBackup(): Promise<string[]> {
    const disk = new FaultyDisk();
    await attempt(disk);
    await rm(folder(), { recursive: true });
    return disk.calls;
  }

  it.each<Fault>(['ENOSPC', 'EIO'])(
    'with %s at any call ends in its own error and leaves no file',
    async (fault) => {
      const calls = await callsOfOneBackup();
      expect(calls.length).toBeGreaterThan(15);
      for (const [index, call] of calls.entries()) {
        const disk = new FaultyDisk(fault, index);
        await expect(attempt(disk), call).rejects.toThrow(withCode(codes[fault] ?? ''));
        expect(archives.files(), call).toEqual([]);
        // After a failed flush nothing is flushed again: the second flush would succeed without writing.
        const later = disk.calls.slice(index + 1);
        if (call.startsWith('flush'))
          expect(
            later.filter((name) => /^(?:flush|rename)/.test(name)),
            call,
          ).toEqual([]);
      }
    },
  );

  it('that denies a call is reported differently from a disk that fails', async () => {
    await expect(attempt(new FaultyDisk('EACCES', 0))).rejects.toThrow(withCode('disk-denied'));
  });

  it('that writes only half of the bytes at a time still gets all of them', async () => {
    const calls = await callsOfOneBackup();
    for (const [index, call] of calls.entries()) {
      if (!call.startsWith('write')) continue;
      await attempt(new FaultyDisk('short write', index));
      const bytes = readFileSync(join(archives.path, expectedPath));
      expect(bytes.equals(exportWith())).toBe(true);
      expect(await archives.storeOn().readManifest(expectedPath)).toMatchObject({ sizeBytes: bytes.length });
      await rm(folder(), { recursive: true });
    }
  });

  it.each<Fault>(['crash', 'crash after'])(
    'with a fault (%s) at any call leaves a complete archive or none',
    async (fault) => {
      const calls = await callsOfOneBackup();
      const survived: string[] = [];
      for (const [index, call] of calls.entries()) {
        await attempt(new FaultyDisk(fault, index)).catch(() => undefined);
        const reopened = archives.storeOn();
        await reopened.sweep();
        const found = await listArchives(reopened);
        const remaining = archives.files().filter((name) => !name.startsWith('.trash/'));
        if (found.length === 0) expect(remaining, call).toEqual([]);
        else {
          survived.push(call);
          expect(remaining, call).toEqual([expectedPath, `${expectedPath}.manifest.json`]);
          expect(await reopened.verify(expectedPath, 'L1'), call).toMatchObject({ damaged: null });
        }
        await rm(archives.path, { recursive: true });
      }
      // The archive exists only after a crash that follows the rename of its manifest.
      expect(survived).toEqual(calls.slice(fault === 'crash' ? -1 : -2));
    },
  );

  it('can end an attempt anywhere, and the same identity can be tried again at once', async () => {
    const calls = await callsOfOneBackup();
    const left = new Set<string>();
    // The last call follows the rename of the manifest, after which the archive exists.
    for (const [index, call] of calls.slice(0, -1).entries()) {
      await expect(attempt(new FaultyDisk('crash', index)), call).rejects.toThrow();
      left.add(withoutRandomPart(archives.files()).join(' '));
      await attempt(new FaultyDisk());
      expect(await listArchives(archives.storeOn()), call).toHaveLength(1);
      await rm(archives.path, { recursive: true });
    }
    const [part, manifestPart] = [`${expectedPath}.part`, `${expectedPath}.manifest.json.part`];
    expect([...left]).toEqual(['', part, expectedPath, `${expectedPath} ${manifestPart}`]);
  });
});
