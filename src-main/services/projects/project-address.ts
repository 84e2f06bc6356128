/** @file Finds the instance and the project of a page address. Pure. */

export interface ProjectAddress<Known> {
  instance: Known;
  /** Full path, decoded. */
  project: string;
}

export function isHttpUrl(input: string): boolean {
  return /^https?:\/\//i.test(input.trim());
}

/**
 * Returns the instance whose URL is the longest prefix of the address: one at `host/gitlab` wins over one at
 * `host`. Also returns the project path without suffix (`/-/…`, `.git`, query, fragment). Null if no instance or no
 * project matches.
 */
export function projectAddress<Known extends { url: string }>(
  input: string,
  instances: readonly Known[],
): ProjectAddress<Known> | null {
  const url = isHttpUrl(input) ? URL.parse(input.trim()) : null;
  if (url === null) return null;
  const path = url.pathname.replace(/\/{2,}/g, '/');
  const [nearest] = instances
    .flatMap((instance) => {
      const base = URL.parse(instance.url);
      if (base === null || base.host !== url.host) return [];
      const prefix = `${base.pathname.replace(/\/+$/, '')}/`;
      return path.startsWith(prefix) ? [{ instance, prefix }] : [];
    })
    .sort((a, b) => b.prefix.length - a.prefix.length);
  if (nearest === undefined) return null;
  const project = decoded(path.slice(nearest.prefix.length))
    ?.replace(/(^|\/)-(\/.*)?$/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
  if (project === undefined || !/^[^/]+(\/[^/]+)+$/.test(project)) return null;
  return { instance: nearest.instance, project };
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
