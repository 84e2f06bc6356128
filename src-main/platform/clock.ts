/** @file The only place that reads the wall clock and timers. All other code receives a `Clock`. */
import { setTimeout as delay } from 'node:timers/promises';

export interface Clock {
  /** Epoch milliseconds; may jump. Use it for times that are shown to users or that outlive the process. */
  now(): number;
  /** Milliseconds from an arbitrary start; never jumps. Use it for durations and time limits. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after `ms`; the returned function cancels it. Does not keep the process alive. */
  timer(ms: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: async (ms, signal) => {
    await delay(ms, undefined, signal === undefined ? {} : { signal }).catch((error: unknown) => {
      if (signal?.aborted === true) throw signal.reason;
      throw error;
    });
  },
  timer: (ms, callback) => {
    const handle = setTimeout(callback, ms);
    handle.unref();
    return () => {
      clearTimeout(handle);
    };
  },
};

/** ISO 8601 in UTC with milliseconds, as manifests and settings store times. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/**
 * Returns the day of a day or time that a server sent. Some versions of GitLab write a time where others write a day.
 */
export const dayOf = (text: string): string => text.slice(0, 10);

/** Returns the epoch milliseconds of a timestamp that a server sent; null if the text is no timestamp. */
export function parseTime(text: string | null | undefined): number | null {
  if (text === null || text === undefined) return null;
  const parsed = Date.parse(text);
  return Number.isNaN(parsed) ? null : parsed;
}
