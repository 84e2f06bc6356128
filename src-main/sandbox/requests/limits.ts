/** @file Rate limits in fixed windows of one or ten minutes, with the two kinds of 429 in gitlab-facts 4. */
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { ApiError } from './api-error.ts';
import type { Project, User } from '../sandbox-database.ts';

/** GitLab's default limits. Requests per minute unless the name says otherwise; 0 means unlimited. */
const gitlabLimits = {
  exportsPerMinute: 6,
  importsPerMinute: 6,
  downloadsPerMinute: 1,
  /** GitLab 14.10 to 17.9 counted downloads per namespace. */
  downloadScope: 'project' as 'project' | 'namespace',
  /** True if a refusal of the three limits above has `Retry-After`, which older servers did not send. */
  sendsRetryAfter: true,
  /** All requests of a user; refused with plain text by the layer before the API. */
  requestsPerMinute: 2000,
  /** Lists of projects: per user, and per address without a token. */
  listsPerTenMinutes: 2000,
  anonymousListsPerTenMinutes: 400,
  /** Reads of single projects per user. */
  projectsPerMinute: 400,
  userProjectsPerMinute: 300,
  contributedProjectsPerMinute: 100,
  starredProjectsPerMinute: 100,
  namespaceExistsPerMinute: 20,
};

export type SandboxLimits = typeof gitlabLimits;

export const limitPresets: Record<'none' | 'gitlab', SandboxLimits> = {
  none: Object.fromEntries(
    Object.entries(gitlabLimits).map(([name, limit]) => [name, typeof limit === 'number' ? 0 : limit]),
  ) as unknown as SandboxLimits,
  gitlab: gitlabLimits,
};

type RouteLimit = Exclude<keyof SandboxLimits, 'downloadScope' | 'sendsRetryAfter'>;

const routeLimits: readonly [RegExp, RouteLimit][] = [
  [/^\/api\/v4\/projects\/[^/]+\/?$/, 'projectsPerMinute'],
  [/^\/api\/v4\/users\/[^/]+\/projects\/?$/, 'userProjectsPerMinute'],
  [/^\/api\/v4\/users\/[^/]+\/contributed_projects\/?$/, 'contributedProjectsPerMinute'],
  [/^\/api\/v4\/users\/[^/]+\/starred_projects\/?$/, 'starredProjectsPerMinute'],
  [/^\/api\/v4\/namespaces\/[^/]+\/exists\/?$/, 'namespaceExistsPerMinute'],
];

const minute = 60_000;
const tenMinutes = 10 * minute;

export class RateLimiter {
  readonly #limits: SandboxLimits;
  readonly #clock: Clock;
  readonly #windows = new Map<number, { at: number; counts: Map<string, number> }>();

  constructor(limits: SandboxLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  checkRequest(user: User): void {
    const limit = this.#limits.requestsPerMinute;
    const count = this.#count(`request ${user.id}`);
    if (limit === 0 || count <= limit) return;
    const resetAt = (Math.floor(this.#clock.now() / minute) + 1) * 60;
    throw new ApiError(429, 'Retry later\n', {
      'Content-Type': 'text/plain',
      'RateLimit-Limit': `${limit}`,
      'RateLimit-Name': 'throttle_authenticated_api',
      'RateLimit-Observed': `${count}`,
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': `${resetAt}`,
      'RateLimit-ResetTime': new Date(resetAt * 1000).toUTCString(),
      'Retry-After': `${Math.max(1, resetAt - Math.floor(this.#clock.now() / 1000))}`,
    });
  }

  checkExport(user: User): void {
    this.#check(`export ${user.id}`, this.#limits.exportsPerMinute);
  }

  checkImport(user: User): void {
    this.#check(`import ${user.id}`, this.#limits.importsPerMinute);
  }

  checkDownload(user: User, project: Project): void {
    const scope = this.#limits.downloadScope === 'project' ? project.id : project.namespace.id;
    this.#check(`download ${user.id} ${scope}`, this.#limits.downloadsPerMinute);
  }

  checkRoute({ method, url, ip }: FastifyRequest, user: User | null): void {
    if (method !== 'GET' && method !== 'HEAD') return;
    const path = url.split('?')[0] ?? '';
    if (/^\/api\/v4\/projects\/?$/.test(path)) {
      const { listsPerTenMinutes, anonymousListsPerTenMinutes } = this.#limits;
      if (user === null) this.#check(`list of ${ip}`, anonymousListsPerTenMinutes, tenMinutes);
      else this.#check(`list ${user.id}`, listsPerTenMinutes, tenMinutes);
    }
    const [, limit] = routeLimits.find(([pattern]) => pattern.test(path)) ?? [];
    if (limit !== undefined && user !== null) this.#check(`${limit} ${user.id}`, this.#limits[limit]);
  }

  #check(key: string, limit: number, windowMs: number = minute): void {
    if (limit === 0 || this.#count(key, windowMs) <= limit) return;
    const error = 'This endpoint has been requested too many times. Try again later.';
    throw new ApiError(
      429,
      { message: { error } },
      this.#limits.sendsRetryAfter ? { 'Retry-After': '60' } : {},
    );
  }

  #count(key: string, windowMs: number = minute): number {
    const index = Math.floor(this.#clock.now() / windowMs);
    const current = this.#windows.get(windowMs);
    const window = current?.at === index ? current : { at: index, counts: new Map<string, number>() };
    this.#windows.set(windowMs, window);
    const count = (window.counts.get(key) ?? 0) + 1;
    window.counts.set(key, count);
    return count;
  }
}
