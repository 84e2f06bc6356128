/** @file Pairs the records of an archive with those of an instance, and their fields. Pure. */
import type { RecordRelation } from '../../../../../src-contract/relations.ts';
import { relationText } from '../../../../../src-contract/words/relations.ts';
import type { ArchivedRecord, ListedRecord } from '../losses/naming-losses.ts';
import { fieldsOf } from './compared-fields.ts';
import type { ComparedField } from './field-readers.ts';

export interface FieldPair {
  relation: RecordRelation;
  archived: ArchivedRecord;
  listed: ListedRecord;
  name: string;
  field: ComparedField;
  archivedValue: string;
  listedValue: string;
}

export interface PairedFields {
  pairs: FieldPair[];
  /** Number of records whose fields were not compared, because several records of a side have the same key. */
  ambiguousCount: number;
  /** Names of fields that have a value on one side, and are unknown on the other. */
  onOneSide: string[];
}

/** @param isReadable returns whether the instance showed the list of a relation. */
export function pairFields(
  relation: RecordRelation,
  archive: readonly ArchivedRecord[],
  list: readonly ListedRecord[],
  isReadable: (relation: RecordRelation) => boolean,
): PairedFields {
  const listedByKey = Map.groupBy(list, ({ key }) => key);
  const pairs: FieldPair[] = [];
  const onOneSide = new Set<string>();
  let ambiguousCount = 0;
  for (const [key, archived] of Map.groupBy(archive, (record) => record.key)) {
    const found = listedByKey.get(key) ?? [];
    const [one, other] = [archived[0], found[0]];
    if (one === undefined || other === undefined) continue;
    if (key === null || archived.length > 1 || found.length > 1) {
      ambiguousCount += archived.length;
      continue;
    }
    // The contents of a label of a group, and of a record that is too large, are unknown.
    if (one.contents === undefined || other.contents === undefined) continue;
    for (const [name, field] of Object.entries(fieldsOf(relation))) {
      const [archivedValue, listedValue] = [one.contents[name], other.contents[name]];
      const isShown = field.needs === undefined || isReadable(field.needs);
      if (archivedValue !== undefined && listedValue !== undefined && isShown)
        pairs.push({ relation, archived: one, listed: other, name, field, archivedValue, listedValue });
      else if (field.isReadSingly !== true && (hasValue(archivedValue) || hasValue(listedValue)))
        onOneSide.add(name);
    }
  }
  return { pairs, ambiguousCount, onOneSide: [...onOneSide] };
}

/** Nothing can be lost of an empty field, or of a switch that is off. */
const hasValue = (value: string | undefined): boolean => !['', 'false', '0', undefined].includes(value);

/** Returns sentences about the fields that were not compared with an instance. */
export function describeUnpaired(
  side: 'source' | 'target',
  paired: readonly (Pick<PairedFields, 'ambiguousCount' | 'onOneSide'> & { relation: RecordRelation })[],
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
          `The fields of these records were not compared with the ${side}, because records with the same name or number cannot be distinguished: ${counts.join(', ')}.`,
        ]),
    ...(names.length === 0
      ? []
      : [
          `These fields were not compared with the ${side}, because only one of archive and ${side} has them: ${names.join('; ')}.`,
        ]),
  ];
}
