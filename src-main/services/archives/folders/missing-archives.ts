/**
 * @file Finds archives of the catalogue whose files are missing although their folder exists, because an older copy of
 * the folder was restored or files were removed.
 */
import { stat } from 'node:fs/promises';
import { errnoOf } from '../../../platform/disk/disk-errors.ts';
import type { IndexedArchive } from '../../../catalogue/archives/archive-rows.ts';
import type { ArchiveIndex } from '../../../catalogue/archives/archive-index.ts';

const pageSize = 500;
const maxParallelChecks = 16;

/**
 * Returns the number of missing archives by folder number. Skips absent folders, and archives whose files the disk
 * cannot check.
 */
export async function countMissingArchives(index: Pick<ArchiveIndex, 'list'>): Promise<Map<number, number>> {
  const missingCounts = new Map<number, number>();
  for (let cursor: string | undefined; ;) {
    const page = index.list({ limit: pageSize, before: cursor });
    const presentArchives = page.filter(({ absent }) => !absent);
    for (let offset = 0; offset < presentArchives.length; offset += maxParallelChecks) {
      const batch = presentArchives.slice(offset, offset + maxParallelChecks);
      const results = await Promise.all(batch.map(isGone));
      for (const [position, { root }] of batch.entries()) {
        if (results[position] === true) missingCounts.set(root, (missingCounts.get(root) ?? 0) + 1);
      }
    }
    cursor = page.at(-1)?.id;
    if (cursor === undefined) return missingCounts;
  }
}

const isGone = ({ absolutePath }: IndexedArchive): Promise<boolean> =>
  stat(absolutePath).then(
    () => false,
    (thrown: unknown) => errnoOf(thrown) === 'ENOENT',
  );

export function missingArchiveNotices(missingCounts: ReadonlyMap<number, number>): string[] {
  const count = [...missingCounts.values()].reduce((sum, number) => sum + number, 0);
  if (count === 0) return [];
  const subject = count === 1 ? '1 archive is' : `${count} archives are`;
  return [
    `${subject} no longer in the archive folder, although the folder exists. ` +
      'Perhaps an older copy of the folder was restored. "packhorse archive rescan" lists the missing archives.',
  ];
}
