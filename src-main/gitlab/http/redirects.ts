/**
 * @file Where a redirect may lead. The token belongs to the instance's origin: once a download has left it, nothing is
 * trusted any more, not even a way back. [Note: token stays on its origin]
 */
import { AppError } from '../../../src-contract/errors.ts';

/** One address of a download; only a `trusted` one may be sent the token. */
export interface Hop {
  url: URL;
  trusted: boolean;
}

/** The next address of a download, or `redirect-refused`: unusable, with credentials in it, or away from https. */
export function nextHop(current: Hop, location: string | undefined): Hop {
  const url = parseLocation(location, current.url);
  if (current.url.protocol === 'https:' && url.protocol !== 'https:') {
    throw redirectRefused(url, 'it leads from https to http');
  }
  return { url, trusted: current.trusted && url.origin === current.url.origin };
}

const apiRoot = '/api/v4/';

/**
 * The new address of a project that moved within its instance (301 of gitlab-facts 1.2), or `redirect-refused`. GitLab
 * names itself by its configured address, which may not be the one we reach it by: only what follows `/api/v4/` is taken.
 */
export function movedTo(current: URL, location: string | undefined): URL {
  const url = parseLocation(location, current);
  const from = url.pathname.indexOf(apiRoot);
  const base = current.pathname.indexOf(apiRoot);
  if (from === -1 || base === -1) throw redirectRefused(url, 'it leads to another place than the API');
  const path = current.pathname.slice(0, base) + url.pathname.slice(from);
  return new URL(path + url.search, current.origin);
}

/** A project found elsewhere than it was looked for: its id or full path as asked, and where it is now. */
export interface ProjectMove {
  from: string;
  to: string;
}

/** What a followed 301 tells of a project; null where it is about something else. */
export function projectMove(asked: URL, target: URL): ProjectMove | null {
  const [from, to] = [asked, target].map(
    ({ pathname }) => /\/api\/v4\/projects\/([^/]+)/.exec(pathname)?.[1],
  );
  if (from === undefined || to === undefined || from === to) return null;
  return { from: decodeURIComponent(from), to: decodeURIComponent(to) };
}

/** The refusal, naming the target without its query: that of a signed address is a secret. */
export function redirectRefused(target: URL | null, why: string, status: number | null = null): AppError {
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
  if (url === null) throw redirectRefused(null, 'it does not say where to');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw redirectRefused(null, 'it leaves the web');
  if (url.username !== '' || url.password !== '') throw redirectRefused(url, 'it carries credentials');
  return url;
}
