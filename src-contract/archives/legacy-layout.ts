/**
 * @file The legacy layout: archives with all records in one document. GitLab 15.11 and newer refuse them (gitlab-facts
 * 5.2).
 */
import type { Inspection } from './archive.ts';
import { AppError } from '../errors.ts';
import { compareReleases, releaseOf, type Release } from '../instances/releases.ts';

/** The last release that imports the legacy layout. */
const lastLegacyRelease: Release = { major: 15, minor: 10 };

/** Returns whether that version of GitLab imports the legacy layout; null if the version is unknown. */
export function acceptsLegacyLayout(version: string | null): boolean | null {
  const release = releaseOf(version);
  return release === null ? null : compareReleases(release, lastLegacyRelease) <= 0;
}

/**
 * Throws `layout-refused` if that version of GitLab refuses the layout. Returns a warning if the version is unknown,
 * else null.
 */
export function assertLayoutAccepted(
  { layout }: Pick<Inspection, 'layout'>,
  version: string | null,
): string | null {
  if (layout !== 'legacy') return null;
  const isAccepted = acceptsLegacyLayout(version);
  if (isAccepted === null) return 'The archive has the old layout, which GitLab 15.11 and newer refuse.';
  if (isAccepted) return null;
  throw new AppError(
    'layout-refused',
    `All records of the archive are in one document, which GitLab 15.11 and newer refuse; the target is ${version?.trim() ?? ''}.`,
  );
}
