/** @file Finds out why an operation on a project is not possible, as far as known without a request. */
import { operation, type RequiredAccess, type OperationId } from '../../../../../src-contract/operations.ts';
import type { Instance } from '../../../../../src-contract/instances/instance.ts';
import { refusalText as text, roleNames } from '../project.text.ts';
import { projectsText } from '../../projects.text.ts';

type Account = Pick<
  Instance,
  'name' | 'anonymous' | 'readOnly' | 'tokenCanWrite' | 'administrator' | 'serverVersion'
>;

const minLevel: Partial<Record<RequiredAccess, number>> = { maintainer: 40, owner: 50 };

/**
 * Returns null if the operation can be tried. Unknown facts, such as a role that the instance does not report, do not
 * count as a refusal.
 */
export function refusalOf(id: OperationId, instance: Account, accessLevel: number | null): string | null {
  const { method, requiredAccess, since } = operation(id);
  if (instance.anonymous && requiredAccess !== 'anyone') return text.anonymous;
  if (method !== 'GET') {
    if (instance.anonymous) return text.anonymous;
    if (instance.readOnly) return text.readOnly(instance.name);
    if (instance.tokenCanWrite === false) return text.tokenReadOnly;
  }
  if (
    since !== undefined &&
    instance.serverVersion !== null &&
    isVersionOlderThan(instance.serverVersion, since)
  ) {
    return text.version(since, instance.serverVersion);
  }
  if (instance.administrator) return null;
  if (requiredAccess === 'administrator') return text.administrator;
  const minimum = minLevel[requiredAccess];
  if (minimum === undefined || accessLevel === null || accessLevel >= minimum) return null;
  return text.role(roleNames[requiredAccess] ?? requiredAccess, projectsText.role(accessLevel));
}

/** True if a version such as `16.11.3-ee` is older than a release such as `17.2`. */
export function isVersionOlderThan(version: string, release: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  const [neededMajor = 0, neededMinor = 0] = release.split('.').map(Number);
  return major < neededMajor || (major === neededMajor && minor < neededMinor);
}
