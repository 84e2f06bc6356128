/** @file A real folder for one test, removed when the test ends. */
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Absolute path, free of symbolic links, of a fresh empty folder. Call it inside a test or a `beforeEach`. */
export function temporaryFolder(): string {
  return folderIn(tmpdir());
}

/** The same in memory where the system has such a place: for tests that write very often and are not about the disk. */
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
