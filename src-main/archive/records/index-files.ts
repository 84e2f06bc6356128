/**
 * @file The folder of record indexes: one file for each archive, named by the SHA-256 of its bytes. They are derived
 * and may be deleted at any time; no code may depend on one. They are written without flushing: damage by a power cut
 * is detected when an index is opened.
 */
import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from '../folders.ts';

/** Name of the folder within the data folder. */
export const recordIndexFolder = 'record-indexes';

const suffix = '.records';
const indexNamePattern = new RegExp(`^([0-9a-f]{64})\\${suffix}$`);
const temporaryNamePattern = /^[0-9a-f]{16}\.part$/;

export const indexFile = (folder: string, sha256: string): string => join(folder, `${sha256}${suffix}`);

/** Returns the temporary name of an index while it is written. */
export const temporaryIndexFile = (folder: string): string =>
  join(folder, `${randomBytes(8).toString('hex')}.part`);

/** Returns whether there is an index file for that archive. Only opening it shows whether it is usable. */
export const hasRecordIndex = (folder: string, sha256: string): Promise<boolean> =>
  exists(indexFile(folder, sha256));

/** Removes the index of an archive. A missing one, or one that cannot be removed, is no error. */
export async function removeRecordIndex(folder: string, sha256: string): Promise<void> {
  await rm(indexFile(folder, sha256), { force: true }).catch(() => undefined);
}

/** Removes unfinished indexes, and indexes of archives for which `hasArchive` is false. @returns names of the files. */
export async function sweepRecordIndexes(
  folder: string,
  hasArchive: (sha256: string) => boolean,
): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const obsoleteNames = names.filter((name) => {
    const sha256 = indexNamePattern.exec(name)?.[1];
    return sha256 === undefined ? temporaryNamePattern.test(name) : !hasArchive(sha256);
  });
  for (const name of obsoleteNames) await rm(join(folder, name), { force: true }).catch(() => undefined);
  return obsoleteNames;
}
