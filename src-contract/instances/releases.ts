/** @file Parses and compares releases of GitLab. */

export interface Release {
  major: number;
  minor: number;
}

/** Returns the release of a version such as `18.1.1-ee`, also after white space; null for other text. */
export function releaseOf(version: string | null): Release | null {
  const [, major, minor] = /^\s*v?(\d{1,4})\.(\d{1,4})(?!\d)/.exec(version ?? '') ?? [];
  return major === undefined || minor === undefined ? null : { major: Number(major), minor: Number(minor) };
}

/** Returns less than zero if `a` is older. */
export const compareReleases = (a: Release, b: Release): number => a.major - b.major || a.minor - b.minor;

/** The last minor version by major version. Major versions not listed here end with the usual minor version 11. */
const lastMinors: Record<number, number> = { 12: 10, 13: 12, 14: 10 };

/** Returns the number of minor releases between two releases. `older` must not be newer than `newer`. */
export function minorsBetween(older: Release, newer: Release): number {
  let count = newer.minor - older.minor;
  for (let major = older.major; major < newer.major; major += 1) count += (lastMinors[major] ?? 11) + 1;
  return count;
}
