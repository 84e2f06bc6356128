/**
 * @file Chooses which jobs run while this process holds the lease, independent of their kinds. `job-work.ts` does the
 * work.
 */
import { AppError } from '../../../src-contract/errors.ts';
import type { StoredJob, Progress } from '../../../src-contract/runs/job.ts';
import type { Lease } from '../../catalogue/lease.ts';
import { cancelledByText, JobChanges } from './job-changes.ts';
import { JobWork, type WorkOptions } from './job-work.ts';
import { PollLoop } from './poll-loop.ts';
import { Outages } from './outages.ts';
import { sortByPriority, isUrgent } from './priority.ts';
import { maxOutageMs } from './retry.ts';
import { Waits } from './waits.ts';

export interface RunnerOptions extends Omit<WorkOptions, 'outages' | 'maxOutageMs'> {
  maxOutageMs?: number;
  lease: Pick<Lease, 'acquire' | 'renew' | 'release'>;
  /** Removes the leftovers of an earlier holder of the lease; awaited before any job is claimed. */
  tidyUp(): Promise<void>;
  observer: {
    onChanged(job: StoredJob): void;
    /** Reports a failure of the runner itself, which will be tried again. */
    onError(error: AppError): void;
  };
  /** How many jobs may run at once; read at every poll. */
  concurrency(): number;
  /** Jobs that other processes wait for. `heartbeat` renews this process's own wait. If absent, only own jobs run. */
  awaitedJobs?: { byOthers(): (job: StoredJob) => boolean; heartbeat(): void };
}

/** One urgent job may exceed the maximum, so that it need not wait for the end of a long job. */
const urgentSlots = 1;

/** How often the catalogue is polled for jobs that other processes enqueued or cancelled. */
const pollIntervalMs = 500;
const heartbeatMs = 5_000;
/** An error that lasts this long is reported to every process that waits for the jobs. */
const errorReportMs = 5_000;

export class JobRunner {
  readonly #options: RunnerOptions & WorkOptions;
  readonly #changes: JobChanges;
  readonly #outages: Outages;
  readonly #running = new Map<string, JobWork>();
  readonly #workers = new Set<Promise<void>>();
  /** True while this process holds the lease, as of its last check in the catalogue. */
  #hasLease = false;
  #heartbeatAt = 0;
  /** When this process last reported that it waits (monotonic). */
  #waitReportedAt = 0;
  readonly #waits: Waits;
  readonly #claimFilters: ((job: StoredJob) => boolean)[] = [];
  /** The error that blocks all jobs, and since when (monotonic). Null while polling and storing succeed. */
  #lastError: { error: AppError; since: number } | null = null;
  readonly #loop: PollLoop;

