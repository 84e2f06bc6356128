/**
 * @file Verifies stored archives in the background, some minutes a day, never while a job runs. Compares the bytes of
 * each archive daily, and reads it to its end about every three weeks. The stored proofs determine the progress.
 */
import { dayMs } from '../../../src-contract/bounds.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { Clock } from '../../platform/clock.ts';

export interface ArchiveToVerify {
  id: string;
  /**
   * When the bytes of the archive were last compared. `lastReadAt` is when it was last read to its end. Epoch
   * milliseconds; 0 if never.
   */
  lastComparedAt: number;
  lastReadAt: number;
}

export interface FoundProblem {
  id: string;
  /** `downgraded`: the bytes are those that were stored, but a complete reading found more problems than before. */
  kind: 'damaged' | 'downgraded';
  reason: string;
}

export interface ArchiveVerifierOptions {
  /** Yields archives whose disk is available. */
  archives(): AsyncIterable<ArchiveToVerify>;
  /** Stores the proof, or the problem. Returns a problem that was not known before. */
  verify(id: string, level: 'L1' | 'L2', signal: AbortSignal): Promise<FoundProblem | null>;
  /**
   * Returns whether archives may be verified now. Only the process that runs the jobs verifies archives, and never
   * while a job runs.
   */
  mayVerify(): boolean;
  /** Other daily work, done before any archive is verified. */
  removeLeftovers(): Promise<void>;
  clock: Clock;
  observer: {
    onProblem(problem: FoundProblem): void;
    onError(error: AppError, archiveId: string | null): void;
  };
}

