/** @file Creates folders with mode 0700, for the owner only. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Creates the folder and its missing parents. Node's option `recursive` would hang on a path below `/proc`. */
export function makePrivateFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makePrivateFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
