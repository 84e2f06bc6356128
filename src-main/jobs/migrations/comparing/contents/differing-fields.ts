/** @file Finds the fields of records that differ between source, archive and target. Pure. */
import { comparedRelations, isRef, type RecordRelation } from '../../../../../src-contract/relations.ts';
import type { ArchivedRecord, ListedRecord, RecordIdentity } from '../losses/naming-losses.ts';
import { comparedFieldNames, fieldsOf } from './compared-fields.ts';
import type { FieldOfRelation } from './field-readers.ts';
import type { PossibleRename } from '../losses/renamed-records.ts';
import type { ContentDifference } from './content-differences.ts';
import { lastPart, namesIn, namesWithout } from './field-values.ts';
import { hasLaterChange, mayBeEditedLater, type ComparisonTimes } from './later-edits.ts';
import {
  describeUnpaired,
  pairFields,
  type FieldDifference,
  type FieldPair,
  type PairedFields,
} from './paired-records.ts';

export interface ContentSides extends ComparisonTimes {
  /** Null if the source cannot be read. */
  source: ListedContents | null;
  archive: Readonly<Record<RecordRelation, readonly ArchivedRecord[]>>;
  target: ListedContents;
  /** Records that the target may have renamed. */
  renames: readonly PossibleRename[];
}

/** A list is null if the account may not read it. */
type ListedContents = Readonly<Record<RecordRelation, readonly ListedRecord[] | null>>;

export const recordRelations = comparedRelations.filter(
  (relation): relation is RecordRelation => !isRef(relation),
);

/** Returns the differences between fields, the fields that were not compared, and sentences about these. */
export function differingFields(sides: ContentSides): {
  differences: ContentDifference[];
  declared: string[];
  uncompared: FieldOfRelation[];
} {
  const isRenamed = renamesOf(sides);
  const isRenamedOnTarget = renamesOnTarget(sides);
  const exported = pairSide(sides.archive, sides.source, toExportDifference);
  const imported = pairSide(sides.archive, sides.target, toImportDifference);
  const found = [...exported, ...imported].flatMap(({ differences }) => differences);
  return {
    differences: found.map((difference) => ({
      ...difference,
      record: difference.archived,
      isCertain:
        difference.lost === 'on-export'
          ? isCertainOnExport(difference, sides.exportedAt, isRenamed)
          : !mayBeEditedOnTarget(difference, sides, isRenamedOnTarget),
    })),
    declared: [...describeUnpaired('source', exported), ...describeUnpaired('target', imported)],
    uncompared: [...exported, ...imported].flatMap(({ relation, ambiguousCount, onOneSide }) => {
      const fields = ambiguousCount > 0 ? comparedFieldNames(relation) : onOneSide;
      return fields.map((field) => ({ relation, field }));
    }),
  };
}

/** Pairs the fields of each relation that the instance lists. */
const pairSide = (
  archive: ContentSides['archive'],
  listed: ListedContents | null,
  toDifference: (pair: FieldPair) => FieldDifference,
): (PairedFields & { relation: RecordRelation })[] =>
  recordRelations.flatMap((relation) => {
    const list = listed?.[relation] ?? null;
    if (list === null) return [];
    const isReadable = (other: RecordRelation): boolean => listed?.[other] !== null;
    return [{ relation, ...pairFields(relation, archive[relation], list, isReadable, toDifference) }];
  });

const toExportDifference = (pair: FieldPair): FieldDifference => ({
  ...{ ...pair, lost: 'on-export' },
  ...{ expected: pair.listedValue, found: pair.archivedValue },
});

const toImportDifference = (pair: FieldPair): FieldDifference => ({
  ...{ ...pair, lost: 'on-import' },
  expected: pair.field.afterImport?.(pair.archivedValue) ?? pair.archivedValue,
  found: pair.listedValue,
});

/** Returns whether the value may have been edited on the target after the import. */
function mayBeEditedOnTarget(
  { archived, listed, field, expected, found }: FieldDifference,
  times: ComparisonTimes,
  isRenamed: (name: string) => boolean,
): boolean {
  const changed = field.hasRenames === true ? changedNames(expected, found) : [];
  // Lists of a board that only have another order have no changed name.
  if (changed.length > 0 && changed.every(isRenamed)) return true;
  const changesSilently = field.hasRenames === true || field.changesSilently === true;
  return mayBeEditedLater(
    { archivedAt: archived.updatedAt, listedAt: listed.updatedAt, changesSilently },
    times,
  );
}

/** Returns whether the target may have renamed the label or milestone, or given it this name. */
function renamesOnTarget({ renames, archive, target, importedAt }: ContentSides): (name: string) => boolean {
  const names = new Set(renames.flatMap(({ archived, name }) => [archived.title ?? '', name]));
  const milestones = new Map(archive.milestones.map((milestone) => [milestone.key, milestone]));
  for (const { key, title, updatedAt } of target.milestones ?? []) {
    const archived = milestones.get(key);
    if (archived === undefined || archived.title === title) continue;
    if (hasLaterChange({ archivedAt: archived.updatedAt, listedAt: updatedAt }, importedAt)) {
      names.add(archived.title ?? '');
      names.add(title ?? '');
    }
  }
  // The lists of a board name the kind of a milestone, too.
  return (name) => names.has(name.replace(/^milestone /, ''));
}

/** Returns whether a name may be new or renamed: it does not occur in both source and archive. */
function renamesOf({ source, archive }: ContentSides): (name: string) => boolean {
  const archived = namesOf(archive);
  const listed = source === null ? new Set() : namesOf(source);
  return (name) => name !== '' && !(archived.has(name) && listed.has(name));
}

/** Returns the titles of labels and milestones, also of those of groups, which other records mention. */
function namesOf(side: Readonly<Record<RecordRelation, readonly RecordIdentity[] | null>>): Set<string> {
  const records = [...(side.labels ?? []), ...(side.milestones ?? [])];
  const names = new Set(records.flatMap(({ title }) => title ?? []));
  for (const relation of recordRelations) {
    const fields = Object.entries(fieldsOf(relation)).filter(([, { hasRenames }]) => hasRenames === true);
    for (const { contents } of side[relation] ?? [])
      for (const [field] of fields)
        for (const name of namesIn(contents?.[field] ?? '')) names.add(lastPart(name));
  }
  return names;
}

/** Lists of labels and releases have no time of the last change, so it is not known whether they changed later. */
function isCertainOnExport(
  { name, field, listed, expected, found }: FieldDifference,
  exportedAt: number,
  isRenamed: (name: string) => boolean,
): boolean {
  // Events and reactions that the source still shows were there before the export.
  if (found === '' && (listed.partTimes?.[name] ?? Infinity) < exportedAt) return true;
  if (field.changesSilently === true || listed.updatedAt === null || listed.updatedAt >= exportedAt)
    return false;
  return field.hasRenames !== true || !changedNames(expected, found).some(isRenamed);
}

/** Returns the last parts of the names that one side has less often, which are names of labels and milestones. */
const changedNames = (expected: string, found: string): string[] =>
  [...namesWithout(expected, found), ...namesWithout(found, expected)].map(lastPart);
