/**
 * @file Verifies stored archives in the background, some minutes a day, never while a job runs. Compares the bytes of
 * each archive daily, and reads it to its end about every three weeks. The stored proofs determine the progress.
 */
import { dayMs } from '../../../src-contract/bounds.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { Clock } from '../../platform/clock.ts';

export interface ProvableArchive {
  id: string;
  /**
   * When the bytes of the archive were last compared. `lastReadAt` is when it was last read to its end. Epoch
   * milliseconds; 0 if never.
   */
  lastComparedAt: number;
  lastReadAt: number;
}

export interface FoundDamage {
  id: string;
  reason: string;
}

export interface ArchiveVerifierOptions {
  /** Yields archives whose disk is available. */
  archives(): AsyncIterable<ProvableArchive>;
  /** Stores the proof, or the damage. Returns damage that was not known before. */
  prove(id: string, level: 'L1' | 'L2', signal: AbortSignal): Promise<FoundDamage | null>;
  /**
   * Returns whether archives may be verified now. Only the process that runs the jobs verifies archives, and never
   * while a job runs.
   */
  mayProve(): boolean;
  /** Other daily work, done before any archive is verified. */
  removeLeftovers(): Promise<void>;
  clock: Clock;
  observer: {
    onDamage(damage: FoundDamage): void;
    onError(error: AppError, archiveId: string | null): void;
  };
}

/** Time for proofs in a day. A proof that has begun is finished. */
export const dailyBudgetMs = 10 * 60_000;
export const sliceMs = 30_000;
/** A program that has just started has more urgent work. */
export const startDelayMs = 60_000;
export const sliceIntervalMs = 5 * 60_000;
/** Shorter than the 30 days within which each archive must be read, to make up for days without a host. */
export const readAgainMs = 21 * dayMs;
const storedAgainMs = dayMs;
/** A proof is overdue after this time: the store is too large for the daily time, or no host kept running. */
export const proofOverdueMs = 30 * dayMs;
const watchMs = 500;
/** If nothing is due, archives are checked again after this time. */
const idlePollMs = 3_600_000;

export interface OverdueProofs {
  archiveCount: number;
  /** When the first of them was last read, in epoch milliseconds; 0 if one was never read. */
  oldestReadAt: number;
}

interface Due {
  id: string;
  level: 'L1' | 'L2';
}

export class ArchiveVerifier {
  readonly #options: ArchiveVerifierOptions;
  /** Due archives, the next one last, as listed at `#listedAt` (monotonic). */
  #due: Due[] = [];
  #listedAt = -Infinity;
  /** The day by the wall clock, and how much of its time is used up. */
  #today = { day: NaN, usedMs: 0 };
  /** When each archive was last read, by id. An archive with unreliable parts never gets a stored proof. */
  readonly #readAt = new Map<string, number>();
  /**
   * When the bytes of each archive were last compared with its manifest, by id. On a read-only disk, the proof cannot
   * be stored.
   */
  readonly #comparedAt = new Map<string, number>();
  #behind: OverdueProofs | null = null;
  #stopping = new AbortController();
  #loop: Promise<void> | null = null;

  constructor(options: ArchiveVerifierOptions) {
    this.#options = options;
  }

  /** The proofs that were behind at the last listing of all archives; null if none was. */
  get overdueProofs(): OverdueProofs | null {
    return this.#behind;
  }

