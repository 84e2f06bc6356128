/**
 * @file Detects instances that do not respond. None of their jobs is tried meanwhile; one small request probes the
 * instance for all of them.
 */
import { AppError } from '../../../src-contract/errors.ts';
import type { StoredJob } from '../../../src-contract/runs/job.ts';
import type { Clock } from '../../platform/clock.ts';
import type { InstancePort } from '../ports.ts';
import { backoffMs, isOutage, outageText } from './retry.ts';

/** If an instance responded this recently, one failed request of a job does not start a probe. */
const settledMs = 5_000;

export interface OutageParts {
  clock: Clock;
  maxOutageMs: number;
  random(): number;
  /** Returns the instance of a job; rejects if this process has no token for it. */
  instanceFor(job: StoredJob): Promise<Pick<InstancePort, 'serverInfo' | 'pace'>>;
  onChange(): void;
}

interface Away {
  /** Epoch milliseconds of the first failure, for display. */
  since: number;
  /**
   * When this process first noticed the outage (monotonic). Time in which the process did not run, or the machine
   * slept, does not count.
   */
  seenAt: number;
  /** The error of the last probe; null if only a job failed and no probe has finished yet. */
  error: AppError | null;
  probes: number;
  at: number;
  probing: boolean;
}

export class Outages {
  readonly #parts: OutageParts;
  readonly #away = new Map<string, Away>();
  /** When each instance last responded to a probe (monotonic), and when its last outage ended (epoch milliseconds). */
  readonly #answered = new Map<string, { monotonic: number; outageEndedAt: number | null }>();
  /** When each open job last failed because of an outage (monotonic), by its id. */
  readonly #failedAt = new Map<string, number>();
  readonly #probes = new Set<Promise<void>>();
  #stopping = new AbortController();

  constructor(parts: OutageParts) {
    this.#parts = parts;
  }

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
    this.#parts.onChange();
  }

  /** Returns since when the instance does not respond; null if it responds or its outage is not confirmed. */
  outageSince(instance: string): number | null {
    const away = this.#away.get(instance);
    return away === undefined || away.error === null ? null : away.since;
  }

  /** Returns how long the instance has not responded to this job. `beforeMs` is the previous result, or null. */
  outageDurationMs(job: StoredJob, beforeMs: number | null): number {
    const now = this.#parts.clock.monotonic();
    const metAt = beforeMs === null ? undefined : this.#failedAt.get(job.id);
    this.#failedAt.set(job.id, now);
    return (beforeMs ?? 0) + now - (metAt ?? this.#startedFor(job));
  }

  /**
   * Returns whether a job must wait because its instance does not respond. After the maximum time the job may run once,
   * and fails.
   */
  mustWait(job: StoredJob): boolean {
    if (!this.#away.has(job.instance)) return false;
    return this.#parts.clock.monotonic() - this.#startedFor(job) < this.#parts.maxOutageMs;
  }

  /** Returns when the outage began for the job (monotonic). A job created during the outage gets the full time. */
  #startedFor(job: StoredJob): number {
    const now = this.#parts.clock.monotonic();
    const madeMs = Math.max(0, this.#parts.clock.now() - job.createdAt);
    return Math.max(this.#away.get(job.instance)?.seenAt ?? now, now - madeMs);
  }

  /** Returns the text shown on jobs of the instance; null while the outage is not confirmed. */
  describeOutage(instance: string): string | null {
    const away = this.#away.get(instance);
    return away === undefined || away.error === null ? null : outageText(away.since, away.error);
  }

  /** Returns whether an outage of the instance ended after that moment. Waits because of that outage are over. */
  hasEndedSince(instance: string, at: number): boolean {
    const endedAt = this.#answered.get(instance)?.outageEndedAt ?? null;
    return endedAt !== null && endedAt >= at;
  }

  /** Probes the instances that are due. Forgets instances without open jobs. */
  probeDue(open: readonly StoredJob[]): void {
    const ids = new Set(open.map(({ id }) => id));
    for (const id of this.#failedAt.keys()) if (!ids.has(id)) this.#failedAt.delete(id);
    for (const [instance, away] of this.#away) {
      const job = open.find((one) => one.instance === instance);
      if (job === undefined) this.#away.delete(instance);
      else if (!away.probing && away.at <= this.#parts.clock.monotonic()) this.#startProbe(job, away);
    }
  }

  /** Returns the milliseconds until the next probe is due; `Infinity` if every instance responds. */
  msUntilNextProbe(): number {
    const now = this.#parts.clock.monotonic();
    const ends = [...this.#away.values()].filter(({ probing }) => !probing).map(({ at }) => at - now);
    return Math.max(1, Math.min(Infinity, ...ends));
  }

  async abortProbes(): Promise<void> {
    this.#stopping.abort(new AppError('interrupted', 'The program is stopping.'));
    await Promise.all(this.#probes);
    this.#stopping = new AbortController();
  }

  #startProbe(job: StoredJob, away: Away): void {
    away.probing = true;
    const { signal } = this.#stopping;
    const probe = this.#probe(job, away, signal).finally(() => {
      away.probing = false;
      this.#probes.delete(probe);
      if (!signal.aborted) this.#parts.onChange();
    });
    this.#probes.add(probe);
  }

  async #probe(job: StoredJob, away: Away, signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    // Without a token no probe is possible. The jobs themselves report a missing token.
    const instance = await this.#parts.instanceFor(job).catch(() => null);
    const error = await instance?.serverInfo(signal).then(
      () => null,
      (thrown: unknown) => AppError.from(thrown),
    );
    if (signal.aborted) return;
    // A refusal shows that the instance responds.
    if (instance === null || error === undefined || error === null || !isOutage(error)) {
      this.#recordAnswer(job.instance, away);
      return;
    }
    away.error = error;
    away.probes += 1;
    away.at = clock.monotonic() + backoffMs(instance.pace, away.probes, this.#parts.random());
  }

  #recordAnswer(instance: string, away: Away): void {
    if (this.#away.get(instance) === away) this.#away.delete(instance);
    const before = this.#answered.get(instance)?.outageEndedAt ?? null;
    this.#answered.set(instance, {
      monotonic: this.#parts.clock.monotonic(),
      outageEndedAt: away.error === null ? before : this.#parts.clock.now(),
    });
  }
}
