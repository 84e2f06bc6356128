/** @file A real folder for one test, removed when the test ends. */
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * Returns the absolute path, without symbolic links, of a new empty folder. Call it inside a test or a `beforeEach`.
 */
export function temporaryFolder(): string {
  return folderIn(tmpdir());
}

/** Returns such a folder in memory if the system has one: for tests that write very often and do not test the disk. */
export function folderInMemory(): string {
  return folderIn(existsSync('/dev/shm') ? '/dev/shm' : tmpdir());
}

function folderIn(parent: string): string {
  const folder = realpathSync(mkdtempSync(join(parent, 'packhorse-')));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  return folder;
}
