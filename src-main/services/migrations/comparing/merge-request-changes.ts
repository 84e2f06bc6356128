/**
 * @file Checks whether the changes of merge requests were transferred. Each check costs a request, because no list
 * shows the changes; so only a sample is checked. The target is read for merge requests with changes in the archive,
 * the source for the others.
 */
import type { MissingRecord } from '../../../../src-contract/transfers/import.ts';
import type {
  ArchivedRecord,
  RecordIdentity,
} from '../../../jobs/migrations/comparing/losses/naming-losses.ts';

const maxChecked = 20;

export interface ChangesSide {
  /** The merge requests of this side; null if they may not be listed. */
  mergeRequests: readonly RecordIdentity[] | null;
  /** Returns GitLab's text for the number of files that a merge request changes; null without a number. */
  count(iid: number): Promise<string | null>;
}

export interface ArchivedChanges {
  records: readonly ArchivedRecord[];
  /** The number of files that a merge request changes, by line of the merge request. */
  changedFileCounts: ReadonlyMap<number, number>;
  /** Returns whether the record stores that it changes files. Otherwise the API shows no changes after an import. */
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
  const targetByIid = byIid(target.mergeRequests);
  const withChanges = records.filter(
    ({ line, iid }) => changedFileCounts.has(line) && targetByIid.has(iid ?? -1),
  );
  const missing: MissingRecord[] = [];
  for (const record of sampleOf(withChanges)) {
    const count = await changedFileCount(target, record);
    if (count > 0 || !(await hasChangesCount(record.line))) continue;
    missing.push(missingRecordOf(record, 'on-import', changedFileCounts.get(record.line) ?? 0));
  }
  return { missing, uncheckedCount: uncheckedCountOf(withChanges) };
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
  const sourceByIid = byIid(source.mergeRequests);
  const withoutChanges = records.filter(({ line, iid }) => {
    const updatedAt = sourceByIid.get(iid ?? -1)?.updatedAt ?? null;
    return !changedFileCounts.has(line) && updatedAt !== null && updatedAt < exportedAt;
  });
  const missing: MissingRecord[] = [];
  for (const record of sampleOf(withoutChanges)) {
    const count = await changedFileCount(source, record);
    if (count > 0) missing.push(missingRecordOf(record, 'on-export', count));
  }
  return { missing, uncheckedCount: uncheckedCountOf(withoutChanges) };
}

export function describeUnchecked(uncheckedCount: number): string[] {
  if (uncheckedCount === 0) return [];
  return [
    `The changes of at most ${maxChecked} merge requests were checked on each side; ${uncheckedCount} more were not checked.`,
  ];
}

async function changedFileCount(side: ChangesSide, { iid }: ArchivedRecord): Promise<number> {
  return parseInt((await side.count(iid ?? 0)) ?? '0');
}

const uncheckedCountOf = (all: readonly unknown[]): number => Math.max(0, all.length - maxChecked);

function missingRecordOf(
  { iid, title, line }: ArchivedRecord,
  side: MissingRecord['lost'],
  expected: number,
) {
  const part = { name: 'changes', expected, found: 0 };
  return { relation: 'merge_requests', lost: side, line, iid, title, part };
}

function byIid(listed: readonly RecordIdentity[] | null): Map<number, RecordIdentity> {
  return new Map(
    (listed ?? []).flatMap((record) => (record.iid === null ? [] : [[record.iid, record] as const])),
  );
}

/** Returns a sample of at most `maxChecked` records, evenly spread from first to last. */
function sampleOf<T>(records: readonly T[]): T[] {
  const step = Math.max(1, records.length / maxChecked);
  return records.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}
