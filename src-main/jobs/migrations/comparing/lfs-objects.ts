/**
 * @file Compares LFS objects by their ids, which are the SHA-256 of their contents. The repository refers to them by these
 * ids, so an object with another content is another object. Pure.
 */
import type { MissingRecord } from '../../../../src-contract/transfers/import.ts';

export interface ArchivedLfsObject {
  oid: string;
  /** Null if `lfs-objects.json` lists the object, but the archive does not contain it. */
  bytes: number | null;
}

export interface LfsSides {
  archive: readonly ArchivedLfsObject[];
  /** The ids of the archived objects that the target has; null if it did not answer. */
  target: ReadonlySet<string> | null;
}

export const lfsObjects = 'lfs_objects';

/** The source answers only for ids that it is asked for, so objects that no archive names are known by their total size. */
export function lostLfsObjects({ archive, target }: LfsSides): MissingRecord[] {
  return archive.flatMap(({ oid, bytes }): MissingRecord[] => {
    const place = { relation: lfsObjects, line: null, iid: null, part: null };
    if (bytes === null) return [{ ...place, lost: 'on-export', title: oid }];
    if (target === null || target.has(oid)) return [];
    return [{ ...place, lost: 'on-import', title: `${oid} (${bytes} bytes)` }];
  });
}

export function describeUnknownLfsObjects({ archive, target }: LfsSides): string[] {
  const count = archive.filter(({ bytes }) => bytes !== null).length;
  if (count === 0 || target !== null) return [];
  return [
    `Whether the target has ${count === 1 ? 'the LFS object' : `each of the ${count} LFS objects`} is not known, because its Git server did not answer this account; only their total size was compared.`,
  ];
}
