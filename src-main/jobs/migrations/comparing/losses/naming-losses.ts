/** @file Names each missing record and the side that lost it. `reconcile.ts` compares only numbers. Pure. */
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import {
  isRef,
  listedRelations,
  type ComparedRelation,
  type ListedRelation,
} from '../../../../../src-contract/relations.ts';
import type { ArchivedPeople, ListedPeople } from '../people/record-people.ts';
import type { RecordContents } from '../contents/compared-fields.ts';
import { findCertainLosses, type CountsAroundExport, type UncertainLosses } from './untimed-losses.ts';
import { countMissingKeys, recordsByKey } from '../records-by-key.ts';

/** A record as one side describes it. Times are epoch milliseconds, null if not reported. */
export interface RecordIdentity {
  key: string | null;
  iid: number | null;
  title: string | null;
  /** Number of notes written by users; null if the relation has none, or the side does not report them. */
  notes: number | null;
  createdAt: number | null;
  updatedAt: number | null;
  /** For a ref: its commit, and for an annotated tag also its own object. */
  shas?: readonly string[];
  /** Absent for a ref, and for a record of an archive that is too large or no valid JSON. */
  contents?: RecordContents;
}

export interface ListedRecord extends RecordIdentity {
  /** Users by role. Absent like `contents`. */
  users?: ListedPeople;
  /**
   * The newest time of creation in each part that was read one by one, by field, in epoch milliseconds. Absent for a part
   * that is empty, or whose times GitLab does not show.
   */
  partTimes?: Readonly<Record<string, number>>;
  /** The paths of the files of a snippet. Absent for other relations. */
  filePaths?: readonly string[];
  /** Increases with every new record of the instance; null if no list reports it. */
  id: number | null;
  /** For a ref: the time of its commit. */
  committedAt?: number | null;
  /** Set for a label or milestone of a group, which an export has only in the records that use it. */
  isInherited?: true;
  /** The source of a pipeline that no export contains. */
  unexportedSource?: string;
  /** The names of its parts that no export contains. Absent without any. */
  unexportedParts?: readonly string[];
}

export interface ArchivedRecord extends RecordIdentity {
  /** Ids of users by role. Absent like `contents`. */
  userIds?: ArchivedPeople;
  line: number;
}

/** The records that an instance lists now. A list is null if the account may not read it. */
export type ListedRecords = Record<ComparedRelation, ListedRecord[] | null>;

/** The records in the archive. For a ref, `line` is its line in the bundle's list of refs. */
export type ArchivedRecords = Record<ComparedRelation, ArchivedRecord[]>;

export interface Sides {
  /** Null if the source can no longer be read. */
  source: ListedRecords | null;
  archive: ArchivedRecords;
  target: ListedRecords;
  /** The time of the export request, by the clock of the source. A record created later is not missing. */
  exportedAt: number;
  countsAroundExport: (relation: ListedRelation) => CountsAroundExport;
  /** The highest id of the labels of the source before the export; null if it is not known. */
  newestLabelId: number | null;
  /**
   * True if the source was active after the export, or may have been. Missing refs are then no certain losses, because refs
   * may have been deleted and created.
   */
  mayHaveChanged: boolean;
  /** Lines that GitLab listed as failed, by relation. */
  failedLines: ReadonlyMap<string, ReadonlySet<number>>;
}

export interface NamedLosses {
  /** Ordered by relation. Within each, records of the archive come first, by line. */
  missing: MissingRecord[];
  uncertainLosses: UncertainLosses[];
}

/** Names the losses of the relations that are counted around an export. */
export function namedLosses(sides: Sides): NamedLosses {
  const missing: MissingRecord[] = [];
  const uncertainLosses: UncertainLosses[] = [];
  for (const relation of listedRelations) {
    const archive = sides.archive[relation];
    const target = sides.target[relation];
    const source = sides.source?.[relation] ?? null;
    if (target !== null)
      missing.push(...lostOnImport(relation, archive, target, sides.failedLines.get(relation)));
    if (source === null) continue;
    const moved = possiblyMoved(relation, source, archive, sides);
    missing.push(
      ...lostOnExport(relation, source, archive, sides.exportedAt).filter(
        ({ iid, part }) => part !== null || !moved.has(iid),
      ),
    );
    if (moved.size > 0)
      uncertainLosses.push({ relation, candidateCount: moved.size, lostCount: 0, namedCount: 0 });
    const untimed = lostUntimed(relation, source, archive, sides);
    missing.push(...untimed.missing);
    uncertainLosses.push(...untimed.uncertainLosses);
  }
  return { missing, uncertainLosses };
}

/**
 * Leaves out records of the target that were created there after the import began, and took the number or name of a lost
 * record. An import keeps the time of creation (gitlab-facts 7.2), and GitLab gives the number of a lost last record again.
 * @param createdAt when the project of the target was created, by the clock of the target; null if it is not known.
 */
export function withoutReplacements<T extends RecordIdentity>(
  archive: readonly ArchivedRecord[],
  target: readonly T[],
  createdAt: number | null,
): T[] {
  const archiveByKey = recordsByKey(archive);
  const archivedWithKey = ({ key }: T): readonly ArchivedRecord[] =>
    key === null ? [] : (archiveByKey.get(key) ?? []);
  const hasSameTime = (record: T): boolean =>
    archivedWithKey(record).some((one) => secondOf(one.createdAt) === secondOf(record.createdAt));
  // An instance that keeps no times shows no replacements.
  if (createdAt === null || !target.some(hasSameTime)) return [...target];
  const isReplacement = (record: T): boolean =>
    (record.createdAt ?? 0) >= createdAt &&
    archivedWithKey(record).length > 0 &&
    archivedWithKey(record).every((one) => one.createdAt !== null) &&
    archivedWithKey(record).every(({ updatedAt }) => updatedAt === null || updatedAt !== record.updatedAt) &&
    !hasSameTime(record);
  return target.filter((record) => !isReplacement(record));
}