  start(): void {
    if (this.#loop !== null) return;
    this.#stopping = new AbortController();
    this.#loop = this.#run(this.#stopping.signal);
  }

  /** Aborts the current proof, which is due again later. Idempotent. */
  async stop(): Promise<void> {
    this.#stopping.abort(new AppError('interrupted', 'The program is stopping.'));
    await this.#loop;
    this.#loop = null;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { clock, observer } = this.#options;
    const stops = (): boolean => signal.aborted;
    for (let rest = startDelayMs; !stops(); rest = sliceIntervalMs) {
      await clock.sleep(rest, signal).catch(() => undefined);
      try {
        if (stops()) break;
        if (this.#options.mayProve()) await this.#slice(signal);
        // If jobs run all day, nothing is verified. The user must learn of this.
        else await this.#list(signal, dayMs);
      } catch (thrown) {
        if (!stops()) observer.onError(AppError.from(thrown), null);
      }
    }
  }

  async #slice(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const day = Math.floor(clock.now() / dayMs);
    if (this.#today.day !== day) {
      await this.#options.removeLeftovers();
      this.#today = { day, usedMs: 0 };
      this.#listedAt = -Infinity;
    }
    const begun = clock.monotonic();
    const used = this.#today.usedMs;
    const spent = (): number => clock.monotonic() - begun;
    if (used < dailyBudgetMs) await this.#list(signal, this.#due.length > 0 ? dayMs : idlePollMs);
    while (used + spent() < dailyBudgetMs && spent() < sliceMs) {
      const next = this.#due.pop();
      if (next === undefined || signal.aborted) break;
      if (!(await this.#prove(next, signal))) {
        this.#due.push(next);
        break;
      }
    }
    this.#today.usedMs = used + spent();
  }

  /** Finds due and overdue archives, unless that was done within `restMs`. */
  async #list(signal: AbortSignal, restMs: number): Promise<void> {
    const { clock } = this.#options;
    if (clock.monotonic() - this.#listedAt < restMs) return;
    const now = clock.now();
    const stored: { id: string; at: number }[] = [];
    const read: { id: string; at: number }[] = [];
    for await (const { id, lastComparedAt, lastReadAt } of this.#options.archives()) {
      signal.throwIfAborted();
      // A proof with a time in the future proves nothing: a clock was wrong.
      const past = (at: number): number => (at > now ? 0 : at);
      const readAt = past(Math.max(lastReadAt, this.#readAt.get(id) ?? 0));
      const storedAt = Math.max(past(lastComparedAt), this.#comparedAt.get(id) ?? 0, readAt);
      if (now - storedAt >= storedAgainMs) stored.push({ id, at: storedAt });
      if (now - readAt >= readAgainMs) read.push({ id, at: readAt });
    }
    const overdueProofs = read.filter(({ at }) => now - at >= proofOverdueMs).map(({ at }) => at);
    this.#behind =
      overdueProofs.length === 0
        ? null
        : { archiveCount: overdueProofs.length, oldestReadAt: Math.min(...overdueProofs) };
    const newestFirst = (a: { at: number }, b: { at: number }): number => b.at - a.at;
    this.#due = [
      ...read.toSorted(newestFirst).map(({ id }): Due => ({ id, level: 'L2' })),
      ...stored.toSorted(newestFirst).map(({ id }): Due => ({ id, level: 'L1' })),
    ];
    this.#listedAt = clock.monotonic();
  }

  /** Returns false if the proof was aborted because a job started or the program stops. */
  async #prove({ id, level }: Due, signal: AbortSignal): Promise<boolean> {
    const { clock, observer } = this.#options;
    const giveUp = new AbortController();
    let cancel = (): void => undefined;
    const watch = (): void => {
      if (!this.#options.mayProve()) giveUp.abort(new AppError('interrupted', 'A job runs.'));
      cancel = clock.timer(watchMs, watch);
    };
    watch();
    try {
      const damage = await this.#options.prove(id, level, AbortSignal.any([signal, giveUp.signal]));
      (level === 'L2' ? this.#readAt : this.#comparedAt).set(id, clock.now());
      if (damage !== null) observer.onDamage(damage);
      return true;
    } catch (thrown) {
      if (signal.aborted || giveUp.signal.aborted) return false;
      const error = AppError.from(thrown);
      // The archive was pruned since it was listed.
      if (error.code !== 'archive-missing') observer.onError(error, id);
      return true;
    } finally {
      cancel();
    }
  }
}
