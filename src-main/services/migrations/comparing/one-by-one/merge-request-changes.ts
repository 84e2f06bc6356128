/**
 * @file Compares the changes of merge requests: their files with texts, and their commits. Each merge request costs two
 * requests, because no list shows the changes.
 */
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import type { MergeRequestDiff } from '../../../../gitlab/projects/merge-request-diff.ts';
import { hasLaterChange } from '../../../../jobs/migrations/comparing/contents/later-edits.ts';
import type { ContentDifference } from '../../../../jobs/migrations/comparing/contents/content-differences.ts';
import type {
  ArchivedRecord,
  RecordIdentity,
} from '../../../../jobs/migrations/comparing/losses/naming-losses.ts';
import {
  archivedDiffContents,
  commitFields,
  compareSlots,
  diffFields,
  diffOf,
  listedDiffContents,
  noDiff,
  recordedFiles,
  type ComparedDiff,
} from '../../../../jobs/migrations/comparing/refs/merge-request-diffs.ts';
import { maxReadRecords } from '../../../../../src-contract/transfers/comparison-forecast.ts';

export interface ChangesSide {
  /** The merge requests of this side; null if they may not be listed. */
  mergeRequests: readonly RecordIdentity[] | null;
  /** Returns the newest changes of a merge request; null if they may not be read. */
  diff(iid: number): Promise<MergeRequestDiff | null>;
}

/** The changes of a merge request in an archive. */
export interface ArchivedDiff extends ComparedDiff {
  /** False if the archive has fewer files than GitLab recorded with them. */
  isComplete: boolean;
}

export interface ArchivedChanges {
  records: readonly ArchivedRecord[];
  /** The changes of each merge request, by line. A merge request without a diff is left out. */
  diffs: ReadonlyMap<number, ArchivedDiff>;
}

export interface LostChanges {
  missing: MissingRecord[];
  changed: ContentDifference[];
  /** The lines of merge requests in the archive whose changes were not compared. */
  uncomparedLines: ReadonlySet<number>;
  /** Number of merge requests past the limit of requests. */
  uncheckedCount: number;
  /** Number of merge requests that were edited on the source after the export. */
  editedCount: number;
  /** Number of merge requests whose changes were not compared completely. */
  unreadCount: number;
  /** Number of merge requests with commits whose messages are not in the archive. */
  withoutMessagesCount: number;
}

/**
 * @param columns of the merge request; null if the record cannot be parsed. @param files the number of files in its
 * diff.
 */
export function archivedDiff(columns: Record<string, unknown> | null, files: number): ArchivedDiff | null {
  if (columns === null) return { files, values: {}, isComplete: true };
  const diff = diffOf(columns);
  if (diff === null) return null;
  const contents = archivedDiffContents(diff);
  return { ...contents, isComplete: contents.files >= recordedFiles(diff) };
}

/**
 * Returns the merge requests whose changes on the target differ from the archive.
 * @param importedAt a time at which the import had not ended, in epoch milliseconds by the clock of the target.
 */
export async function changesLostOnImport(
  { records, diffs }: ArchivedChanges,
  target: ChangesSide,
  importedAt: number,
): Promise<LostChanges> {
  const targetByIid = byIid(target.mergeRequests);
  const withChanges = records.filter(
    ({ line, iid }) => hasContents(diffs.get(line)) && targetByIid.has(iid ?? -1),
  );
  const lost = createLostChanges(withChanges);
  for (const record of withChanges.slice(0, maxReadRecords)) {
    const expected = diffs.get(record.line) ?? missingDiff;
    const diff = await target.diff(record.iid ?? 0);
    const listedAt = targetByIid.get(record.iid ?? -1)?.updatedAt ?? null;
    const isEdited = hasLaterChange({ archivedAt: record.updatedAt, listedAt }, importedAt);
    addDifferences(lost, record, { lost: 'on-import', isCertain: !isEdited }, expected, diff);
  }
  return lost;
}

/**
 * Returns the merge requests whose changes in the archive differ from the source.
 * @param exportedAt epoch milliseconds by the clock of the source; merge requests that changed later are skipped.
 */
export async function changesLostOnExport(
  source: ChangesSide,
  { records, diffs }: ArchivedChanges,
  exportedAt: number,
): Promise<LostChanges> {
  const sourceByIid = byIid(source.mergeRequests);
  const isIncomplete = ({ line }: ArchivedRecord): boolean => diffs.get(line)?.isComplete !== true;
  const unedited = records
    .filter(({ iid }) => (sourceByIid.get(iid ?? -1)?.updatedAt ?? exportedAt) < exportedAt)
    // An archive that lacks files is certain to differ, so these are read first.
    .toSorted((a, b) => Number(isIncomplete(b)) - Number(isIncomplete(a)));
  const edited = records.filter(({ iid }) => (sourceByIid.get(iid ?? -1)?.updatedAt ?? 0) >= exportedAt);
  const lost = { ...createLostChanges(unedited, edited), editedCount: edited.length };
  for (const record of unedited.slice(0, maxReadRecords)) {
    const diff = await source.diff(record.iid ?? 0);
    const found = diffs.get(record.line) ?? missingDiff;
    addDifferences(lost, record, { lost: 'on-export', isCertain: true }, found, diff);
  }
  return lost;
}

export function describeUnchecked(
  { uncheckedCount, editedCount, unreadCount }: LostChanges,
  side: string,
): string[] {
  return [
    ...(uncheckedCount === 0
      ? []
      : [
          `The changes of at most ${maxReadRecords} merge requests were compared with the ${side}; ${uncheckedCount} more were not compared.`,
        ]),
    ...(editedCount === 0
      ? []
      : [
          `The changes of ${countText(editedCount)} were not compared with the ${side}, because they were edited there after the export.`,
        ]),
    ...(unreadCount === 0
      ? []
      : [
          `The changes of ${countText(unreadCount)} were not compared completely with the ${side}, because GitLab or the archive does not have all of their texts or all details of their commits.`,
        ]),
  ];
}

