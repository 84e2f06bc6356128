/** @file Finds the instance and the project that the address of a page belongs to. Pure. */

export interface ProjectAddress<Known> {
  instance: Known;
  /** Full path, decoded. */
  project: string;
}

export function isHttpUrl(typed: string): boolean {
  return /^https?:\/\//i.test(typed.trim());
}

/**
 * Returns the instance whose URL is the longest beginning of the address, so that one below a path wins over its host, and
 * the path of the project without its suffix (`/-/…`, `.git`, query, fragment). Null when no instance or no project fits.
 */
export function projectAddress<Known extends { url: string }>(
  typed: string,
  instances: readonly Known[],
): ProjectAddress<Known> | null {
  const url = isHttpUrl(typed) ? URL.parse(typed.trim()) : null;
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
