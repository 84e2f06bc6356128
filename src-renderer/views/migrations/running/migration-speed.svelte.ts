/** @file Measures how quickly projects of a migration finish, since the page was opened. */
import { Rate } from '../../../kit/feedback/rate.ts';

const hour = 3_600_000;

export class MigrationSpeed {
  /** Projects per hour; null until one has finished. */
  perHour = $state<number | null>(null);
  /** Milliseconds until the last one finishes; null if unknown. */
  msLeft = $state<number | null>(null);
  /** Averages over the last hour, because one project takes minutes. */
  readonly #rate = new Rate(hour);

  sample(at: number, { done, total }: { done: number; total: number }): void {
    this.#rate.sample(at, done);
    const perSecond = this.#rate.perSecond();
    this.perHour = perSecond === null || perSecond <= 0 ? null : perSecond * 3600;
    this.msLeft = this.#rate.msLeft(total);
  }
}
