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
  readonly #lastAccess = new Map<string, Promise<unknown>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns the result of `work`, or `fallback` after `timeoutMs`. Skips `work` if the time is over before its turn.
   */
  async run<T>(folder: string, work: () => Promise<T>, fallback: T, timeoutMs: number): Promise<T> {
    const timeout = Promise.withResolvers<T>();
    let isLate = false;
    const cancel = this.#clock.timer(timeoutMs, () => {
      isLate = true;
      timeout.resolve(fallback);
    });
    const access = (this.#lastAccess.get(folder) ?? Promise.resolve()).then(() =>
      isLate ? fallback : work(),
    );
    this.#lastAccess.set(
      folder,
      access.catch(() => undefined),
    );
    try {
      return await Promise.race([access, timeout.promise]);
    } finally {
      cancel();
    }
  }
}