  constructor(options: RunnerOptions) {
    const { clock, random, portsFor } = options;
    this.#outages = new Outages({
      clock,
      random,
      maxOutageMs: options.maxOutageMs ?? maxOutageMs,
      instanceFor: async (job) => (await portsFor(job)).instance,
      onChange: () => {
        this.wake();
      },
    });
    this.#options = { maxOutageMs, ...options, outages: this.#outages };
    this.#waits = new Waits(options.clock);
    this.#changes = new JobChanges(options.store, options.clock, (job) => {
      this.#lastError = null;
      options.observer.onChanged(job);
    });
    this.#loop = new PollLoop({
      clock: options.clock,
      poll: () => this.#poll(),
      // A busy catalogue or a full disk is temporary; the next poll tries again.
      onPollError: (error) => {
        this.#recordError(error);
        return pollIntervalMs;
      },
    });
  }

  /** Returns the progress of a job's running step; null if the job does not run here or reports no progress. */
  progressOf(jobId: string): Progress | null {
    return this.#running.get(jobId)?.progress ?? null;
  }

  /** False while another process holds the lease, or before this process requested it. */
  get holdsLease(): boolean {
    return this.#hasLease;
  }

  /** True while a job runs here; waiting jobs do not count. */
  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  /** The error that has blocked all jobs for some seconds; null if none does. */
  get blockingError(): AppError | null {
    const lastError = this.#lastError;
    if (lastError === null || this.#options.clock.monotonic() - lastError.since < errorReportMs) return null;
    return lastError.error;
  }

  /** From now on also runs the jobs that `mayClaim` accepts. Waits for the lease, and polls the jobs meanwhile. */
  start(mayClaim: (job: StoredJob) => boolean): void {
    this.#claimFilters.push(mayClaim);
    this.wake();
    this.#loop.start();
  }

  /**
   * Interrupts running jobs, and claims no job until started again. Keeps the lease, so that no other process resumes
   * the jobs. Idempotent.
   */
  async suspend(): Promise<void> {
    this.#claimFilters.length = 0;
    const reason = new AppError('interrupted', 'The program is stopping.');
    for (const work of this.#running.values()) work.abort(reason);
    await this.#outages.abortProbes();
    await Promise.all(this.#workers);
  }

  /** Stops all work and releases the lease. Idempotent. */
  async stop(): Promise<void> {
    const stopped = this.#loop.stop();
    await this.suspend();
    await stopped;
    if (!this.#hasLease) return;
    this.#hasLease = false;
    try {
      this.#options.lease.release();
    } catch (thrown) {
      // Other processes notice that this process has ended.
      this.#options.observer.onError(AppError.from(thrown));
    }
  }

  wake(): void {
    this.#loop.wake();
  }

  /**
   * Stores the cancellation, then aborts the job. Another process that runs the job reads the cancellation from the
   * catalogue.
   */
  cancel(jobId: string, by: string): StoredJob {
    const cancelled = this.#changes.apply(jobId, { type: 'cancel', by }, cancelledByText(by));
    this.#abort([cancelled]);
    return cancelled;
  }

  /** Cancels the jobs that have not ended, like `cancel`, but in one transaction. Returns the cancelled jobs. */
  cancelAll(jobIds: readonly string[], by: string): StoredJob[] {
    const cancelled = this.#changes.cancelAll(jobIds, by);
    this.#abort(cancelled);
    return cancelled;
  }

  #abort(cancelled: readonly StoredJob[]): void {
    for (const { id } of cancelled) {
      this.#running.get(id)?.abort(new AppError('cancelled', 'The job was cancelled.'));
    }
    this.wake();
  }

  /**
   * Fails a job that had succeeded, because its archive no longer exists. Throws `job-ended` for any other ended job.
   */
  markArchiveLost(jobId: string, error: AppError): void {
    this.#changes.apply(jobId, { type: 'lose', error: error.toData() }, error.message);
  }

  async #poll(): Promise<number> {
    await this.#keepLease();
    this.#reportWaiting();
    const open = this.#options.store.openJobs();
    this.#waits.update(open);
    let nextMs = pollIntervalMs;
    if (this.#hasLease && !this.#loop.signal.aborted) {
      this.#reconcileStates(open);
      if (this.#claimFilters.length > 0) this.#outages.probeDue(open);
      for (const job of this.#due(open)) this.#startWork(job);
      nextMs = Math.min(nextMs, this.#outages.msUntilNextProbe());
    }
    const now = this.#options.clock.now();
    const remainingMs = open.flatMap(({ state }) => (state.status === 'waiting' ? [state.until - now] : []));
    return Math.min(nextMs, ...remainingMs.filter((ms) => ms > 0));
  }

  #reportWaiting(): void {
    const now = this.#options.clock.monotonic();
    if (now - this.#waitReportedAt < heartbeatMs) return;
    this.#waitReportedAt = now;
    this.#options.awaitedJobs?.heartbeat();
  }

  #startWork(job: StoredJob): void {
    const work = new JobWork(job, this.#options, this.#changes);
    this.#running.set(job.id, work);
    const worker = work
      .run()
      .catch((thrown: unknown) => {
        // `#reconcileStates` finds such a job and resumes it.
        this.#recordError(AppError.from(thrown));
      })
      .finally(() => {
        this.#running.delete(job.id);
        this.#workers.delete(worker);
        this.wake();
      });
    this.#workers.add(worker);
  }

  #recordError(error: AppError): void {
    this.#lastError ??= { error, since: this.#options.clock.monotonic() };
    this.#options.observer.onError(error);
  }

  async #keepLease(): Promise<void> {
    const { clock, lease, observer } = this.#options;
    if (!this.#hasLease) {
      if (!lease.acquire()) return;
      this.#heartbeatAt = clock.monotonic();
      await this.#options.tidyUp().catch((thrown: unknown) => {
        observer.onError(AppError.from(thrown));
      });
      this.#hasLease = true;
      // A job that waited for an instance is not tried before the instance was probed.
      for (const { instance, state } of this.#options.store.openJobs()) {
        if (state.status === 'waiting' && state.since !== undefined)
          this.#outages.suspect(instance, state.since);
      }
    } else if (clock.monotonic() - this.#heartbeatAt > heartbeatMs) {
      this.#hasLease = lease.renew();
      this.#heartbeatAt = clock.monotonic();
      if (!this.#hasLease) for (const work of this.#running.values()) work.abortOnLeaseLoss();
    }
  }

  /** Aborts jobs that other processes cancelled, and resumes jobs that are stored as running but do not run here. */
  #reconcileStates(open: StoredJob[]): void {
    for (const job of open) {
      const work = this.#running.get(job.id);
      if (job.state.status === 'cancelling') {
        work?.abort(new AppError('cancelled', 'The job was cancelled.'));
      }
      if (work === undefined && (job.state.status === 'running' || job.state.status === 'cancelling')) {
        this.#changes.apply(
          job.id,
          { type: 'interrupt', at: this.#options.clock.now() },
          'The program was interrupted.',
        );
        this.wake();
      }
    }
  }

  /**
   * Returns the jobs to start, most urgent first, at most one for each project. GitLab compares paths without regard to
   * case.
   */
  #due(open: StoredJob[]): StoredJob[] {
    if (this.#claimFilters.length === 0) return [];
    const keyOf = (job: StoredJob): string => `${job.instance} ${job.project.toLowerCase()}`;
    const running = open.filter((job) => this.#running.has(job.id));
    const busy = new Set(running.map(keyOf));
    const isAwaited = this.#options.awaitedJobs?.byOthers();
    const due: StoredJob[] = [];
    const max = this.#options.concurrency();
    const hasRoom = (job: StoredJob): boolean => {
      const usedSlots = this.#running.size + due.length;
      if (usedSlots < max || !isUrgent(job)) return usedSlots < max;
      return usedSlots < max + urgentSlots && [...running, ...due].filter(isUrgent).length < max;
    };
    for (const job of sortByPriority(open)) {
      if (!hasRoom(job) || busy.has(keyOf(job)) || !this.#isDue(job)) continue;
      if (!this.#claimFilters.some((mayClaim) => mayClaim(job)) && isAwaited?.(job) !== true) continue;
      if (this.#outages.mustWait(job)) {
        this.#waitForInstance(job);
        continue;
      }
      busy.add(keyOf(job));
      due.push(job);
    }
    return due;
  }

  #isDue(job: StoredJob): boolean {
    if (job.state.status === 'queued') return true;
    if (job.state.status !== 'waiting') return false;
    const { reason, since, until } = job.state;
    const hasToken = reason === 'token-missing' ? this.#options.hasToken(job.instance) : null;
    const isOutageOver = since !== undefined && this.#outages.hasEndedSince(job.instance, job.updatedAt);
    return hasToken ?? (isOutageOver || this.#waits.isOver(job.id, until));
  }

  #waitForInstance({ id, state, instance }: StoredJob): void {
    const since = this.#outages.outageSince(instance);
    const text = this.#outages.describeOutage(instance);
    if (state.status !== 'waiting' || state.since !== undefined || since === null || text === null) return;
    this.#changes.applyUnlessCancelled(
      id,
      { type: 'hold', until: this.#options.clock.now(), text, since },
      text,
    );
  }
}
