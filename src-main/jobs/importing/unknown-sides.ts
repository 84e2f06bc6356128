/** @file What a comparison must say because a side could not be counted or listed: in sentences, by name. Pure. */
import type { Comparison } from '../../../src-contract/import.ts';
import { carrierOf } from '../../../src-contract/relations.ts';
import { relationText } from '../../../src-contract/words/relations.ts';

/** Returns the rows without those of notes whose relation is a row too: where it is unknown, its notes are. */
const withoutImplied = (rows: readonly string[]): string[] =>
  rows.filter((row) => !rows.includes(carrierOf(row) ?? ''));

/** One sentence for all of which nothing on the source could be held against the archive. */
export function aboutUnknownSource(relations: readonly string[]): string[] {
  const said = withoutImplied(relations);
  if (said.length === 0) return [];
  const names = said.map(relationText).join(', ');
  return [
    `These could not be counted or listed on the source, so what the export lost of them is not known: ${names}.`,
  ];
}

/** One sentence for all that was archived and could not be counted on the target. */
export function aboutUnknownTarget(rows: readonly Comparison[]): string[] {
  const unknown = rows
    .filter(({ archive, target }) => target === null && archive !== 0)
    .map(({ relation }) => relation);
  const said = withoutImplied(unknown);
  if (said.length === 0) return [];
  const names = said.map(relationText).join(', ');
  return [`These could not be counted on the target, so whether they arrived is not known: ${names}.`];
}
