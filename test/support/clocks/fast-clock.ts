/**
 * @file The system's clock at a higher speed, for servers and program: hours of a plan pass in minutes. Work takes its
 * real time.
 */
import { systemClock, type Clock } from '../../../src-main/platform/clock.ts';

/** Options for a world with a fast clock, because the disk is no faster than usual. */
export const longDiskTimeouts = { timeoutMs: 3_600_000, newArchiveTimeoutMs: 3_600_000 };

export class FastClock implements Clock {
  readonly #speed: number;
  readonly #wall = systemClock.now();
  readonly #began = systemClock.monotonic();

  /** @param speed Number of clock milliseconds in a real millisecond. */
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
