/**
 * @file Asks about folders on disks that may never respond, and answers in time. Each folder is asked one question at a time:
 * a call that hangs holds a thread of the pool that all access to files shares.
 */
import type { Clock } from '../../../platform/clock.ts';

export interface DiskLimits {
  /** A disk that does not answer in this time counts as absent. Busy and sleeping disks answer late. */
  timeoutMs: number;
  /** The same for the folder of a new archive: if it counts as absent, the backup fails. */
  newArchiveTimeoutMs: number;
}

export const defaultDiskLimits: DiskLimits = { timeoutMs: 5_000, newArchiveTimeoutMs: 30_000 };

export class TimedDiskAccess {
  readonly #clock: Clock;
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the result of `work`, or `otherwise` after `withinMs`. A question that is late when its turn comes is not asked. */
  async run<T>(folder: string, work: () => Promise<T>, otherwise: T, withinMs: number): Promise<T> {
    const late = Promise.withResolvers<T>();
    let isLate = false;
    const cancel = this.#clock.timer(withinMs, () => {
      isLate = true;
      late.resolve(otherwise);
    });
    const turn = (this.#last.get(folder) ?? Promise.resolve()).then(() => (isLate ? otherwise : work()));
    this.#last.set(
      folder,
      turn.catch(() => undefined),
    );
    try {
      return await Promise.race([turn, late.promise]);
    } finally {
      cancel();
    }
  }
}
