/** @file Pairs the records of an archive with those of an instance, and their fields. Pure. */
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import type { RecordRelation } from '../../../../../src-contract/relations.ts';
import { relationText } from '../../../../../src-contract/words/relations.ts';
import type { ArchivedRecord, ListedRecord } from '../losses/naming-losses.ts';
import { fieldsOf, type RecordContents } from './compared-fields.ts';
import type { ComparedField } from './field-readers.ts';
import {
  countsIn,
  firstPart,
  haveEquallyMany,
  namesWhere,
  namesWithout,
  normalizers,
} from './field-values.ts';
import { recordsByKey } from '../records-by-key.ts';

export interface FieldPair {
  relation: RecordRelation;
  archived: ArchivedRecord;
  listed: ListedRecord;
  name: string;
  field: ComparedField;
  archivedValue: string;
  listedValue: string;
}

/** A field whose value an export or import lost or changed. */
export interface FieldDifference extends FieldPair {
  lost: MissingRecord['lost'];
  expected: string;
  found: string;
}

export interface PairedFields {
  differences: FieldDifference[];
  /** Number of records whose fields were not compared, because they have no key, or share it with others on a side. */
  ambiguousCount: number;
  /** Names of fields that have a value on one side, and are unknown on the other. */
  onOneSide: string[];
}

/**
 * Keeps only the pairs that differ, because a large project has millions of pairs.
 * @param isReadable returns whether the instance showed the list of a relation.
 */
export function pairFields(
  relation: RecordRelation,
  archive: readonly ArchivedRecord[],
  list: readonly ListedRecord[],
  isReadable: (relation: RecordRelation) => boolean,
  toDifference: (pair: FieldPair) => FieldDifference,
): PairedFields {
  const listedByKey = recordsByKey(list);
  const differences: FieldDifference[] = [];
  const onOneSide = new Set<string>();
  let ambiguousCount = 0;
  for (const [key, archived] of recordsByKey(archive)) {
    const found = listedByKey.get(key) ?? [];
    const [one, other] = [archived[0], found[0]];
    if (key === null) ambiguousCount += archived.filter(({ contents }) => contents !== undefined).length;
    if (key === null || one === undefined || other === undefined) continue;
    if (archived.length > 1 || found.length > 1) {
      ambiguousCount += archived.length;
      continue;
    }
    // The contents of a record that is too large are unknown, and `group-contents.ts` compares the records of groups.
    const [before, after] = [one.contents, other.contents];
    if (before === undefined || after === undefined || other.isInherited === true) continue;
    for (const [name, field] of Object.entries(fieldsOf(relation))) {
      const [archivedValue, listedValue] = [before[name], after[name]];
      const isShown = field.needs === undefined || isReadable(field.needs);
      if (field.isNeverCompared === true || (field.isDerivedIfEmpty === true && (archivedValue ?? '') === ''))
        continue;
      const hasBoth = archivedValue !== undefined && listedValue !== undefined;
      if (field.requiresSameCount === true && hasBoth && !haveEquallyMany(archivedValue, listedValue))
        continue;
      if (archivedValue !== undefined && listedValue !== undefined && isShown) {
        const sides = comparableValues(field, [archivedValue, listedValue], before, after);
        const pair = { relation, archived: one, listed: other, name, field, ...sides };
        const difference = toDifference(pair);
        if (difference.expected !== difference.found) differences.push(difference);
      } else if (
        (field.isReadSingly !== true || archivedValue === undefined) &&
        (hasValue(archivedValue) || hasValue(listedValue))
      )
        onOneSide.add(name);
    }
  }
  return { differences, ambiguousCount, onOneSide: [...onOneSide] };
}

/** Returns the values without the entries that are not compared. */
function comparableValues(
  { entriesOf, hiddenEntries }: ComparedField,
  [archivedValue, listedValue]: [string, string],
  before: RecordContents,
  after: RecordContents,
): Pick<FieldPair, 'archivedValue' | 'listedValue'> {
  if (entriesOf !== undefined)
    return withSharedEntries([archivedValue, listedValue], before[entriesOf], after[entriesOf]);
  const hidden = hiddenEntries === undefined ? undefined : before[hiddenEntries];
  const areHidden = hiddenEntries !== undefined && after[hiddenEntries] === undefined;
  if (!areHidden || hidden === undefined || hidden === '') return { archivedValue, listedValue };
  const shown = namesWithout(archivedValue, hidden);
  return { archivedValue: normalizers.entries(shown) ?? archivedValue, listedValue };
}

/** Returns the values of entries that both sides have equally often. */
function withSharedEntries(
  [archivedValue, listedValue]: [string, string],
  archivedEntries: string | undefined,
  listedEntries: string | undefined,
): Pick<FieldPair, 'archivedValue' | 'listedValue'> {
  const before = countsIn(archivedEntries ?? '', firstPart);
  const after = countsIn(listedEntries ?? '', firstPart);
  const ofShared = (value: string): string =>
    namesWhere(value, (name) => before.get(firstPart(name)) === after.get(firstPart(name)));
  return { archivedValue: ofShared(archivedValue), listedValue: ofShared(listedValue) };
}

/** Nothing can be lost of an empty field, or of a switch that is off. */
export const hasValue = (value: string | undefined): boolean =>
  !['', 'false', '0', undefined].includes(value);

/** Returns sentences about the fields that were not compared with an instance. */
export function describeUnpaired(
  side: 'source' | 'target',
  paired: readonly (Omit<PairedFields, 'pairs'> & { relation: RecordRelation })[],
): string[] {
  const ambiguous = paired.filter(({ ambiguousCount }) => ambiguousCount > 0);
  const partial = paired.filter(({ onOneSide }) => onOneSide.length > 0);
  const counts = ambiguous.map(
    ({ relation, ambiguousCount }) => `${relationText(relation)} (${ambiguousCount})`,
  );
  const names = partial.map(
    ({ relation, onOneSide }) => `${onOneSide.join(', ')} of ${relationText(relation)}`,
  );
  return [
    ...(counts.length === 0
      ? []
      : [
          `The fields of these records were not compared with the ${side}, because records with the same name or number, or without one, cannot be distinguished: ${counts.join(', ')}.`,
        ]),
    ...(names.length === 0
      ? []
      : [
          `These fields were not compared with the ${side}, because only one of archive and ${side} has them: ${names.join('; ')}.`,
        ]),
  ];
}
