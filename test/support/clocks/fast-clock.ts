/**
 * @file The system's clock run faster: hours of a plan pass in minutes, for servers and program, with real work
 * between.
 */
import { systemClock, type Clock } from '../../../src-main/platform/clock.ts';

/** Options for a world with such a clock: the disk is no faster than usual. */
export const patientWithDisk = { timeoutMs: 3_600_000, newArchiveTimeoutMs: 3_600_000 };

export class FastClock implements Clock {
  readonly #speed: number;
  readonly #wall = systemClock.now();
  readonly #began = systemClock.monotonic();

  /** @param speed number of milliseconds that pass in a real one. */
  constructor(speed: number) {
    this.#speed = speed;
  }

  now(): number {
    return Math.floor(this.#wall + this.monotonic());
  }

  monotonic(): number {
    return (systemClock.monotonic() - this.#began) * this.#speed;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(ms / this.#speed, signal);
  }

  timer(ms: number, callback: () => void): () => void {
    return systemClock.timer(ms / this.#speed, callback);
  }
}
