/** @file What a comparison must say because a side could not be counted or listed: in sentences, by name. Pure. */
import type { Comparison } from '../../../src-preload/contract/import.ts';
import { relationText } from '../../../src-preload/contract/words/relations.ts';

/** Relations whose notes are counted apart: without them nothing is known of their notes either. */
const carriers: Partial<Record<string, string>> = {
  issue_notes: 'issues',
  merge_request_notes: 'merge_requests',
};

/** One sentence for all of which nothing on the source could be held against the archive. */
export function aboutUnknownSource(relations: readonly string[]): string[] {
  const said = relations.filter((relation) => !relations.includes(carriers[relation] ?? ''));
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
  const said = unknown.filter((relation) => !unknown.includes(carriers[relation] ?? ''));
  if (said.length === 0) return [];
  const names = said.map(relationText).join(', ');
  return [`These could not be counted on the target, so whether they arrived is not known: ${names}.`];
}
