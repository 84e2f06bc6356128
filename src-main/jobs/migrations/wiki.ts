/** @file Whether the wiki is there, on each side: how many pages an archive holds is not known. Pure. */
import type { Inspection } from '../../../src-contract/archive.ts';
import type { Amount } from './three-ways.ts';

/** 1 where there are pages, 0 where there are none. @param source and `target` are pages; null: they may not be listed. */
export function wikiAmount(
  { bundles }: Pick<Inspection, 'bundles'>,
  source: number | null,
  target: number | null,
): Amount {
  const bundle = bundles.find(({ member }) => member === 'project.wiki.bundle');
  const present = (pages: number | null): number | null => (pages === null ? null : Math.min(pages, 1));
  return {
    relation: 'wiki',
    source: present(source),
    archive: bundle === undefined || bundle.branches === 0 ? 0 : 1,
    target: present(target),
  };
}
