/**
 * @file Proves stored archives again, in the background of hosts that stay: each day the bytes of every archive, the oldest
 * proof first, and of what time is left then each archive to its end, about every three weeks. It keeps to a box of time each
 * day, in slices, and stands back while a job runs. What it has done follows from the proofs; it remembers nothing that matters.
 */
import { dayMs } from '../../../src-contract/bounds.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { Clock } from '../../platform/clock.ts';

export interface Provable {
  id: string;
  /** When its bytes were last held against the manifest, when it was last read to its end; epoch milliseconds, 0: never. */
  storedProofAt: number;
  readProofAt: number;
}

/** An archive that was found to be damaged just now. */
export interface FoundDamage {
  id: string;
  reason: string;
}

export interface ProofingOptions {
  /** Archives whose disk is there. */
  archives(): AsyncIterable<Provable>;
  /** Keeps the proof, or the damage; answers damage that was not known before. */
  prove(id: string, level: 'L1' | 'L2', signal: AbortSignal): Promise<FoundDamage | null>;
  /** Only the process that runs the jobs proves archives, and never beside one. */
  mayProve(): boolean;
  /** What else is done once a day, before anything is proven. */
  tidyUp(): Promise<void>;
  clock: Clock;
  observer: {
    found(damage: FoundDamage): void;
    /** It failed at something that it will try again. */
    troubled(error: AppError, archiveId: string | null): void;
  };
}

/** How much time of a day goes into proofs. An archive that was begun is read to its end. */
export const boxMs = 10 * 60_000;
export const sliceMs = 30_000;
/** A program that just started has more urgent work. */
export const firstRestMs = 60_000;
/** From one slice to the next. */
export const restMs = 5 * 60_000;
/** Sooner than the 30 days within which each archive is to be read, so that days without a host are made up for. */
export const readAgainMs = 21 * dayMs;
const storedAgainMs = dayMs;
/** After this time without a proof an archive is behind. The store is too large for the daily time then, or no program kept running. */
export const behindMs = 30 * dayMs;
/** How often it is looked whether a job has begun meanwhile. */
const watchMs = 500;
/** When nothing is due, it is looked again after this. */
const lookAgainMs = 3_600_000;

/** Archives that were not read to their end for longer than they should be. */
export interface ProofsBehind {
  archives: number;
  /** When the first of them was last read, epoch milliseconds; 0: one was never read. */
  since: number;
}

interface Due {
  id: string;
  level: 'L1' | 'L2';
}

export class Proofing {
  readonly #options: ProofingOptions;
  /** What is due, the next one last; as of `#lookedAt` (monotonic). */
  #due: Due[] = [];
  #lookedAt = -Infinity;
  /** Day of the wall clock, and how much of its box is used up. */
  #today = { day: NaN, usedMs: 0 };
  /** When archives were read that never get the proof of it, by id: something in them cannot be relied on. */
  readonly #readAt = new Map<string, number>();
  /** When bytes were held against the manifest, by id: on a disk that can only be read the proof is not recorded. */
  readonly #comparedAt = new Map<string, number>();
  #behind: ProofsBehind | null = null;
  #stopping = new AbortController();
  #loop: Promise<void> | null = null;

  constructor(options: ProofingOptions) {
    this.#options = options;
  }

  /** As of the last look at all archives; null where none is behind. */
  get behind(): ProofsBehind | null {
    return this.#behind;
  }

  /** Repeatable. */
  start(): void {
    if (this.#loop !== null) return;
    this.#stopping = new AbortController();
    this.#loop = this.#run(this.#stopping.signal);
  }

  /** Gives up what is being read; its turn comes again. Repeatable. */
  async stop(): Promise<void> {
    this.#stopping.abort(new AppError('interrupted', 'The program is stopping.'));
    await this.#loop;
    this.#loop = null;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { clock, observer } = this.#options;
    const stops = (): boolean => signal.aborted;
    for (let rest = firstRestMs; !stops(); rest = restMs) {
      await clock.sleep(rest, signal).catch(() => undefined);
      try {
        if (stops()) break;
        if (this.#options.mayProve()) await this.#slice(signal);
        // Where jobs run all day nothing is proven. That must not go unseen.
        else await this.#look(signal, dayMs);
      } catch (thrown) {
        if (!stops()) observer.troubled(AppError.from(thrown), null);
      }
    }
  }

  async #slice(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const day = Math.floor(clock.now() / dayMs);
    if (this.#today.day !== day) {
      await this.#options.tidyUp();
      this.#today = { day, usedMs: 0 };
      this.#lookedAt = -Infinity;
    }
    const begun = clock.monotonic();
    const used = this.#today.usedMs;
    const spent = (): number => clock.monotonic() - begun;
    if (used < boxMs) await this.#look(signal, this.#due.length > 0 ? dayMs : lookAgainMs);
    while (used + spent() < boxMs && spent() < sliceMs) {
      const next = this.#due.pop();
      if (next === undefined || signal.aborted) break;
      if (!(await this.#prove(next, signal))) {
        this.#due.push(next);
        break;
      }
    }
    this.#today.usedMs = used + spent();
  }

  /** Finds what is due and what is behind, unless that was looked for within `restMs`. */
  async #look(signal: AbortSignal, restMs: number): Promise<void> {
    const { clock } = this.#options;
    if (clock.monotonic() - this.#lookedAt < restMs) return;
    const now = clock.now();
    const stored: { id: string; at: number }[] = [];
    const read: { id: string; at: number }[] = [];
    for await (const { id, storedProofAt, readProofAt } of this.#options.archives()) {
      signal.throwIfAborted();
      // A proof of a time that has not come says nothing: a clock was wrong.
      const past = (at: number): number => (at > now ? 0 : at);
      const readAt = past(Math.max(readProofAt, this.#readAt.get(id) ?? 0));
      const storedAt = Math.max(past(storedProofAt), this.#comparedAt.get(id) ?? 0, readAt);
      if (now - storedAt >= storedAgainMs) stored.push({ id, at: storedAt });
      if (now - readAt >= readAgainMs) read.push({ id, at: readAt });
    }
    const behind = read.filter(({ at }) => now - at >= behindMs).map(({ at }) => at);
    this.#behind = behind.length === 0 ? null : { archives: behind.length, since: Math.min(...behind) };
    const newestFirst = (one: { at: number }, other: { at: number }): number => other.at - one.at;
    this.#due = [
      ...read.toSorted(newestFirst).map(({ id }): Due => ({ id, level: 'L2' })),
      ...stored.toSorted(newestFirst).map(({ id }): Due => ({ id, level: 'L1' })),
    ];
    this.#lookedAt = clock.monotonic();
  }

  /** False when it was given up because a job began or the program stops. */
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
      if (damage !== null) observer.found(damage);
      return true;
    } catch (thrown) {
      if (signal.aborted || giveUp.signal.aborted) return false;
      const error = AppError.from(thrown);
      // It was pruned since it was looked for.
      if (error.code !== 'archive-missing') observer.troubled(error, id);
      return true;
    } finally {
      cancel();
    }
  }
}
