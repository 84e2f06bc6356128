/**
 * @file Small files that must never be half there: temporary name, flush, rename, flush the folder. For settings and
 * copies of the catalogue; the archive store has its own, which streams.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Replaces the file at `path` with `text`, mode 0600. When it throws, the old file is untouched. */
export function writeFileAtomically(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.part`;
  try {
    writeFileSync(temporary, text, { mode: 0o600 });
    commitFile(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Gives a finished file its name, so that after a power cut it is whole or not there. Both must be in one folder. */
export function commitFile(temporary: string, path: string): void {
  const file = openSync(temporary, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  flushFolder(dirname(path));
}

function flushFolder(path: string): void {
  // Windows cannot open folders; its file systems write the change of a name in order by themselves.
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
