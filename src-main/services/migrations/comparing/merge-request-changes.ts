/**
 * @file Checks whether the changes of merge requests were transferred. Each check costs a request, because no list
 * shows the changes; so only a sample is checked. The target is read for merge requests with changes in the archive,
 * the source for the others.
 */
import type { MissingRecord } from '../../../../src-contract/transfers/import.ts';
import type { ArchivedRecord, RecordIdentity } from '../../../jobs/migrations/comparing/naming-losses.ts';

const maxAsked = 20;

export interface ChangesSide {
  /** The merge requests of this side; null if they may not be listed. */
  listed: readonly RecordIdentity[] | null;
  /** Returns GitLab's text for the number of files that a merge request changes; null without a number. */
  count(iid: number): Promise<string | null>;
}

export interface ArchivedChanges {
  records: readonly ArchivedRecord[];
  /** The number of files that a merge request changes, by line of the merge request. */
  changedFileCounts: ReadonlyMap<number, number>;
  /** Returns whether the record has GitLab's number. Without it, the API shows no number after an import. */
  hasChangesCount: (line: number) => Promise<boolean>;
}

export interface LostChanges {
  missing: MissingRecord[];
  uncheckedCount: number;
}

/** Returns merge requests that have changes in the archive but none on the target. */
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
 * Returns merge requests that have changes on the source but none in the archive. @param exportedAt epoch milliseconds
 * by the clock of the source; merge requests that changed later are skipped.
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
    `The changes of at most ${maxAsked} merge requests were checked on each side; ${uncheckedCount} more were not checked.`,
  ];
}

const unaskedOf = (all: readonly unknown[]): number => Math.max(0, all.length - maxAsked);

function lost({ iid, title, line }: ArchivedRecord, side: MissingRecord['lost'], expected: number) {
  const part = { name: 'changes', expected, found: 0 };
  return { relation: 'merge_requests', lost: side, line, iid, title, part };
}

function byIid(listed: readonly RecordIdentity[] | null): Map<number, RecordIdentity> {
  return new Map(
    (listed ?? []).flatMap((record) => (record.iid === null ? [] : [[record.iid, record] as const])),
  );
}

/** Returns a sample of at most `maxAsked` records, evenly spread from first to last. */
function some<T>(records: readonly T[]): T[] {
  const step = Math.max(1, records.length / maxAsked);
  return records.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}
