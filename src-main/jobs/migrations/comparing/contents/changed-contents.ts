/** @file Names the fields of records whose contents differ between source, archive and target. Pure. */
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import { isRef, listedRelations } from '../../../../../src-contract/relations.ts';
import type { ArchivedRecord, ListedRecord, RecordIdentity } from '../naming-losses.ts';
import { valueAfterImport, type RecordRelation } from './compared-fields.ts';
import { namesIn, valueText } from './field-values.ts';

export interface ContentSides {
  /** Null if the source cannot be read. */
  source: Readonly<Record<RecordRelation, readonly ListedRecord[] | null>> | null;
  archive: Readonly<Record<RecordRelation, readonly ArchivedRecord[]>>;
  target: Readonly<Record<RecordRelation, readonly ListedRecord[] | null>>;
  /** The time of the export request, in epoch milliseconds by the clock of the source. */
  exportedAt: number;
  /** The time at which the import ended, by the clock of the target; null if the comparison belongs to the import. */
  importedAt: number | null;
  /** True for the first comparison after the import: records without a time have not been edited since. */
  isFirst: boolean;
}

export interface ChangedContents {
  missing: MissingRecord[];
  /** Differences that may be later edits. */
  uncertain: MissingRecord[];
  declared: string[];
}

export const recordRelations = listedRelations.filter(
  (relation): relation is RecordRelation => !isRef(relation),
);

interface Pair {
  relation: RecordRelation;
  archived: ArchivedRecord;
  listed: ListedRecord;
}

interface FieldDifference extends Pair {
  lost: MissingRecord['lost'];
  field: string;
  expected: string;
  found: string;
}

export function changedContents(sides: ContentSides): ChangedContents {
  const lost: FieldDifference[] = [];
  const uncertain: FieldDifference[] = [];
  const isRenamed = renamesOf(sides);
  for (const relation of recordRelations) {
    const archive = sides.archive[relation];
    for (const pair of pairsByKey(relation, archive, sides.source?.[relation] ?? null)) {
      for (const difference of shownDifferences(exportDifferences(pair), sides.source))
        (isCertainOnExport(difference, sides.exportedAt, isRenamed) ? lost : uncertain).push(difference);
    }
    for (const pair of pairsByKey(relation, archive, sides.target[relation])) {
      for (const difference of shownDifferences(importDifferences(pair), sides.target))
        (mayBeEdited(difference, sides) ? uncertain : lost).push(difference);
    }
  }
  return {
    missing: lost.map(toMissingPart),
    uncertain: uncertain.map(toMissingPart),
    declared: describeUncertain(uncertain),
  };
}

/** Pairs the records whose key occurs once on both sides: other records cannot be distinguished. */
function pairsByKey(
  relation: RecordRelation,
  archive: readonly ArchivedRecord[],
  listed: readonly ListedRecord[] | null,
): Pair[] {
  const listedByKey = Map.groupBy(listed ?? [], ({ key }) => key);
  return [...Map.groupBy(archive, ({ key }) => key)].flatMap(([key, archived]): Pair[] => {
    const found = listedByKey.get(key) ?? [];
    const [one, other] = [archived[0], found[0]];
    const isUnique = key !== null && archived.length === 1 && found.length === 1;
    return isUnique && one !== undefined && other !== undefined
      ? [{ relation, archived: one, listed: other }]
      : [];
  });
}

/** Without the right to read milestones, GitLab omits those of releases. */
const shownDifferences = (
  differences: readonly FieldDifference[],
  side: { milestones: readonly unknown[] | null } | null,
): readonly FieldDifference[] =>
  differences.filter(({ field }) => field !== 'milestones' || (side?.milestones ?? null) !== null);

const exportDifferences = (pair: Pair): FieldDifference[] =>
  differences(pair, (archived, listed) => ({ lost: 'on-export', expected: listed, found: archived }));

const importDifferences = (pair: Pair): FieldDifference[] =>
  differences(pair, (archived, listed, field) => ({
    lost: 'on-import',
    expected: valueAfterImport(pair.relation, field, archived),
    found: listed,
  }));

