/** @file Repeats a request until the instance responds, like a job that waits through an outage. */
import { retryDuringOutage } from '../../jobs/running/outage-wait.ts';
import type { SharedDeps } from '../shared-deps.ts';

/**
 * Repeats `request` for as long as a job would wait. `request` must be safe to repeat while there is no response.
 * `onWait` receives the sentence that a waiting job shows.
 */
export type RetryThroughOutage = <T>(
  instance: string,
  request: () => Promise<T>,
  options: { signal: AbortSignal; onWait(text: string): void },
) => Promise<T>;

export function createRetryThroughOutage(
  { settings, clock }: Pick<SharedDeps, 'clock' | 'settings'>,
  maxOutageMs: number | undefined,
): RetryThroughOutage {
  return async (name, request, options) => {
    const { pace } = settings.instance(name);
    return retryDuringOutage(request, { ...options, clock, pace, random: Math.random, maxOutageMs });
  };
}
