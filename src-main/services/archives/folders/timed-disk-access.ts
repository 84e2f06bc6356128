/**
 * @file Accesses folders on disks that may never respond, with a time limit. Each folder has one access at a time: a
 * call that hangs occupies a thread of the pool that all file access shares.
 */
import type { Clock } from '../../../platform/clock.ts';

export interface DiskLimits {
  /** A disk that does not respond in this time counts as absent. Busy and sleeping disks respond late. */
  timeoutMs: number;
  /** The time limit for the folder of a new archive: if it counts as absent, the backup fails. */
  newArchiveTimeoutMs: number;
}

export const defaultDiskLimits: DiskLimits = { timeoutMs: 5_000, newArchiveTimeoutMs: 30_000 };

export class TimedDiskAccess {
  readonly #clock: Clock;
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns the result of `work`, or `otherwise` after `withinMs`. Skips `work` if the time is over before its turn.
   */
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
