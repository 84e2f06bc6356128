/**
 * @file Compares whether each side has a wiki, and its pages on source and target. The archive has the pages in a Git
 * repository, which is not read. Pure.
 */
import type { Inspection } from '../../../../src-contract/archives/archive.ts';
import type { ContentDifference } from './contents/content-differences.ts';
import type { RelationCounts } from './three-way-comparison.ts';

/** The name of the row in a comparison. */
export const wiki = 'wiki';

export interface WikiPage {
  slug: string;
  /** The digest of format and content; null if they are not known. */
  sha256: string | null;
}

export interface WikiSides {
  /** Null if the pages were not read. Likewise `target`. */
  source: readonly WikiPage[] | null;
  target: readonly WikiPage[] | null;
  /** Whether the archive contains a wiki. */
  isArchived: boolean;
  /** True if source or target may have been edited since the export. GitLab shows no times of pages. */
  mayBeEdited: boolean;
}

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
    relation: wiki,
    source: archive === 0 && mayHaveChanged ? null : toPresence(source),
    archive,
    target: toPresence(target),
  };
}

/**
 * A difference counts as lost on import, although the export may have lost it. If the archive has no wiki, the export lost
 * all pages. Additional pages of the target are no loss.
 */
export function differingPages({ source, target, isArchived, mayBeEdited }: WikiSides): ContentDifference[] {
  if (source === null || target === null) return [];
  const side = isArchived ? 'on-import' : 'on-export';
  const found = new Map(target.map(({ slug, sha256 }) => [slug, sha256]));
  return source.flatMap(({ slug, sha256 }): ContentDifference[] => {
    const onTarget = found.get(slug);
    const isUnknown = onTarget === null || (onTarget !== undefined && sha256 === null);
    if (isUnknown || onTarget === sha256) return [];
    return [
      {
        ...{ relation: wiki, record: { line: null, iid: null, title: slug }, lost: side },
        ...{ name: 'content', expected: digestText(sha256), found: digestText(onTarget ?? null) },
        isCertain: !mayBeEdited,
      },
    ];
  });
}

const digestText = (sha256: string | null): string => (sha256 === null ? 'no content' : `SHA-256 ${sha256}`);

export function describeUncomparedPages(
  hasArchivedWiki: boolean,
  { source, target }: Pick<WikiSides, 'source' | 'target'>,
): string[] {
  const isRead = [...(source ?? []), ...(target ?? [])].every(({ sha256 }) => sha256 !== null);
  if (!hasArchivedWiki || (source !== null && target !== null && isRead)) return [];
  return [
    'The pages of the wiki were not compared, or not their contents, because source and target did not both show them. The archive has them in a Git repository, which is not read.',
  ];
}
