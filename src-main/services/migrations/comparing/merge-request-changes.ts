/**
 * @file Checks whether the changes of merge requests were transferred. The target is asked about those that
 * have changes in the archive, the source about those that have none. No list shows it, so each costs a
 * request, and with many only some are asked.
 */
import type { MissingRecord } from '../../../../src-contract/transfers/import.ts';
import type { ArchivedRecord, Identified } from '../../../jobs/migrations/comparing/naming-losses.ts';

/** Requests of one comparison, on either side. */
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
  files: ReadonlyMap<number, number>;
  /**
   * Whether GitLab recorded the number for that record: where it did not, an import has no number to show.
   */
  isTold: (line: number) => Promise<boolean>;
}

/** `unasked`: how many merge requests were not asked about. */
export interface LostChanges {
  missing: MissingRecord[];
  unasked: number;
}

/** Returns the merge requests with changes in the archive that have none on the target. */
export async function changesLostOnImport(
  { records, files, isTold }: ArchivedChanges,
  target: ChangesSide,
): Promise<LostChanges> {
  const arrived = byIid(target.listed);
  const changing = records.filter(({ line, iid }) => files.has(line) && arrived.has(iid ?? -1));
  const missing: MissingRecord[] = [];
  for (const record of some(changing)) {
    if ((await target.count(record.iid ?? 0)) !== null || !(await isTold(record.line))) continue;
    missing.push(lost(record, 'on-import', files.get(record.line) ?? 0));
  }
  return { missing, unasked: unaskedOf(changing) };
}

/**
 * Returns the merge requests without changes in the archive that have some on the source. @param exportedAt
 * epoch milliseconds by the clock of the source: merge requests changed there since then are no evidence.
 */
export async function changesLostOnExport(
  source: ChangesSide,
  { records, files }: ArchivedChanges,
  exportedAt: number,
): Promise<LostChanges> {
  const before = byIid(source.listed);
  const empty = records.filter(({ line, iid }) => {
    const updatedAt = before.get(iid ?? -1)?.updatedAt ?? null;
    return !files.has(line) && updatedAt !== null && updatedAt < exportedAt;
  });
  const missing: MissingRecord[] = [];
  for (const record of some(empty)) {
    const count = parseInt((await source.count(record.iid ?? 0)) ?? '0');
    if (count > 0) missing.push(lost(record, 'on-export', count));
  }
  return { missing, unasked: unaskedOf(empty) };
}

/** @param unasked on both sides together. */
export function describeUnasked(unasked: number): string[] {
  if (unasked === 0) return [];
  return [
    `Whether a merge request kept its changes was asked of ${maxAsked} at most on either side; ${unasked} more were not asked.`,
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
