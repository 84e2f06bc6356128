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

/** Calls `ask` until it succeeds. Rethrows other errors at once, and the error of an outage after the maximum time. */
export async function retryDuringOutage<T>(ask: () => Promise<T>, wait: OutageRetryOptions): Promise<T> {
  const { clock, pace, signal } = wait;
  let away: { since: number; from: number } | null = null;
  for (let count = 1; ; count++) {
    try {
      return await ask();
    } catch (thrown) {
      const error = AppError.from(thrown);
      if (signal.aborted || !isOutage(error)) throw error;
      away ??= { since: clock.now(), from: clock.monotonic() };
      const outageMs = clock.monotonic() - away.from;
      const failures = { count, outageMs, maxOutageMs: wait.maxOutageMs ?? maxOutageMs };
      const decision = decideRetry(error, failures, pace, wait.random());
      if (!decision.retry) throw error;
      wait.onWait(outageText(away.since, error));
      await clock.sleep(decision.waitMs, signal);
    }
  }
}
