/** @file Sentences of a comparison about sides that could not be counted or listed. Pure. */
import type { Comparison } from '../../../src-contract/transfers/import.ts';
import { relationOfNoteRow } from '../../../src-contract/relations.ts';
import { relationText } from '../../../src-contract/words/relations.ts';

/** Removes rows of notes if their relation is also a row, because an unknown relation implies unknown notes. */
const withoutImplied = (rows: readonly string[]): string[] =>
  rows.filter((row) => !rows.includes(relationOfNoteRow(row) ?? ''));

export function describeUnknownSource(relations: readonly string[]): string[] {
  const shown = withoutImplied(relations);
  if (shown.length === 0) return [];
  const names = shown.map(relationText).join(', ');
  return [
    `These could not be counted or listed on the source, so losses in the export are not known: ${names}.`,
  ];
}

/** @param relations that the source did not list during the comparison, and counted around the export. */
export function describeUnlistedSource(relations: readonly string[]): string[] {
  if (relations.length === 0) return [];
  const names = relations.map(relationText).join(', ');
  return [
    `These could not be listed on the source after the export, so only their numbers at the time of the export were compared, not their names and contents: ${names}.`,
  ];
}

export const unreadTargetText =
  'The target could not be read after the import, so it is not known whether the records arrived.';

export function describeUnknownTarget(rows: readonly Comparison[]): string[] {
  const unknown = rows
    .filter(({ archive, target }) => target === null && archive !== 0)
    .map(({ relation }) => relation);
  const shown = withoutImplied(unknown);
  if (shown.length === 0) return [];
  const names = shown.map(relationText).join(', ');
  return [`These could not be counted on the target, so it is not known whether they arrived: ${names}.`];
}
