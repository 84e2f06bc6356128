/**
 * @file A `Clock` that does not move until a test steps it. Due timers and sleeps fire in order of their due time. Code
 * that a timer wakes runs before the next one fires, so a chain of sleeps behaves as in real time.
 */
import type { Clock } from '../../../src-main/platform/clock.ts';

interface Alarm {
  due: number;
  fire: () => void;
}

/** Runs every waiting microtask, and one round of input and output. */
function flushTasks(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export class SteppedClock implements Clock {
  #wall: number;
  #elapsed = 0;
  #alarms: Alarm[] = [];

  /** @param start wall clock at the beginning, epoch milliseconds. */
  constructor(start = Date.UTC(2026, 10, 20, 12)) {
    this.#wall = start;
  }

  now(): number {
    return this.#wall;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const aborted = await new Promise<boolean>((resolve) => {
      const cancel = this.timer(ms, () => {
        signal?.removeEventListener('abort', abort);
        resolve(false);
      });
      const abort = () => {
        cancel();
        resolve(true);
      };
      signal?.addEventListener('abort', abort, { once: true });
    });
    if (aborted) signal?.throwIfAborted();
  }

  timer(ms: number, callback: () => void): () => void {
    const alarm: Alarm = { due: this.#elapsed + Math.max(0, ms), fire: callback };
    this.#alarms.push(alarm);
    return () => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm);
    };
  }

  /** Number of sleeps and timers that have not fired. */
  get pending(): number {
    return this.#alarms.length;
  }

  /** Steps both clocks by `ms`, and fires all alarms that become due, including new ones. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    await flushTasks();
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#fire(next);
      await flushTasks();
    }
    this.#moveTo(end);
  }

  /** Steps from alarm to alarm until `work` settles; fails after more than `limitMs` of stepped time. */
  async finish<T>(work: Promise<T>, limitMs = 48 * 3_600_000): Promise<T> {
    const end = this.#elapsed + limitMs;
    const outcome = { settled: false };
    const settle = () => {
      outcome.settled = true;
    };
    work.then(settle, settle);
    await flushTasks();
    while (!outcome.settled) {
      const next = this.#next(end);
      if (next !== undefined) this.#fire(next);
      else if (this.pending > 0) throw new Error(`not settled after ${limitMs} ms of stepped time`);
      await flushTasks();
    }
    return work;
  }

  /** Moves the wall clock alone, as if a user set it; no timer fires. */
  jump(ms: number): void {
    this.#wall += ms;
  }

  #next(end: number): Alarm | undefined {
    // The sort is stable: alarms due at the same time fire in the order in which they were set.
    return this.#alarms.filter((alarm) => alarm.due <= end).sort((a, b) => a.due - b.due)[0];
  }

  #fire(alarm: Alarm): void {
    this.#alarms = this.#alarms.filter((other) => other !== alarm);
    this.#moveTo(Math.max(this.#elapsed, alarm.due));
    alarm.fire();
  }

  #moveTo(elapsed: number): void {
    this.#wall += elapsed - this.#elapsed;
    this.#elapsed = elapsed;
  }
}
