/** @file Resolves the namespace of a project that is created, forked or imported. */
import type { Instance } from '../../../src-contract/instances/instance.ts';
import type { Connections } from '../instances/connections.ts';

/**
 * Returns the full path of a namespace given by path or id, to find the new project by its path later. Null means the
 * account's own namespace.
 */
export async function resolveNamespace(
  connections: Pick<Connections, 'connect'>,
  instance: Instance,
  idOrPath: string | null,
  signal: AbortSignal,
): Promise<string> {
  const remote = connections.connect(instance);
  return idOrPath === null ? (await remote.user(signal)).username : remote.namespacePath(idOrPath, signal);
}
