/**
 * @file Compares the pages of a wiki on source and target. The archive has them in a Git repository, which is not read, so a
 * difference counts as lost on import, although the export may have lost it. Pure.
 */
import type { ContentDifference } from './contents/content-differences.ts';

export interface WikiPage {
  slug: string;
  /** The digest of format and content; null if they are not known. */
  sha256: string | null;
}

export interface WikiSides {
  /** Null if the pages were not read. Likewise `target`. */
  source: readonly WikiPage[] | null;
  target: readonly WikiPage[] | null;
  /** True if source or target may have been edited since the export. GitLab shows no times of pages. */
  mayBeEdited: boolean;
}

/** Additional pages of the target are no loss. */
export function differingPages({ source, target, mayBeEdited }: WikiSides): ContentDifference[] {
  if (source === null || target === null) return [];
  const found = new Map(target.map(({ slug, sha256 }) => [slug, sha256]));
  return source.flatMap(({ slug, sha256 }): ContentDifference[] => {
    const onTarget = found.get(slug);
    const isUnknown = onTarget === null || (onTarget !== undefined && sha256 === null);
    if (isUnknown || onTarget === sha256) return [];
    return [
      {
        ...{ relation: 'wiki', record: { line: null, iid: null, title: slug }, lost: 'on-import' },
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
