/** @file Rate limits in fixed windows of a minute, with both refusals of gitlab-facts 4. */
import type { Clock } from '../platform/clock.ts';
import { ApiError } from './api-error.ts';
import type { Project, User } from './world.ts';

/** Requests per minute; 0 means unlimited. */
export interface SandboxLimits {
  exportsPerMinute: number;
  importsPerMinute: number;
  downloadsPerMinute: number;
  /** GitLab 14.10 to 17.9 counted downloads per namespace. */
  downloadScope: 'project' | 'namespace';
  /** Whether the refusal of the three above says `Retry-After`; older servers did not. */
  retryAfter: boolean;
  /** All requests of a user together; refused as plain text by the layer in front of the API. */
  requestsPerMinute: number;
}

export const limitPresets: Record<'none' | 'gitlab', SandboxLimits> = {
  none: {
    exportsPerMinute: 0,
    importsPerMinute: 0,
    downloadsPerMinute: 0,
    downloadScope: 'project',
    retryAfter: true,
    requestsPerMinute: 0,
  },
  gitlab: {
    exportsPerMinute: 6,
    importsPerMinute: 6,
    downloadsPerMinute: 1,
    downloadScope: 'project',
    retryAfter: true,
    requestsPerMinute: 2000,
  },
};

export class RateLimiter {
  readonly #limits: SandboxLimits;
  readonly #clock: Clock;
  #window = 0;
  readonly #counts = new Map<string, number>();

  constructor(limits: SandboxLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Counts a request of any kind. */
  request(user: User): void {
    const limit = this.#limits.requestsPerMinute;
    const seen = this.#count(`request ${user.id}`);
    if (limit === 0 || seen <= limit) return;
    const resetAt = (this.#window + 1) * 60;
    throw new ApiError(429, 'Retry later\n', {
      'Content-Type': 'text/plain',
      'RateLimit-Limit': `${limit}`,
      'RateLimit-Name': 'throttle_authenticated_api',
      'RateLimit-Observed': `${seen}`,
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': `${resetAt}`,
      'RateLimit-ResetTime': new Date(resetAt * 1000).toUTCString(),
      'Retry-After': `${Math.max(1, resetAt - Math.floor(this.#clock.now() / 1000))}`,
    });
  }

  export(user: User): void {
    this.#check(`export ${user.id}`, this.#limits.exportsPerMinute);
  }

  import(user: User): void {
    this.#check(`import ${user.id}`, this.#limits.importsPerMinute);
  }

  download(user: User, project: Project): void {
    const scope = this.#limits.downloadScope === 'project' ? project.id : project.namespace.id;
    this.#check(`download ${user.id} ${scope}`, this.#limits.downloadsPerMinute);
  }

  #check(key: string, limit: number): void {
    if (limit === 0 || this.#count(key) <= limit) return;
    const error = 'This endpoint has been requested too many times. Try again later.';
    throw new ApiError(429, { message: { error } }, this.#limits.retryAfter ? { 'Retry-After': '60' } : {});
  }

  /** Requests with this key in the current minute, this one included. */
  #count(key: string): number {
    const window = Math.floor(this.#clock.now() / 60_000);
    if (window !== this.#window) {
      this.#window = window;
      this.#counts.clear();
    }
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count;
  }
}
