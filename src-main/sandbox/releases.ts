/** @file Compares releases of GitLab, because the sandbox behaves like the release that it reports. */

/** Returns true if `version` (`18.5.0-ee`) is `release` (`17.1`) or a later release. */
export function isAtLeast(version: string, release: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number.parseFloat);
  const [minMajor = 0, minMinor = 0] = release.split('.').map(Number);
  return major > minMajor || (major === minMajor && minor >= minMinor);
}
