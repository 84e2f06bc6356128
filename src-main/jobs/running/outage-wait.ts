/** @file Waits for an instance outside of jobs: retries a read-only request like the step of a job. */
import { AppError } from '../../../src-contract/errors.ts';
import type { Pace } from '../../../src-contract/instances/instance.ts';
import type { Clock } from '../../platform/clock.ts';
import { decideRetry, isOutage, maxOutageMs, outageText } from './retry.ts';

export interface OutageRetryOptions {
  clock: Clock;
  pace: Pace;
  random(): number;
  signal: AbortSignal;
  maxOutageMs?: number | undefined;
  /** Called before each wait, with a text about how long the instance has not responded. */
  onWait(text: string): void;
}

/** Calls `request` until it succeeds. Rethrows other errors at once, and an outage's error after the maximum time. */
export async function retryDuringOutage<T>(
  request: () => Promise<T>,
  options: OutageRetryOptions,
): Promise<T> {
  const { clock, pace, signal } = options;
  let outage: { since: number; startedAt: number } | null = null;
  for (let count = 1; ; count++) {
    try {
      return await request();
    } catch (thrown) {
      const error = AppError.from(thrown);
      if (signal.aborted || !isOutage(error)) throw error;
      outage ??= { since: clock.now(), startedAt: clock.monotonic() };
      const outageMs = clock.monotonic() - outage.startedAt;
      const failures = { count, outageMs, maxOutageMs: options.maxOutageMs ?? maxOutageMs };
      const decision = decideRetry(error, failures, pace, options.random());
      if (!decision.retry) throw error;
      options.onWait(outageText(outage.since, error));
      await clock.sleep(decision.waitMs, signal);
    }
  }
}
