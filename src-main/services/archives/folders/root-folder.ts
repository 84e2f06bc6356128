/** @file One folder of the disk as a root of archives: the mark that identifies it, and checks of the folder. */
import { statSync, writeFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { AppError } from '../../../../src-contract/errors.ts';
import { diskError, errnoOf, isUnwritableError } from '../../../platform/disk/disk-errors.ts';
import { filesBelow } from '../../../archive/folders.ts';
import { manifestSuffix } from '../../../archive/names.ts';

/** A file in every root: an empty mount point does not have it. */
export const marker = '.packhorse-root';

/**
 * Throws `invalid-input` for a folder in which no file can be made, and the errors of the disk. A marked folder may be one
 * that can only be read: its archives are read, and new ones are refused when they come.
 */
export function markRoot(folder: string): void {
  try {
    // Only the name of the mark matters, so a half-written one is as good; a crash would leave a temporary file over.
    writeFileSync(
      join(folder, marker),
      'Packhorse keeps archives here and knows the folder by this file.\n',
      { mode: 0o600, flush: true },
    );
  } catch (error) {
    // The folder is there: the error is about a file in it, not about an absent disk.
    if (errnoOf(error) === 'ENOENT') {
      throw new AppError('invalid-input', `Archives cannot be kept in ${folder}: no file can be made in it.`);
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

/** Bytes that are free in the folder, or in the nearest existing folder above it; null where that is unknown. */
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
