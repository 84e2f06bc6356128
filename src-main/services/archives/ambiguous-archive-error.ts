/** @file The error for a reference that matches several archives when only one is allowed. */
import { AppError } from '../../../src-contract/errors.ts';

export interface ArchiveCandidate {
  absolutePath: string;
  sha256: string;
}

const maxNamed = 10;

/**
 * Returns the error with the paths of the archives. Copies of the same bytes share a hash, so only paths distinguish
 * them.
 */
export function ambiguousArchiveError(
  reference: string,
  meant: readonly ArchiveCandidate[],
  where = '',
): AppError {
  const paths = meant.map(({ absolutePath }) => absolutePath);
  const named = paths.slice(0, maxNamed).join(', ');
  const more = paths.length > maxNamed ? `, and ${paths.length - maxNamed} more` : '';
  const areAlike = meant.every(({ sha256 }) => sha256 === meant[0]?.sha256);
  const says = areAlike
    ? `The same bytes (SHA-256 ${meant[0]?.sha256.slice(0, 12) ?? '?'}) are in ${meant.length} archives${where}`
    : `"${reference}" matches ${meant.length} archives${where}`;
  return new AppError('archive-ambiguous', `${says}: ${named}${more}`, {
    details: { reference, alike: areAlike, paths: paths.join('\n') },
  });
}
