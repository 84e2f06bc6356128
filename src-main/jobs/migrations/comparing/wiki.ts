/** @file Compares whether each side has a wiki. The number of pages in an archive is not known. Pure. */
import type { Inspection } from '../../../../src-contract/archives/archive.ts';
import type { RelationCounts } from './three-way-comparison.ts';

/**
 * Returns 1 for a side with pages and 0 for a side without. `source` is a number of pages, `target` a size in bytes;
 * null if the account may not read it. If the source may have changed after the export, its wiki may be newer.
 */
export function wikiAmount(
  { bundles }: Pick<Inspection, 'bundles'>,
  source: number | null,
  target: number | null,
  mayHaveChanged = false,
): RelationCounts {
  const bundle = bundles.find(({ member }) => member === 'project.wiki.bundle');
  const toPresence = (pages: number | null): number | null => (pages === null ? null : Math.min(pages, 1));
  const archive = bundle === undefined || bundle.branches === 0 ? 0 : 1;
  return {
    relation: 'wiki',
    source: archive === 0 && mayHaveChanged ? null : toPresence(source),
    archive,
    target: toPresence(target),
  };
}
