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
const recentResponseMs = 5_000;

export interface OutageDeps {
  clock: Clock;
  maxOutageMs: number;
  random(): number;
  /** Returns the instance of a job; rejects if this process has no token for it. */
  instanceFor(job: StoredJob): Promise<Pick<InstancePort, 'serverInfo' | 'pace'>>;
  onChange(): void;
}

interface Outage {
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
  nextProbeAt: number;
  probing: boolean;
}

export class Outages {
  readonly #deps: OutageDeps;
  readonly #outages = new Map<string, Outage>();
  /** When each instance last responded to a probe (monotonic and epoch milliseconds), and when its last outage ended. */
  readonly #responses = new Map<string, { monotonic: number; at: number; outageEndedAt: number | null }>();
  /** When each open job last failed because of an outage (monotonic), by its id. */
  readonly #failedAt = new Map<string, number>();
  readonly #probes = new Set<Promise<void>>();
  #stopping = new AbortController();

  constructor(deps: OutageDeps) {
    this.#deps = deps;
  }

  suspect(instance: string, since: number): void {
    const outage = this.#outages.get(instance);
    if (outage !== undefined) {
      outage.since = Math.min(outage.since, since);
      return;
    }
    const now = this.#deps.clock.monotonic();
    const response = this.#responses.get(instance);
    if (response !== undefined && now - response.monotonic < recentResponseMs) return;
    this.#outages.set(instance, {
      since,
      seenAt: now,
      error: null,
      probes: 0,
      nextProbeAt: now,
      probing: false,
    });
    this.#deps.onChange();
  }

  /** Returns since when the instance does not respond; null if it responds or its outage is not confirmed. */
  outageSince(instance: string): number | null {
    const outage = this.#outages.get(instance);
    return outage === undefined || outage.error === null ? null : outage.since;
  }

  /** Records a failure of the job and returns how long its instance has not responded. `previousMs`: last result. */
  outageDurationMs(job: StoredJob, previousMs: number | null): number {
    const now = this.#deps.clock.monotonic();
    const lastFailedAt = previousMs === null ? undefined : this.#failedAt.get(job.id);
    this.#failedAt.set(job.id, now);
    return (previousMs ?? 0) + now - (lastFailedAt ?? this.#outageStartFor(job));
  }

  /**
   * Returns whether a job must wait because its instance does not respond. After the maximum time it runs again,
   * and fails if the instance still does not respond.
   */
  mustWait(job: StoredJob): boolean {
    if (!this.#outages.has(job.instance)) return false;
    return this.#deps.clock.monotonic() - this.#outageStartFor(job) < this.#deps.maxOutageMs;
  }

  /** Returns when the outage began for the job (monotonic). A job created during the outage gets the full time. */
  #outageStartFor(job: StoredJob): number {
    const now = this.#deps.clock.monotonic();
    const ageMs = Math.max(0, this.#deps.clock.now() - job.createdAt);
    return Math.max(this.#outages.get(job.instance)?.seenAt ?? now, now - ageMs);
  }

  /** Returns the text shown on jobs of the instance; null while the outage is not confirmed. */
  describeOutage(instance: string): string | null {
    const outage = this.#outages.get(instance);
    return outage === undefined || outage.error === null ? null : outageText(outage.since, outage.error);
  }

  /**
   * Returns whether the instance has responded to a probe since about that moment (epoch milliseconds), so that only
   * the requests of one job fail.
   */
  hasRespondedSince(instance: string, at: number): boolean {
    if (this.outageSince(instance) !== null) return false;
    return (this.#responses.get(instance)?.at ?? -Infinity) >= at - recentResponseMs;
  }

  /** Returns whether an outage of the instance ended after that moment. Waits because of that outage are over. */
  hasEndedSince(instance: string, at: number): boolean {
    const endedAt = this.#responses.get(instance)?.outageEndedAt ?? null;
    return endedAt !== null && endedAt >= at;
  }

  /** Probes the instances that are due. Forgets instances without open jobs. */
  probeDue(open: readonly StoredJob[]): void {
    const ids = new Set(open.map(({ id }) => id));
    for (const id of this.#failedAt.keys()) if (!ids.has(id)) this.#failedAt.delete(id);
    for (const [instance, outage] of this.#outages) {
      const job = open.find((one) => one.instance === instance);
      if (job === undefined) this.#outages.delete(instance);
      else if (!outage.probing && outage.nextProbeAt <= this.#deps.clock.monotonic())
        this.#startProbe(job, outage);
    }
  }

  /** Returns the milliseconds until the next probe is due; `Infinity` if every instance responds. */
  msUntilNextProbe(): number {
    const now = this.#deps.clock.monotonic();
    const dueInMs = [...this.#outages.values()]
      .filter(({ probing: isProbing }) => !isProbing)
      .map(({ nextProbeAt }) => nextProbeAt - now);
    return Math.max(1, Math.min(Infinity, ...dueInMs));
  }

  async abortProbes(): Promise<void> {
    this.#stopping.abort(new AppError('interrupted', 'The program is stopping.'));
    await Promise.all(this.#probes);
    this.#stopping = new AbortController();
  }

  #startProbe(job: StoredJob, outage: Outage): void {
    outage.probing = true;
    const { signal } = this.#stopping;
    const probe = this.#probe(job, outage, signal).finally(() => {
      outage.probing = false;
      this.#probes.delete(probe);
      if (!signal.aborted) this.#deps.onChange();
    });
    this.#probes.add(probe);
  }

  async #probe(job: StoredJob, outage: Outage, signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    // Without a token no probe is possible. The jobs themselves report a missing token.
    const instance = await this.#deps.instanceFor(job).catch(() => null);
    const error = await instance?.serverInfo(signal).then(
      () => null,
      (thrown: unknown) => AppError.from(thrown),
    );
    if (signal.aborted) return;
    // A refusal shows that the instance responds.
    if (instance === null || error === undefined || error === null || !isOutage(error)) {
      this.#recordAnswer(job.instance, outage);
      return;
    }
    outage.error = error;
    outage.probes += 1;
    outage.nextProbeAt = clock.monotonic() + backoffMs(instance.pace, outage.probes, this.#deps.random());
  }

  #recordAnswer(instance: string, outage: Outage): void {
    if (this.#outages.get(instance) === outage) this.#outages.delete(instance);
    const previousEnd = this.#responses.get(instance)?.outageEndedAt ?? null;
    this.#responses.set(instance, {
      monotonic: this.#deps.clock.monotonic(),
      at: this.#deps.clock.now(),
      outageEndedAt: outage.error === null ? previousEnd : this.#deps.clock.now(),
    });
  }
}