/** Compares the fields that both records have. */
function differences(
  pair: Pair,
  compare: (
    archived: string,
    listed: string,
    field: string,
  ) => Pick<FieldDifference, 'lost' | 'expected' | 'found'>,
): FieldDifference[] {
  const { archived, listed } = pair;
  return Object.entries(archived.contents ?? {}).flatMap(([field, value]): FieldDifference[] => {
    const listedValue = listed.contents?.[field];
    if (listedValue === undefined) return [];
    const difference = { ...pair, field, ...compare(value, listedValue, field) };
    return difference.expected === difference.found ? [] : [difference];
  });
}

/** Returns whether the value may have been edited on the target after the import. */
function mayBeEdited(
  { archived, listed, field }: FieldDifference,
  { importedAt, isFirst }: ContentSides,
): boolean {
  if (importedAt === null) return false;
  if (listed.updatedAt === null || namingFields.has(field)) return !isFirst;
  return listed.updatedAt > importedAt && listed.updatedAt !== archived.updatedAt;
}

/** Fields with names of labels and milestones. A renamed label changes them without changing their record. */
const namingFields: ReadonlySet<string> = new Set(['labels', 'milestone', 'milestones']);

/** Returns whether a name may be new or renamed: it does not occur in both source and archive. */
function renamesOf({ source, archive }: ContentSides): (name: string) => boolean {
  const archived = namesOf(archive);
  const listed = source === null ? new Set() : namesOf(source);
  return (name) => name !== '' && !(archived.has(name) && listed.has(name));
}

/** Returns the titles of labels and milestones, also of those of groups, which other records mention. */
function namesOf(side: Readonly<Record<RecordRelation, readonly RecordIdentity[] | null>>): Set<string> {
  const names = [...(side.labels ?? []), ...(side.milestones ?? [])].flatMap(({ title }) => title ?? []);
  for (const relation of recordRelations) {
    for (const { contents } of side[relation] ?? [])
      for (const field of namingFields) names.push(...namesIn(contents?.[field] ?? ''));
  }
  return new Set(names);
}

/** Lists of labels and releases have no time of the last change, so it is not known whether they changed later. */
function isCertainOnExport(
  { field, listed, expected, found }: FieldDifference,
  exportedAt: number,
  isRenamed: (name: string) => boolean,
): boolean {
  if (listed.updatedAt === null || listed.updatedAt >= exportedAt) return false;
  return !namingFields.has(field) || !changedNames(expected, found).some(isRenamed);
}

function changedNames(expected: string, found: string): string[] {
  const [before, after] = [namesIn(expected), namesIn(found)];
  return [
    ...before.filter((name) => !after.includes(name)),
    ...after.filter((name) => !before.includes(name)),
  ];
}

function toMissingPart({ relation, archived, lost, field, expected, found }: FieldDifference): MissingRecord {
  const { line, iid, title } = archived;
  const values = { expected: valueText(expected), found: valueText(found) };
  const part = { name: field, expected: 1, found: 0, values };
  return { relation, lost, line, iid, title, part };
}

const maxNamedRecords = 10;
const quoteValue = (value: string): string => `"${valueText(value).replaceAll(/\s+/g, ' ')}"`;

function describeUncertain(uncertain: readonly FieldDifference[]): string[] {
  if (uncertain.length === 0) return [];
  const named = uncertain
    .slice(0, maxNamedRecords)
    .map(({ relation, archived, lost, field, expected, found }) => {
      const name = archived.iid === null ? (archived.title ?? '') : `#${archived.iid}`;
      const [before, after] = lost === 'on-export' ? ['source', 'archive'] : ['archive', 'target'];
      return `${field} of ${relation} ${name} (${before} ${quoteValue(expected)}, ${after} ${quoteValue(found)})`;
    });
  const more = uncertain.length - named.length;
  return [
    `These contents differ, but may have been edited after the export or the import, so it is not known whether they were lost: ${named.join(', ')}${more > 0 ? `, and ${more} more` : ''}.`,
  ];
}