/** Returns a sentence about messages that GitLab did not export. They do not prevent `contents` (decision 0026). */
export const describeUnarchivedMessages = (
  { withoutMessagesCount: count }: LostChanges,
  side: string,
): string[] =>
  count > 0
    ? [
        `The messages of commits of ${countText(count)} were not compared with the ${side}, because the archive does not have them. GitLab may leave them out of exports since version 17.10.`,
      ]
    : [];

const countText = (count: number): string => (count === 1 ? '1 merge request' : `${count} merge requests`);

/** A merge request without changes in the archive. */
const missingDiff: ArchivedDiff = { ...noDiff, isComplete: false };
const hasContents = (diff: ArchivedDiff | undefined): boolean =>
  diff !== undefined && (diff.files > 0 || diff.values['commits'] !== undefined);

/** Returns the losses of a side whose merge requests are not compared. */
export const noLostChanges = (): LostChanges => createLostChanges([]);

/**
 * Returns the losses before any is found.
 * @param all the merge requests that are to be compared. @param edited those that cannot be compared.
 */
function createLostChanges(all: readonly ArchivedRecord[], edited: readonly ArchivedRecord[] = []) {
  const unchecked = all.slice(maxReadRecords);
  return {
    ...{ missing: [], changed: [], editedCount: 0, unreadCount: 0, withoutMessagesCount: 0 },
    uncomparedLines: new Set([...edited, ...unchecked].map(({ line }) => line)),
    uncheckedCount: unchecked.length,
  };
}

const relation = 'merge_requests';

/** @param diff the changes on the instance; null if they may not be read. */
function addDifferences(
  result: LostChanges & { uncomparedLines: Set<number> },
  record: ArchivedRecord,
  { lost, isCertain }: Pick<ContentDifference, 'lost' | 'isCertain'>,
  archived: ArchivedDiff,
  diff: MergeRequestDiff | null,
): void {
  if (diff === null) {
    result.uncomparedLines.add(record.line);
    result.unreadCount += 1;
    return;
  }
  const shown = listedDiffContents(diff);
  // An import copies the recorded number, also without the files.
  const recorded = lost === 'on-export' ? recordedFiles(diff) : 0;
  const listed = { ...shown, files: Math.max(shown.files, recorded) };
  const [expected, found] = lost === 'on-export' ? [listed, archived] : [archived, listed];
  const { line, iid, title } = record;
  const difference = { relation, record, lost, isCertain } as const;
  const lacksFiles = found.files < expected.files;
  if (lacksFiles) {
    const part = { name: 'changes', expected: expected.files, found: found.files };
    if (isCertain) result.missing.push({ relation, lost, line, iid, title, part });
    else
      result.changed.push({
        ...{ ...difference, name: part.name },
        ...{ expected: String(part.expected), found: String(part.found) },
      });
  }
  // The number of the files says that all changes are lost.
  if (lacksFiles && Object.values(noDiff.values).join() === Object.values(found.values).join()) return;
  const comparedFields = diffFields.filter((name) => name !== 'diffs' || !lacksFiles);
  for (const name of comparedFields) {
    const [before, after] = [expected.values[name], found.values[name]];
    if (before !== undefined && after !== undefined && before !== after)
      result.changed.push({ ...difference, name, expected: before, found: after });
  }
  const commits = compareCommits(archived, listed);
  for (const { name, ...values } of commits.changed) {
    const [before, after] =
      lost === 'on-export' ? [values.listed, values.archived] : [values.archived, values.listed];
    result.changed.push({ ...difference, name, expected: before, found: after });
  }
  const isOnOneSide = (name: string): boolean =>
    (found.values[name] === undefined) !== (expected.values[name] === undefined);
  const areTextsUnknown =
    expected.files + found.files > 0 && !lacksFiles && expected.values['diffs'] === undefined;
  if (areTextsUnknown || commits.isIncomplete || comparedFields.some(isOnOneSide)) {
    result.uncomparedLines.add(record.line);
    result.unreadCount += 1;
  }
  if (commits.lacksMessages) result.withoutMessagesCount += 1;
}

interface ComparedCommits {
  changed: { name: string; archived: string; listed: string }[];
  /** True if a value of a commit was not compared, other than a message that is not in the archive. */
  isIncomplete: boolean;
  /** True if the archive lacks the message of a commit. */
  lacksMessages: boolean;
}

/** Compares the details and messages of the commits if both sides have the same ones. */
function compareCommits(
  { values: archived }: ComparedDiff,
  { values: listed }: ComparedDiff,
): ComparedCommits {
  const result: ComparedCommits = { changed: [], isIncomplete: false, lacksMessages: false };
  if (archived['commits'] !== listed['commits']) return result;
  for (const name of commitFields) {
    const slots = compareSlots(archived[name] ?? '', listed[name] ?? '');
    if (slots.archived !== slots.listed)
      result.changed.push({ name, archived: slots.archived, listed: slots.listed });
    const { unarchivedCount, emptyCount, unreadCount } = slots;
    const areMessages = name === 'commit_messages';
    result.lacksMessages ||= areMessages && unarchivedCount > 0;
    result.isIncomplete ||= unreadCount + (areMessages ? 0 : unarchivedCount + emptyCount) > 0;
  }
  return result;
}

function byIid(listed: readonly RecordIdentity[] | null): Map<number, RecordIdentity> {
  return new Map(
    (listed ?? []).flatMap((record) => (record.iid === null ? [] : [[record.iid, record] as const])),
  );
}
