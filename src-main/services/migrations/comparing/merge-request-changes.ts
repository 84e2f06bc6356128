/**
 * @file Checks whether the changes of merge requests were transferred. No list shows it, so each costs a request, and of many
 * only some are asked: the target about those with changes in the archive, the source about those without.
 */
import type { MissingRecord } from '../../../../src-contract/transfers/import.ts';
import type { ArchivedRecord, Identified } from '../../../jobs/migrations/comparing/naming-losses.ts';

const maxAsked = 20;

export interface ChangesSide {
  /** Its merge requests; null where they may not be listed. */
  listed: readonly Identified[] | null;
  /** Returns how many files a merge request changes, as GitLab words it; null where it shows no number. */
  count(iid: number): Promise<string | null>;
}

export interface ArchivedChanges {
  records: readonly ArchivedRecord[];
  /** Files that a merge request changes, by its line; none: 0. */
  changedFileCounts: ReadonlyMap<number, number>;
  /** Whether GitLab recorded the number for that record: where it did not, an import has no number to show. */
  hasChangesCount: (line: number) => Promise<boolean>;
}

export interface LostChanges {
  missing: MissingRecord[];
  uncheckedCount: number;
}

/** Returns the merge requests with changes in the archive that have none on the target. */
export async function changesLostOnImport(
  { records, changedFileCounts, hasChangesCount }: ArchivedChanges,
  target: ChangesSide,
): Promise<LostChanges> {
  const arrived = byIid(target.listed);
  const changing = records.filter(({ line, iid }) => changedFileCounts.has(line) && arrived.has(iid ?? -1));
  const missing: MissingRecord[] = [];
  for (const record of some(changing)) {
    if ((await target.count(record.iid ?? 0)) !== null || !(await hasChangesCount(record.line))) continue;
    missing.push(lost(record, 'on-import', changedFileCounts.get(record.line) ?? 0));
  }
  return { missing, uncheckedCount: unaskedOf(changing) };
}

/**
 * Returns merge requests without changes in the archive that have some on the source. @param exportedAt epoch milliseconds
 * by the clock of the source: merge requests changed there since then are no evidence.
 */
export async function changesLostOnExport(
  source: ChangesSide,
  { records, changedFileCounts }: ArchivedChanges,
  exportedAt: number,
): Promise<LostChanges> {
  const before = byIid(source.listed);
  const empty = records.filter(({ line, iid }) => {
    const updatedAt = before.get(iid ?? -1)?.updatedAt ?? null;
    return !changedFileCounts.has(line) && updatedAt !== null && updatedAt < exportedAt;
  });
  const missing: MissingRecord[] = [];
  for (const record of some(empty)) {
    const count = parseInt((await source.count(record.iid ?? 0)) ?? '0');
    if (count > 0) missing.push(lost(record, 'on-export', count));
  }
  return { missing, uncheckedCount: unaskedOf(empty) };
}

export function describeUnchecked(uncheckedCount: number): string[] {
  if (uncheckedCount === 0) return [];
  return [
    `Whether a merge request kept its changes was asked of ${maxAsked} at most on either side; ${uncheckedCount} more were not asked.`,
  ];
}

const unaskedOf = (all: readonly unknown[]): number => Math.max(0, all.length - maxAsked);

function lost({ iid, title, line }: ArchivedRecord, side: MissingRecord['lost'], expected: number) {
  const part = { name: 'changes', expected, found: 0 };
  return { relation: 'merge_requests', lost: side, line, iid, title, part };
}

function byIid(listed: readonly Identified[] | null): Map<number, Identified> {
  return new Map(
    (listed ?? []).flatMap((record) => (record.iid === null ? [] : [[record.iid, record] as const])),
  );
}

/** Picks from the first to the last, as far apart as possible. */
function some<T>(records: readonly T[]): T[] {
  const step = Math.max(1, records.length / maxAsked);
  return records.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}
