/** @file Decides when waits are over. Setting the wall clock back must not make a wait longer. */
import type { StoredJob } from '../../../src-contract/runs/job.ts';
import type { Clock } from '../../platform/clock.ts';

/** The end of a job's wait, and the same moment on the monotonic clock. */
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

  /** Records the open jobs; must be called before `isOver`. Forgets all others. */
  update(open: readonly StoredJob[]): void {
    const now = this.#clock.now();
    const ends = new Map<string, End>();
    for (const { id, state, updatedAt } of open) {
      if (state.status !== 'waiting') continue;
      const { until } = state;
      const known = this.#ends.get(id);
      // An `updatedAt` in the future was written before the clock was set back.
      const remainingMs = until - Math.max(now, updatedAt);
      ends.set(id, known?.until === until ? known : { until, at: this.#clock.monotonic() + remainingMs });
    }
    this.#ends = ends;
  }

  /** Returns whether the wait has passed, by either clock. */
  isOver(jobId: string, until: number): boolean {
    if (until <= this.#clock.now()) return true;
    const known = this.#ends.get(jobId);
    return known?.until === until && known.at <= this.#clock.monotonic();
  }
}
