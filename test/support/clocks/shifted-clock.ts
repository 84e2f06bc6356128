/**
 * @file The system's clock, with a wall time that a test may step. Durations stay real, so real servers and browsers
 * work.
 */
import { systemClock, type Clock } from '../../../src-main/platform/clock.ts';

export class ShiftedClock implements Clock {
  #shift: number;

  /** @param start wall clock now, epoch milliseconds. */
  constructor(start: number) {
    this.#shift = start - systemClock.now();
  }

  now(): number {
    return systemClock.now() + this.#shift;
  }

  monotonic(): number {
    return systemClock.monotonic();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(ms, signal);
  }

  timer(ms: number, callback: () => void): () => void {
    return systemClock.timer(ms, callback);
  }

  step(ms: number): void {
    this.#shift += ms;
  }
}
