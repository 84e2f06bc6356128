/** @file A folder on disk that is a root of archives: the marker file that identifies it, and checks of the folder. */
import { statSync, writeFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { AppError } from '../../../../src-contract/errors.ts';
import { diskError, errnoOf, isUnwritableError } from '../../../platform/disk/disk-errors.ts';
import { filesBelow } from '../../../archive/folders.ts';
import { manifestSuffix } from '../../../archive/names.ts';

/** The name of a file in every root. An empty mount point does not contain it. */
export const marker = '.packhorse-root';

/**
 * Writes the marker file. Throws `invalid-input` for a folder in which no file can be created, and the errors of the disk. A
 * folder that already has the file may be read-only: its archives can be read, and storing a new archive fails.
 */
export function markRoot(folder: string): void {
  try {
    // The file is written in place: a half-written file is enough, and a crash leaves no temporary file behind.
    writeFileSync(
      join(folder, marker),
      'Packhorse keeps archives here and knows the folder by this file.\n',
      { mode: 0o600, flush: true },
    );
  } catch (error) {
    // The folder is there: the error is about a file in it, not about an absent disk.
    if (errnoOf(error) === 'ENOENT') {
      throw new AppError(
        'invalid-input',
        `Archives cannot be stored in ${folder}: no file can be created in it.`,
      );
    }
    const isMarked = statSync(join(folder, marker), { throwIfNoEntry: false })?.isFile() === true;
    if (isMarked && isUnwritableError(diskError(error, folder))) return;
    throw diskError(error, folder);
  }
}

export async function holdsArchives(folder: string): Promise<boolean> {
  try {
    for await (const path of filesBelow(folder)) if (path.endsWith(manifestSuffix)) return true;
  } catch {
    // An unreadable folder counts as one without archives.
  }
  return false;
}

/** Returns the free bytes of the folder, or of the nearest existing folder above it; null if unknown. */
export async function freeBytesAt(path: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch {
    return dirname(path) === path ? null : freeBytesAt(dirname(path));
  }
}

export function isWithin(inner: string, outer: string): boolean {
  return `${inner}${sep}`.startsWith(outer.endsWith(sep) ? outer : `${outer}${sep}`);
}
