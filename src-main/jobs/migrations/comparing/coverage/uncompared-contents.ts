/** @file Counts the records of an archive that contain parts which no comparison covers. Pure. */
import type { Inspection } from '../../../../../src-contract/archives/archive.ts';
import type { Reconciliation } from '../../../../../src-contract/transfers/import.ts';
import {
  uncomparedPartNames,
  type UncomparedPart,
} from '../../../../../src-contract/transfers/uncompared-parts.ts';
import { isFields, type Fields } from '../contents/field-readers.ts';
import { archiveCoverage, relationCoverage } from './archive-coverage.ts';
import { coverRecord } from './field-coverage.ts';

export interface UncomparedContents {
  /** Number of records that contain the part. */
  counts: Map<UncomparedPart, number>;
  /** Fields that this version does not know, with their relation, such as `issues.mood`. */
  unknownFields: Set<string>;
}

export const noUncomparedContents = (): UncomparedContents => ({
  counts: new Map(),
  unknownFields: new Set(),
});

export function addPart({ counts }: UncomparedContents, part: UncomparedPart): void {
  counts.set(part, (counts.get(part) ?? 0) + 1);
}

/** @param relation `project` for the attributes of the project. */
export function addRecord(uncompared: UncomparedContents, relation: string, record: Fields): void {
  const table = archiveCoverage[relation];
  if (table === undefined || typeof table === 'string') return;
  const found = { unknown: new Set<string>(), parts: new Set<UncomparedPart>() };
  coverRecord(record, table, found);
  for (const field of found.unknown) uncompared.unknownFields.add(`${relation}.${field}`);
  for (const part of found.parts) addPart(uncompared, part);
}

/**
 * Returns every part that is not compared, with the number of records that contain it.
 * @param contents parts in the records that a comparison reads. @param settings the columns of the project's settings.
 */
export function notComparedParts(
  contents: UncomparedContents,
  settings: Readonly<Record<string, Fields | null>>,
  { relations, bundles }: Pick<Inspection, 'relations' | 'bundles'>,
): Reconciliation['notCompared'] {
  const settingContents = noUncomparedContents();
  for (const [relation, columns] of Object.entries(settings))
    if (isFields(columns)) addRecord(settingContents, relation, columns);
  const files: Partial<Record<UncomparedPart, number>> = {
    wiki_contents: bundles.filter(({ member }) => member.endsWith('project.wiki.bundle')).length,
  };
  const inRelations = (part: UncomparedPart): number =>
    Object.entries(relations)
      .filter(([relation]) => relationCoverage(relation) === part)
      .reduce((sum, [, count]) => sum + count, 0);
  return uncomparedPartNames.map((part) => ({
    part,
    records:
      (contents.counts.get(part) ?? 0) +
      (settingContents.counts.get(part) ?? 0) +
      (files[part] ?? 0) +
      inRelations(part),
  }));
}

const maxNamedFields = 20;

/** Returns a sentence about fields that this version does not know; none if it knows all of them. */
export function describeUnknownFields({ unknownFields }: UncomparedContents): string[] {
  if (unknownFields.size === 0) return [];
  const more = unknownFields.size - maxNamedFields;
  const names = [...unknownFields].toSorted().slice(0, maxNamedFields).join(', ');
  return [
    `The archive contains fields that this version does not know, so they were not compared: ${names}${more > 0 ? `, and ${more} more` : ''}.`,
  ];
}
