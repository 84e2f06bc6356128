/**
 * @file Detects a stalled or very slow transfer: fewer than `minBytes` within a window. Only the time spent waiting for
 * the network counts, not the time between `hold` and `release`.
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
  /** Start of the current wait; null while held or stopped. */
  #since: number | null = null;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, rule: RateRule, onStall: () => void) {
    this.#clock = clock;
    this.#rule = rule;
    this.#onStall = onStall;
    this.resume();
    this.#arm();
  }

  addBytes(bytes: number): void {
    this.#bytes += bytes;
  }

  pause(): void {
    if (this.#since !== null) this.#waitedMs += this.#clock.monotonic() - this.#since;
    this.#since = null;
  }

  resume(): void {
    this.#since ??= this.#clock.monotonic();
  }

  stop(): void {
    this.#cancel();
  }

  #arm(): void {
    const wait = Math.max(1, this.#rule.windowMs - this.#waitedMs);
    this.#cancel = this.#clock.timer(wait, () => {
      this.#look();
    });
  }

  #look(): void {
    const held = this.#since === null;
    this.pause();
    if (!held) this.resume();
    if (this.#waitedMs >= this.#rule.windowMs) {
      if (this.#bytes < this.#rule.minBytes) {
        this.#onStall();
        return;
      }
      this.#waitedMs = 0;
      this.#bytes = 0;
    }
    this.#arm();
  }
}
