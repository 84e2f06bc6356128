/**
 * @file Decides which redirects are followed. Once a download has left the instance's origin, no later address gets the
 * token, not even on the same origin. [Note: token stays on its origin]
 */
import { AppError } from '../../../src-contract/errors.ts';

/** One address of a download. Only a `trusted` address gets the token. */
export interface Hop {
  url: URL;
  trusted: boolean;
}

/**
 * Returns the address that a redirect leads to. Throws `redirect-refused` if it is unusable, has credentials, or leads
 * from https to http.
 */
export function nextHop(current: Hop, location: string | undefined): Hop {
  const url = parseLocation(location, current.url);
  if (current.url.protocol === 'https:' && url.protocol !== 'https:') {
    throw redirectRefusedError(url, 'it leads from https to http');
  }
  return { url, trusted: current.trusted && url.origin === current.url.origin };
}

const apiRoot = '/api/v4/';

/**
 * Returns the new address of a project that moved within its instance (301 of gitlab-facts 1.2), or throws
 * `redirect-refused`. GitLab's configured address may differ from ours, so only the part after `/api/v4/` is used.
 */
export function movedProjectUrl(current: URL, location: string | undefined): URL {
  const url = parseLocation(location, current);
  const targetIndex = url.pathname.indexOf(apiRoot);
  const currentIndex = current.pathname.indexOf(apiRoot);
  if (targetIndex === -1 || currentIndex === -1) throw redirectRefusedError(url, 'it leads outside the API');
  const path = current.pathname.slice(0, currentIndex) + url.pathname.slice(targetIndex);
  return new URL(path + url.search, current.origin);
}

/** A project that was found at another path: the requested id or full path, and its current path. */
export interface ProjectMove {
  from: string;
  to: string;
}

/** Returns the project of a followed 301; null if the redirect is not about a project. */
export function projectMove(requested: URL, target: URL): ProjectMove | null {
  const [from, to] = [requested, target].map(
    ({ pathname }) => /\/api\/v4\/projects\/([^/]+)/.exec(pathname)?.[1],
  );
  if (from === undefined || to === undefined || from === to) return null;
  return { from: decodeURIComponent(from), to: decodeURIComponent(to) };
}

/**
 * Returns the refusal. The error names the target without its query, because the query of a signed address is a secret.
 */
export function redirectRefusedError(
  target: URL | null,
  why: string,
  status: number | null = null,
): AppError {
  return new AppError('redirect-refused', `A redirect is not followed: ${why}.`, {
    details: {
      target: target === null ? null : `${target.origin}${target.pathname}`,
      reason: why,
      ...(status !== null && { status }),
    },
  });
}

function parseLocation(location: string | undefined, base: URL): URL {
  const url = location === undefined || location === '' ? null : URL.parse(location, base.href);
  if (url === null) throw redirectRefusedError(null, 'it has no valid target');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw redirectRefusedError(null, 'it leads to an address that is not http or https');
  if (url.username !== '' || url.password !== '')
    throw redirectRefusedError(url, 'its target contains credentials');
  return url;
}
