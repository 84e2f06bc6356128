/**
 * @file Detects a stalled or very slow transfer: fewer than `minBytes` within a window. Only the time spent waiting for
 * the network counts, not the time between `pause` and `resume`.
 */
import type { Clock } from '../../platform/clock.ts';

export interface RateRule {
  windowMs: number;
  minBytes: number;
}

export class RateWatch {
  readonly #clock: Clock;
  readonly #rule: RateRule;
  readonly #onStall: () => void;
  #bytes = 0;
  #waitedMs = 0;
  /** Start of the current wait; null while paused. */
  #waitStartedAt: number | null = null;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, rule: RateRule, onStall: () => void) {
    this.#clock = clock;
    this.#rule = rule;
    this.#onStall = onStall;
    this.resume();
    this.#startTimer();
  }

  addBytes(bytes: number): void {
    this.#bytes += bytes;
  }

  pause(): void {
    if (this.#waitStartedAt !== null) this.#waitedMs += this.#clock.monotonic() - this.#waitStartedAt;
    this.#waitStartedAt = null;
  }

  resume(): void {
    this.#waitStartedAt ??= this.#clock.monotonic();
  }

  stop(): void {
    this.#cancel();
  }

  #startTimer(): void {
    const delayMs = Math.max(1, this.#rule.windowMs - this.#waitedMs);
    this.#cancel = this.#clock.timer(delayMs, () => {
      this.#check();
    });
  }

  #check(): void {
    const isPaused = this.#waitStartedAt === null;
    this.pause();
    if (!isPaused) this.resume();
    if (this.#waitedMs >= this.#rule.windowMs) {
      if (this.#bytes < this.#rule.minBytes) {
        this.#onStall();
        return;
      }
      this.#waitedMs = 0;
      this.#bytes = 0;
    }
    this.#startTimer();
  }
}
