/** @file How quickly projects of a migration come to an end, from what was seen since the page was opened. */
import { Rate } from '../../../kit/feedback/rate.ts';

const hour = 3_600_000;

export class MigrationPace {
  /** Projects an hour; null while none has ended since. */
  perHour = $state<number | null>(null);
  /** Until the last one, in milliseconds; null where that is not known. */
  msLeft = $state<number | null>(null);
  /** Moves take minutes: what was an hour ago still says something. */
  readonly #rate = new Rate(hour);

  /** `at` in milliseconds. */
  sample(at: number, { done, total }: { done: number; total: number }): void {
    this.#rate.sample(at, done);
    const perSecond = this.#rate.perSecond();
    this.perHour = perSecond === null || perSecond <= 0 ? null : perSecond * 3600;
    this.msLeft = this.#rate.msLeft(total);
  }
}
