/** @file The error for a reference that matches several archives when only one is allowed. */
import { AppError } from '../../../src-contract/errors.ts';

export interface ArchiveCandidate {
  absolutePath: string;
  sha256: string;
}

const maxListedPaths = 10;

/**
 * Returns the error with the paths of the archives. Copies of the same bytes share a hash, so only paths distinguish
 * them.
 */
export function ambiguousArchiveError(
  reference: string,
  candidates: readonly ArchiveCandidate[],
  scopeText = '',
): AppError {
  const paths = candidates.map(({ absolutePath }) => absolutePath);
  const listedPaths = paths.slice(0, maxListedPaths).join(', ');
  const moreText = paths.length > maxListedPaths ? `, and ${paths.length - maxListedPaths} more` : '';
  const areIdentical = candidates.every(({ sha256 }) => sha256 === candidates[0]?.sha256);
  const summary = areIdentical
    ? `The same bytes (SHA-256 ${candidates[0]?.sha256.slice(0, 12) ?? '?'}) are in ${candidates.length} archives${scopeText}`
    : `"${reference}" matches ${candidates.length} archives${scopeText}`;
  return new AppError('archive-ambiguous', `${summary}: ${listedPaths}${moreText}.`, {
    details: { reference, alike: areIdentical, paths: paths.join('\n') },
  });
}
