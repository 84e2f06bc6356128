/**
 * @file The folder of record indexes: one file for each archive, named by the SHA-256 of its bytes. They are derived and may be
 * deleted at any time; nothing may depend on one being there. Written without flushing: what a power cut leaves is found out.
 */
import { randomBytes } from 'node:crypto';
import { access, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Name of the folder within the data folder. */
export const recordIndexFolder = 'record-indexes';

const suffix = '.records';
const ownName = new RegExp(`^([0-9a-f]{64})\\${suffix}$`);
const ownPart = /^[0-9a-f]{16}\.part$/;

export const indexFile = (folder: string, sha256: string): string => join(folder, `${sha256}${suffix}`);

/** Where an index is written until it is whole. */
export const newIndexPart = (folder: string): string =>
  join(folder, `${randomBytes(8).toString('hex')}.part`);

/** Whether there is a file for that archive; whether it can be used shows when it is opened. */
export function hasRecordIndex(folder: string, sha256: string): Promise<boolean> {
  return access(indexFile(folder, sha256)).then(
    () => true,
    () => false,
  );
}

/** Removes the index of an archive; one that is missing is no error, nor is one that cannot be removed. */
export async function removeRecordIndex(folder: string, sha256: string): Promise<void> {
  await rm(indexFile(folder, sha256), { force: true }).catch(() => undefined);
}

/** Removes indexes of archives that `isHeld` does not know, and what was left half written. @returns names of the files. */
export async function sweepRecordIndexes(
  folder: string,
  isHeld: (sha256: string) => boolean,
): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const removed = names.filter((name) => {
    const sha256 = ownName.exec(name)?.[1];
    return sha256 === undefined ? ownPart.test(name) : !isHeld(sha256);
  });
  for (const name of removed) await rm(join(folder, name), { force: true }).catch(() => undefined);
  return removed;
}
