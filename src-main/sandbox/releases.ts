/** @file Compares releases of GitLab: the sandbox behaves like the one it claims to be. */

/** Whether `version` (`18.5.0-ee`) is `release` (`17.1`) or a later one. */
export function isAtLeast(version: string, release: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number.parseFloat);
  const [minMajor = 0, minMinor = 0] = release.split('.').map(Number);
  return major > minMajor || (major === minMajor && minor >= minMinor);
}
