/**
 * @file Compares the number of files that merge requests change. Each merge request costs a request, because no list
 * shows the number. The target is read for merge requests with changes in the archive, the source only for those
 * whose files the archive lacks.
 */
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import type { ContentDifference } from '../../../../jobs/migrations/comparing/contents/content-differences.ts';
import type {
  ArchivedRecord,
  RecordIdentity,
} from '../../../../jobs/migrations/comparing/losses/naming-losses.ts';
import { maxReadRecords } from './read-limit.ts';

export interface ChangesSide {
  /** The merge requests of this side; null if they may not be listed. */
  mergeRequests: readonly RecordIdentity[] | null;
  /** Returns GitLab's text for the number of files that a merge request changes; null without a number. */
  count(iid: number): Promise<string | null>;
}

/** The changes of a merge request in an archive. */
export interface ArchivedDiff {
  files: number;
  /** The number that GitLab recorded with the diff. An import keeps the number, and the API shows it. */
  recorded: number;
}

export interface ArchivedChanges {
  records: readonly ArchivedRecord[];
  /** The changes of each merge request, by line. A merge request without a diff is left out. */
  diffs: ReadonlyMap<number, ArchivedDiff>;
}

export interface LostChanges {
  missing: MissingRecord[];
  /** Differences on merge requests that were edited after the import. */
  uncertain: ContentDifference[];
  uncheckedCount: number;
}

/**
 * @param columns of the merge request; null if the record cannot be parsed. @param files the number of files in its
 * diff.
 */
export function archivedDiff(columns: Record<string, unknown> | null, files: number): ArchivedDiff | null {
  if (columns === null) return files > 0 ? { files, recorded: files } : null;
  const diff = columns['merge_request_diff'];
  if (typeof diff !== 'object' || diff === null) return null;
  const { real_size: size, state } = diff as Record<string, unknown>;
  // GitLab deletes the files of old diffs, but keeps their number.
  return { files, recorded: state === 'without_files' ? 0 : toCount(size) };
}

/**
 * Returns merge requests that change fewer files on the target than in the archive.
 * @param importedAt the time at which the import ended, by the clock of the target; null if it ended just now.
 */
export async function changesLostOnImport(
  { records, diffs }: ArchivedChanges,
  target: ChangesSide,
  importedAt: number | null,
): Promise<LostChanges> {
  const targetByIid = byIid(target.mergeRequests);
  const expectedOf = ({ line }: ArchivedRecord): number => {
    const { files, recorded } = diffs.get(line) ?? { files: 0, recorded: 0 };
    return Math.min(files, recorded);
  };
  const withChanges = records.filter((record) => expectedOf(record) > 0 && targetByIid.has(record.iid ?? -1));
  const lost: LostChanges = { missing: [], uncertain: [], uncheckedCount: uncheckedCountOf(withChanges) };
  for (const record of withChanges.slice(0, maxReadRecords)) {
    const [expected, found] = [expectedOf(record), toCount(await target.count(record.iid ?? 0))];
    if (found >= expected) continue;
    const loss = missingRecordOf(record, 'on-import', expected, found);
    const updatedAt = targetByIid.get(record.iid ?? -1)?.updatedAt ?? null;
    const isEdited =
      importedAt !== null && updatedAt !== null && updatedAt > importedAt && updatedAt !== record.updatedAt;
    if (isEdited) lost.uncertain.push(toUncertain(record, loss));
    else lost.missing.push(loss);
  }
  return lost;
}

/**
 * Returns merge requests that change more files on the source than in the archive. @param exportedAt epoch milliseconds
 * by the clock of the source; merge requests that changed later are skipped.
 */
export async function changesLostOnExport(
  source: ChangesSide,
  { records, diffs }: ArchivedChanges,
  exportedAt: number,
): Promise<LostChanges> {
  const sourceByIid = byIid(source.mergeRequests);
  const incomplete = records.filter(({ line, iid }) => {
    const updatedAt = sourceByIid.get(iid ?? -1)?.updatedAt ?? null;
    const diff = diffs.get(line);
    const lacksFiles = diff === undefined || diff.files < diff.recorded;
    return lacksFiles && updatedAt !== null && updatedAt < exportedAt;
  });
  const missing: MissingRecord[] = [];
  for (const record of incomplete.slice(0, maxReadRecords)) {
    const found = diffs.get(record.line)?.files ?? 0;
    const expected = toCount(await source.count(record.iid ?? 0));
    if (expected > found) missing.push(missingRecordOf(record, 'on-export', expected, found));
  }
  return { missing, uncertain: [], uncheckedCount: uncheckedCountOf(incomplete) };
}

export function describeUnchecked(uncheckedCount: number): string[] {
  if (uncheckedCount === 0) return [];
  return [
    `The changes of at most ${maxReadRecords} merge requests were checked on each side; ${uncheckedCount} more were not checked.`,
  ];
}

/** Returns the number in GitLab's text, such as 1000 for `1000+`. */
function toCount(text: unknown): number {
  const count = typeof text === 'string' ? parseInt(text) : 0;
  return Number.isNaN(count) ? 0 : count;
}

const uncheckedCountOf = (all: readonly unknown[]): number => Math.max(0, all.length - maxReadRecords);

const relation = 'merge_requests';

function missingRecordOf(
  { iid, title, line }: ArchivedRecord,
  lost: MissingRecord['lost'],
  expected: number,
  found: number,
) {
  return { relation, lost, line, iid, title, part: { name: 'changes', expected, found } };
}

function toUncertain(
  record: ArchivedRecord,
  { lost, part }: ReturnType<typeof missingRecordOf>,
): ContentDifference {
  const { name, expected, found } = part;
  return {
    ...{ relation, record, lost, name, isCertain: false },
    ...{ expected: String(expected), found: String(found) },
  };
}

function byIid(listed: readonly RecordIdentity[] | null): Map<number, RecordIdentity> {
  return new Map(
    (listed ?? []).flatMap((record) => (record.iid === null ? [] : [[record.iid, record] as const])),
  );
}
