/** @file Repeats a request until the instance responds, like a job that waits through an outage. */
import { retryDuringOutage } from '../../jobs/running/outage-wait.ts';
import type { SharedParts } from '../shared-parts.ts';

/**
 * Calls `ask` again for as long as a job would wait. `ask` must change nothing on the instance before it responds.
 * `onWait` receives the sentence that a waiting job shows.
 */
export type RetryThroughOutage = <T>(
  instance: string,
  ask: () => Promise<T>,
  how: { signal: AbortSignal; onWait(text: string): void },
) => Promise<T>;

export function createRetryThroughOutage(
  { settings, clock }: Pick<SharedParts, 'clock' | 'settings'>,
  maxOutageMs: number | undefined,
): RetryThroughOutage {
  return async (name, ask, how) => {
    const { pace } = settings.instance(name);
    return retryDuringOutage(ask, { ...how, clock, pace, random: Math.random, maxOutageMs });
  };
}