/** Some lists show times without fractions of a second. */
const secondOf = (time: number | null): number => Math.floor((time ?? 0) / 1000);

export function lostOnImport(
  relation: ComparedRelation,
  archive: readonly ArchivedRecord[],
  target: readonly RecordIdentity[],
  failedLines: ReadonlySet<number> | undefined,
): MissingRecord[] {
  const targetByKey = recordsByKey(target);
  const lost: MissingRecord[] = [];
  for (const [key, archived] of recordsByKey(archive)) {
    if (key === null) continue;
    const onTarget = targetByKey.get(key) ?? [];
    // If two records have the same key, the record that GitLab listed as failed is lost; otherwise the later record is
    // lost.
    const candidates = archived.toSorted(
      (a, b) =>
        Number(failedLines?.has(a.line) ?? false) - Number(failedLines?.has(b.line) ?? false) ||
        a.line - b.line,
    );
    for (const record of candidates.slice(onTarget.length))
      lost.push(toMissingRecord(relation, 'on-import', record, record.line));
    const [only, second] = archived;
    const [found] = onTarget;
    if (only === undefined || second !== undefined || found === undefined) continue;
    if (only.notes !== null && found.notes !== null && found.notes < only.notes) {
      lost.push({
        ...toMissingRecord(relation, 'on-import', only, only.line),
        part: { name: 'notes', expected: only.notes, found: found.notes },
      });
    }
  }
  return lost.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

/** Considers only records that were created before the export and not changed after it. */
function lostOnExport(
  relation: ListedRelation,
  source: readonly ListedRecord[],
  archive: readonly ArchivedRecord[],
  exportedAt: number,
): MissingRecord[] {
  const archiveByKey = recordsByKey(archive);
  // A record without a key may be any record that the archive seems to lack.
  const hasKeyless = archive.some(({ key }) => key === null);
  return source.flatMap((record): MissingRecord[] => {
    if (record.key === null) return [];
    const [archived] = archiveByKey.get(record.key) ?? [];
    if (archived === undefined) {
      if (hasKeyless) return [];
      const isOld = record.createdAt !== null && record.createdAt < exportedAt;
      return isOld ? [toMissingRecord(relation, 'on-export', record, null)] : [];
    }
    const isUntouched = record.updatedAt !== null && record.updatedAt < exportedAt;
    if (record.notes === null || archived.notes === null || !isUntouched || archived.notes >= record.notes) {
      return [];
    }
    return [
      {
        ...toMissingRecord(relation, 'on-export', record, archived.line),
        part: { name: 'notes', expected: record.notes, found: archived.notes },
      },
    ];
  });
}

/**
 * Returns the numbers of issues that may have been moved into the project after the export: they are newer by number than
 * every archived issue, were changed after the export, and are more than the export can have lost. GitLab copies the
 * time of creation of a moved issue (gitlab-facts 7.2).
 */
function possiblyMoved(
  relation: ListedRelation,
  source: readonly ListedRecord[],
  archive: readonly ArchivedRecord[],
  { exportedAt, countsAroundExport }: Sides,
): ReadonlySet<number | null> {
  if (relation !== 'issues') return new Set();
  const newestIid = Math.max(0, ...archive.map(({ iid }) => iid ?? 0));
  const old = source.filter(({ createdAt }) => (createdAt ?? exportedAt) < exportedAt);
  const later = old.filter(
    ({ iid, updatedAt }) => (iid ?? 0) > newestIid && (updatedAt ?? exportedAt) >= exportedAt,
  );
  const { before } = countsAroundExport(relation);
  const earlierCount = old.length - later.length;
  const removedCount = countMissingKeys(archive, source);
  // The oldest of them existed before the export, if the source counted more issues than the other ones.
  const lostCount = before === null ? 0 : Math.max(0, before - earlierCount - removedCount);
  const byAge = later.toSorted((a, b) => (a.iid ?? 0) - (b.iid ?? 0));
  return new Set(byAge.slice(lostCount).map(({ iid }) => iid));
}

/**
 * Returns lost records without a time of creation. Labels have no time. A ref has only the time of its commit, which
 * may be older than the ref.
 */
function lostUntimed(
  relation: ListedRelation,
  source: readonly ListedRecord[],
  archive: readonly ArchivedRecord[],
  { countsAroundExport, mayHaveChanged, newestLabelId }: Sides,
): NamedLosses {
  const archiveByKey = recordsByKey(archive);
  const candidates = source.filter(
    ({ key, createdAt }) => key !== null && createdAt === null && !archiveByKey.has(key),
  );
  if (candidates.length === 0) return { missing: [], uncertainLosses: [] };
  const removedCount = countMissingKeys(archive, source);
  const { named, lostCount } = findCertainLosses({
    candidates,
    listedCount: source.length,
    removedCount,
    listCounts:
      isRef(relation) && mayHaveChanged ? { before: null, after: null } : countsAroundExport(relation),
    newestId: relation === 'labels' ? newestLabelId : null,
  });
  return {
    missing: named.map((record) => toMissingRecord(relation, 'on-export', record, null)),
    uncertainLosses: [{ relation, candidateCount: candidates.length, lostCount, namedCount: named.length }],
  };
}

export function toMissingRecord(
  relation: string,
  lost: MissingRecord['lost'],
  { iid, title }: RecordIdentity,
  line: number | null,
): MissingRecord {
  return { relation, lost, line, iid, title, part: null };
}
