/**
 * @file Which instances do not answer, seen once for all jobs. While one is away none of its jobs is tried: a single small
 * request asks from time to time whether it answers again, so that twenty jobs do not press on a server that comes up.
 */
import { AppError } from '../../../src-contract/errors.ts';
import type { StoredJob } from '../../../src-contract/job.ts';
import type { Clock } from '../../platform/clock.ts';
import type { InstancePort } from '../ports.ts';
import { backoffMs, isOutage, outageText } from './retry.ts';

/** An instance that answered so recently is not asked again because one request of a job failed. */
const settledMs = 5_000;

export interface OutageParts {
  clock: Clock;
  maxOutageMs: number;
  random(): number;
  /** The instance of a job; rejects where this process has no token for it. */
  instanceOf(job: StoredJob): Promise<Pick<InstancePort, 'server' | 'pace'>>;
  /** Something is to be looked at again. */
  changed(): void;
}

interface Away {
  /** Epoch milliseconds of the first failure, for people. */
  since: number;
  /** Monotonic; when this process first met it. Time in which it did not run, or the machine slept, is no outage. */
  seenAt: number;
  /** What the last probe met; null: only a job met something, and nobody has asked yet. */
  error: AppError | null;
  probes: number;
  /** Monotonic; when it is asked next. */
  at: number;
  probing: boolean;
}

export class Outages {
  readonly #parts: OutageParts;
  readonly #away = new Map<string, Away>();
  /** When an instance answered a probe last, by both clocks. */
  readonly #answered = new Map<string, { monotonic: number; outageEndedAt: number | null }>();
  /** Monotonic; when an open job met an outage last, by its id. */
  readonly #metAt = new Map<string, number>();
  readonly #probes = new Set<Promise<void>>();
  #stopping = new AbortController();

  constructor(parts: OutageParts) {
    this.#parts = parts;
  }

  /** A request of a job failed as if the instance were away since then. */
  suspect(instance: string, since: number): void {
    const known = this.#away.get(instance);
    if (known !== undefined) {
      known.since = Math.min(known.since, since);
      return;
    }
    const now = this.#parts.clock.monotonic();
    const answered = this.#answered.get(instance);
    if (answered !== undefined && now - answered.monotonic < settledMs) return;
    this.#away.set(instance, { since, seenAt: now, error: null, probes: 0, at: now, probing: false });
    this.#parts.changed();
  }

  /** Since when the instance is known not to answer; null where it answers, or nobody knows. */
  sinceOf(instance: string): number | null {
    const away = this.#away.get(instance);
    return away === undefined || away.error === null ? null : away.since;
  }

  /**
   * How long the instance has not answered this job, which has just met that. `beforeMs` is what was said when it met the same
   * outage before; null: it did not.
   */
  lastedMs(job: StoredJob, beforeMs: number | null): number {
    const now = this.#parts.clock.monotonic();
    const metAt = beforeMs === null ? undefined : this.#metAt.get(job.id);
    this.#metAt.set(job.id, now);
    return (beforeMs ?? 0) + now - (metAt ?? this.#begunFor(job));
  }

  /** Whether a job rests now: its instance is away, and not for so long that the job is to be tried once more, and fails. */
  holds(job: StoredJob): boolean {
    if (!this.#away.has(job.instance)) return false;
    return this.#parts.clock.monotonic() - this.#begunFor(job) < this.#parts.maxOutageMs;
  }

  /** Monotonic; when the outage began for the job. One that was made in the middle of it has all of its time. */
  #begunFor(job: StoredJob): number {
    const now = this.#parts.clock.monotonic();
    const madeMs = Math.max(0, this.#parts.clock.now() - job.createdAt);
    return Math.max(this.#away.get(job.instance)?.seenAt ?? now, now - madeMs);
  }

  /** What a job of the instance says meanwhile; null while it is not certain that it is away. */
  textOf(instance: string): string | null {
    const away = this.#away.get(instance);
    return away === undefined || away.error === null ? null : outageText(away.since, away.error);
  }

  /** Whether an outage of the instance has ended after that moment: waits that were made for it are over. */
  hasEndedSince(instance: string, at: number): boolean {
    const endedAt = this.#answered.get(instance)?.outageEndedAt ?? null;
    return endedAt !== null && endedAt >= at;
  }

  /** Asks the instances whose turn it is. An instance without open jobs is forgotten. */
  look(open: readonly StoredJob[]): void {
    const ids = new Set(open.map(({ id }) => id));
    for (const id of this.#metAt.keys()) if (!ids.has(id)) this.#metAt.delete(id);
    for (const [instance, away] of this.#away) {
      const job = open.find((one) => one.instance === instance);
      if (job === undefined) this.#away.delete(instance);
      else if (!away.probing && away.at <= this.#parts.clock.monotonic()) this.#ask(job, away);
    }
  }

  /** Milliseconds until an instance is to be asked; `Infinity` where none is away. */
  nextMs(): number {
    const now = this.#parts.clock.monotonic();
    const ends = [...this.#away.values()].filter(({ probing }) => !probing).map(({ at }) => at - now);
    return Math.max(1, Math.min(Infinity, ...ends));
  }

  /** Gives up what is asked at this moment. Repeatable. */
  async rest(): Promise<void> {
    this.#stopping.abort(new AppError('interrupted', 'The program is stopping.'));
    await Promise.all(this.#probes);
    this.#stopping = new AbortController();
  }

  #ask(job: StoredJob, away: Away): void {
    away.probing = true;
    const { signal } = this.#stopping;
    const probe = this.#probe(job, away, signal).finally(() => {
      away.probing = false;
      this.#probes.delete(probe);
      if (!signal.aborted) this.#parts.changed();
    });
    this.#probes.add(probe);
  }

  async #probe(job: StoredJob, away: Away, signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    // Without a token nothing can be asked; its jobs find that out by themselves.
    const instance = await this.#parts.instanceOf(job).catch(() => null);
    const error = await instance?.server(signal).then(
      () => null,
      (thrown: unknown) => AppError.from(thrown),
    );
    if (signal.aborted) return;
    // A refusal is an answer.
    if (instance === null || error === undefined || error === null || !isOutage(error)) {
      this.#answers(job.instance, away);
      return;
    }
    away.error = error;
    away.probes += 1;
    away.at = clock.monotonic() + backoffMs(instance.pace, away.probes, this.#parts.random());
  }

  #answers(instance: string, away: Away): void {
    if (this.#away.get(instance) === away) this.#away.delete(instance);
    const before = this.#answered.get(instance)?.outageEndedAt ?? null;
    this.#answered.set(instance, {
      monotonic: this.#parts.clock.monotonic(),
      outageEndedAt: away.error === null ? before : this.#parts.clock.now(),
    });
  }
}
