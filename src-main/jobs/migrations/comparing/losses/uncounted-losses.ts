/**
 * @file Compares the records of relations that are not counted around an export, such as boards and snippets. Pure.
 */
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import { uncountedRelations } from '../../../../../src-contract/relations.ts';
import {
  lostOnImport,
  toMissingRecord,
  type ArchivedRecord,
  type ListedRecord,
  type Sides,
} from './naming-losses.ts';
import { countMissingKeys, recordsByKey } from '../records-by-key.ts';
import type { RelationCounts } from '../three-way-comparison.ts';
import type { UncertainLosses } from './untimed-losses.ts';

/** `source` is null if the source cannot be read. */
type ComparedSides = Pick<Sides, 'source' | 'archive' | 'target' | 'exportedAt' | 'failedLines'>;

export interface UncountedLosses {
  missing: MissingRecord[];
  amounts: RelationCounts[];
  uncertainLosses: UncertainLosses[];
}

export function lostUncounted(sides: ComparedSides): UncountedLosses {
  const all: UncountedLosses = { missing: [], amounts: [], uncertainLosses: [] };
  for (const relation of uncountedRelations) {
    const archive = sides.archive[relation];
    const target = sides.target[relation];
    const source = sides.source?.[relation] ?? null;
    const absent = source === null ? [] : absentFrom(archive, source);
    const isOlder = isOlderThanExport(archive, source ?? [], sides.exportedAt);
    const lost = absent.filter(isOlder);
    if (target !== null)
      all.missing.push(...lostOnImport(relation, archive, target, sides.failedLines.get(relation)));
    all.missing.push(...lost.map((record) => toMissingRecord(relation, 'on-export', record, null)));
    all.amounts.push({
      relation,
      // Records that are newer, or may be newer, than the export are not expected in the archive.
      source: source === null ? null : source.length - (absent.length - lost.length),
      archive: archive.length,
      target: target?.length ?? null,
    });
    const untimed = absent.filter(({ createdAt }) => createdAt === null);
    const named = lost.filter(({ createdAt }) => createdAt === null).length;
    if (untimed.length > 0)
      all.uncertainLosses.push({
        ...{ relation, candidateCount: untimed.length },
        ...{ lostCount: named, namedCount: named },
      });
  }
  return all;
}

/** Returns the records of the source that the archive lacks; of several with the same key, the newest. */
function absentFrom(archive: readonly ArchivedRecord[], source: readonly ListedRecord[]): ListedRecord[] {
  // A record without a key may be any record that the archive seems to lack.
  if (archive.some(({ key }) => key === null)) return [];
  const archiveByKey = recordsByKey(archive);
  return [...recordsByKey(source)].flatMap(([key, records]) =>
    key === null
      ? []
      : records.toSorted((a, b) => (a.id ?? 0) - (b.id ?? 0)).slice(archiveByKey.get(key)?.length ?? 0),
  );
}

/**
 * Returns a function that is true for records that certainly existed at the export. Boards and badges show no time, and
 * GitLab records no activity when they are added, but a record with a lower id than an archived one is older. If the source
 * lacks records of the archive, it may have renamed them.
 */
function isOlderThanExport(
  archive: readonly ArchivedRecord[],
  source: readonly ListedRecord[],
  exportedAt: number,
): (record: ListedRecord) => boolean {
  const archiveByKey = recordsByKey(archive);
  const hasRemoved = countMissingKeys(archive, source) > 0;
  const newestId = Math.max(
    -1,
    ...source.map(({ key, id }) => (key !== null && archiveByKey.has(key) ? (id ?? -1) : -1)),
  );
  return ({ id, createdAt }) =>
    createdAt === null ? !hasRemoved && id !== null && id < newestId : createdAt < exportedAt;
}
