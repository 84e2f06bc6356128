/** @file When waits are over, measured by a clock that nobody sets: one that is set back must not make a wait longer. */
import type { StoredJob } from '../../../src-contract/job.ts';
import type { Clock } from '../../platform/clock.ts';

/** Until when a job waits, and when that is on the monotonic clock. */
interface End {
  until: number;
  at: number;
}

export class Waits {
  readonly #clock: Clock;
  #ends = new Map<string, End>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** To be told of the open jobs before it is asked about them. Forgets all others. */
  look(open: readonly StoredJob[]): void {
    const now = this.#clock.now();
    const ends = new Map<string, End>();
    for (const { id, state, updatedAt } of open) {
      if (state.status !== 'waiting') continue;
      const { until } = state;
      const known = this.#ends.get(id);
      // What was written later than now was written before the clock was set back.
      const left = until - Math.max(now, updatedAt);
      ends.set(id, known?.until === until ? known : { until, at: this.#clock.monotonic() + left });
    }
    this.#ends = ends;
  }

  /** Whether the time for which it waits has passed, by either clock. */
  isOver(jobId: string, until: number): boolean {
    if (until <= this.#clock.now()) return true;
    const known = this.#ends.get(jobId);
    return known?.until === until && known.at <= this.#clock.monotonic();
  }
}