/** Time for verification in a day. A verification in progress may exceed it. */
export const dailyBudgetMs = 10 * 60_000;
export const sliceMs = 30_000;
/** A program that has just started has more urgent work. */
export const startDelayMs = 60_000;
export const sliceIntervalMs = 5 * 60_000;
/** Shorter than the 30 days within which each archive must be read, because Packhorse may not run every day. */
export const readIntervalMs = 21 * dayMs;
const compareIntervalMs = dayMs;
/** A proof is overdue after this time: the store is too large for the daily budget, or Packhorse runs too rarely. */
export const proofOverdueMs = 30 * dayMs;
const watchIntervalMs = 500;
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
  /** The day by the wall clock, and how much of its budget is used. */
  #today = { day: NaN, usedMs: 0 };
  /** When each archive was last read, by id. An archive with unreliable parts never gets a stored proof. */
  readonly #readAt = new Map<string, number>();
  /**
   * When the bytes of each archive were last compared with its manifest, by id. On a read-only disk, the proof cannot
   * be stored.
   */
  readonly #comparedAt = new Map<string, number>();
  #overdueProofs: OverdueProofs | null = null;
  #stopping = new AbortController();
  #loop: Promise<void> | null = null;

  constructor(options: ArchiveVerifierOptions) {
    this.#options = options;
  }

  /** The proofs that were overdue when all archives were last listed; null if none was. */
  get overdueProofs(): OverdueProofs | null {
    return this.#overdueProofs;
  }

  start(): void {
    if (this.#loop !== null) return;
    this.#stopping = new AbortController();
    this.#loop = this.#run(this.#stopping.signal);
  }

  /** Aborts the current verification, which is due again later. Idempotent. */
  async stop(): Promise<void> {
    this.#stopping.abort(new AppError('interrupted', 'The program is stopping.'));
    await this.#loop;
    this.#loop = null;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { clock, observer } = this.#options;
    const isStopping = (): boolean => signal.aborted;
    for (let pauseMs = startDelayMs; !isStopping(); pauseMs = sliceIntervalMs) {
      await clock.sleep(pauseMs, signal).catch(() => undefined);
      try {
        if (isStopping()) break;
        if (this.#options.mayVerify()) await this.#runSlice(signal);
        // If jobs run all day, nothing is verified. The user must learn of this.
        else await this.#listDue(signal, dayMs);
      } catch (thrown) {
        if (!isStopping()) observer.onError(AppError.from(thrown), null);
      }
    }
  }

  async #runSlice(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const day = Math.floor(clock.now() / dayMs);
    if (this.#today.day !== day) {
      await this.#options.removeLeftovers();
      this.#today = { day, usedMs: 0 };
      this.#listedAt = -Infinity;
    }
    const startedAt = clock.monotonic();
    const usedMs = this.#today.usedMs;
    const spentMs = (): number => clock.monotonic() - startedAt;
    if (usedMs < dailyBudgetMs) await this.#listDue(signal, this.#due.length > 0 ? dayMs : idlePollMs);
    while (usedMs + spentMs() < dailyBudgetMs && spentMs() < sliceMs) {
      const next = this.#due.pop();
      if (next === undefined || signal.aborted) break;
      if (!(await this.#verify(next, signal))) {
        this.#due.push(next);
        break;
      }
    }
    this.#today.usedMs = usedMs + spentMs();
  }

  /** Finds due and overdue archives, unless the current list is younger than `maxAgeMs`. */
  async #listDue(signal: AbortSignal, maxAgeMs: number): Promise<void> {
    const { clock } = this.#options;
    if (clock.monotonic() - this.#listedAt < maxAgeMs) return;
    const now = clock.now();
    const toCompare: { id: string; at: number }[] = [];
    const toRead: { id: string; at: number }[] = [];
    for await (const { id, lastComparedAt, lastReadAt } of this.#options.archives()) {
      signal.throwIfAborted();
      // A proof with a time in the future proves nothing: a clock was wrong.
      const pastOrZero = (at: number): number => (at > now ? 0 : at);
      const readAt = pastOrZero(Math.max(lastReadAt, this.#readAt.get(id) ?? 0));
      const comparedAt = Math.max(pastOrZero(lastComparedAt), this.#comparedAt.get(id) ?? 0, readAt);
      if (now - comparedAt >= compareIntervalMs) toCompare.push({ id, at: comparedAt });
      if (now - readAt >= readIntervalMs) toRead.push({ id, at: readAt });
    }
    const overdueTimes = toRead.filter(({ at }) => now - at >= proofOverdueMs).map(({ at }) => at);
    this.#overdueProofs =
      overdueTimes.length === 0
        ? null
        : { archiveCount: overdueTimes.length, oldestReadAt: Math.min(...overdueTimes) };
    const newestFirst = (a: { at: number }, b: { at: number }): number => b.at - a.at;
    this.#due = [
      ...toRead.toSorted(newestFirst).map(({ id }): Due => ({ id, level: 'L2' })),
      ...toCompare.toSorted(newestFirst).map(({ id }): Due => ({ id, level: 'L1' })),
    ];
    this.#listedAt = clock.monotonic();
  }

  /** Returns false if the verification was aborted because a job started or the program stops. */
  async #verify({ id, level }: Due, signal: AbortSignal): Promise<boolean> {
    const { clock, observer } = this.#options;
    const interruption = new AbortController();
    let cancel = (): void => undefined;
    const watch = (): void => {
      if (!this.#options.mayVerify()) interruption.abort(new AppError('interrupted', 'A job runs.'));
      cancel = clock.timer(watchIntervalMs, watch);
    };
    watch();
    try {
      const problem = await this.#options.verify(id, level, AbortSignal.any([signal, interruption.signal]));
      (level === 'L2' ? this.#readAt : this.#comparedAt).set(id, clock.now());
      if (problem !== null) observer.onProblem(problem);
      return true;
    } catch (thrown) {
      if (signal.aborted || interruption.signal.aborted) return false;
      const error = AppError.from(thrown);
      // The archive was pruned since it was listed.
      if (error.code !== 'archive-missing') observer.onError(error, id);
      return true;
    } finally {
      cancel();
    }
  }
}
