/** @file A real folder for one test, removed when the test ends. */
import { mkdtempSync, realpathSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The file system in memory that Linux has. */
const memoryFolder = '/dev/shm';
const neededBytes = 4 * 1024 ** 3;

/**
 * Returns the absolute path, without symbolic links, of a new empty folder. The folder is in memory if there is room,
 * because each change of a catalogue would wait for the disk. Call it inside a test or a `beforeEach`.
 */
export function temporaryFolder(): string {
  return folderIn(hasMemoryFolder() ? memoryFolder : tmpdir());
}

/** Returns such a folder on the disk, for tests about the disk. */
export function folderOnDisk(): string {
  return folderIn(tmpdir());
}

function hasMemoryFolder(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder);
    return bavail * bsize >= neededBytes;
  } catch {
    return false;
  }
}

function folderIn(parent: string): string {
  const folder = realpathSync(mkdtempSync(join(parent, 'packhorse-')));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  return folder;
}
