/**
 * @file Which jobs run, and when: while this process holds the lease it claims what is due, up to as many at once as may be, and
 * takes up what was interrupted. It knows no kind of job and never talks to a server itself. The work on one job: `job-work.ts`.
 */
import { AppError } from '../../../src-contract/errors.ts';
import type { StoredJob, Progress } from '../../../src-contract/job.ts';
import type { JobObserver, LeasePort } from '../ports.ts';
import { cancelledBy, JobChanges } from './job-changes.ts';
import { JobWork, type WorkOptions } from './job-work.ts';
import { PollLoop } from './poll-loop.ts';
import { Outages } from './outages.ts';
import { byPriority, isUrgent } from './priority.ts';
import { maxOutageMs } from './retry.ts';
import { Waits } from './waits.ts';

export interface RunnerOptions extends Omit<WorkOptions, 'outages' | 'maxOutageMs'> {
  /** Only tests pass another. */
  maxOutageMs?: number;
  lease: LeasePort;
  /** Clears what an earlier holder of the lease left behind; awaited before any job is claimed. */
  tidyUp(): Promise<void>;
  observer: JobObserver;
  /** How many jobs may run at once; asked at every look. */
  concurrency(): number;
  /** What other processes wait for, and that this one waits too; without it every process runs its own jobs only. */
  awaited?: AwaitedPort;
}

export interface AwaitedPort {
  /** Accepts the jobs that other living processes wait for. */
  ofOthers(): (job: StoredJob) => boolean;
  heartbeat(): void;
}

/** An urgent job need not wait for the end of a long one: one may run beside as many as may run at once. */
const urgentSlots = 1;

/** How often the catalogue is looked at for what other processes enqueued or cancelled. */
const pollIntervalMs = 500;
const heartbeatMs = 5_000;
/** Trouble that lasts so long is told to whoever waits for the jobs. */
const troubleMs = 5_000;

/** Runs the jobs of one catalogue, as long as this process may. */
export class JobRunner {
  readonly #options: RunnerOptions & WorkOptions;
  readonly #changes: JobChanges;
  readonly #outages: Outages;
  /** What is worked on here, by the ids of the jobs. */
  readonly #running = new Map<string, JobWork>();
  readonly #workers = new Set<Promise<void>>();
  /** Whether this process runs jobs; the lease in the catalogue decides, this follows it. */
  #held = false;
  #beatAt = 0;
  /** Monotonic; when this process said last that it waits. */
  #waitedAt = 0;
  readonly #waits: Waits;
  readonly #claims: ((job: StoredJob) => boolean)[] = [];
  /** Why nothing goes on, and since when (monotonic); null while looking and storing work. */
  #trouble: { error: AppError; since: number } | null = null;
  readonly #loop: PollLoop;

  constructor(options: RunnerOptions) {
    const { clock, random, portsFor } = options;
    this.#outages = new Outages({
      clock,
      random,
      maxOutageMs: options.maxOutageMs ?? maxOutageMs,
      instanceOf: async (job) => (await portsFor(job)).instance,
      changed: () => {
        this.wake();
      },
    });
    this.#options = { maxOutageMs, ...options, outages: this.#outages };
    this.#waits = new Waits(options.clock);
    this.#changes = new JobChanges(options.store, options.clock, (job) => {
      this.#trouble = null;
      options.observer.changed(job);
    });
    this.#loop = new PollLoop({
      clock: options.clock,
      poll: () => this.#look(),
      // A busy catalogue or a full disk passes; the next look tries again.
      failed: (error) => {
        this.#meet(error);
        return pollIntervalMs;
      },
    });
  }

  /** How far the running step of a job is; null when it does not run here or does not say. */
  progressOf(jobId: string): Progress | null {
    return this.#running.get(jobId)?.progress ?? null;
  }

  /** False while another process holds the lease, or before this one asked for it. */
  get runsJobs(): boolean {
    return this.#held;
  }

  /** Whether a job runs here at this moment; those that wait do not. */
  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  /** Why no job can go on: the catalogue has not been readable or writable for some seconds. Null while all is well. */
  get trouble(): AppError | null {
    const trouble = this.#trouble;
    if (trouble === null || this.#options.clock.monotonic() - trouble.since < troubleMs) return null;
    return trouble.error;
  }

  /** Also claims the jobs that `claims` accepts, from now on; whoever lacks the lease waits for it and watches meanwhile. */
  start(claims: (job: StoredJob) => boolean): void {
    this.#claims.push(claims);
    this.wake();
    this.#loop.start();
  }

  /**
   * Claims nothing until it is started again, aborts what runs and stores that it was interrupted. The lease stays, so that no
   * other process takes up what this one knows more of. Repeatable.
   */
  async rest(): Promise<void> {
    this.#claims.length = 0;
    const reason = new AppError('interrupted', 'The program is stopping.');
    for (const work of this.#running.values()) work.abort(reason);
    await this.#outages.rest();
    await Promise.all(this.#workers);
  }

  /** Comes to rest and gives the lease back. Repeatable. */
  async stop(): Promise<void> {
    const stopped = this.#loop.stop();
    await this.rest();
    await stopped;
    if (!this.#held) return;
    this.#held = false;
    try {
      this.#options.lease.release();
    } catch (thrown) {
      // Others see that this process is gone.
      this.#options.observer.troubled(AppError.from(thrown));
    }
  }

  /** Looks for work now rather than at the next interval. */
  wake(): void {
    this.#loop.wake();
  }

  /** Records who cancels before anything is aborted. A job that runs elsewhere is told through the catalogue. */
  cancel(jobId: string, by: string): StoredJob {
    const cancelled = this.#changes.apply(jobId, { type: 'cancel', by }, cancelledBy(by));
    this.#abort([cancelled]);
    return cancelled;
  }

  /** Cancels those of these jobs that have not ended, like `cancel`, but stores all in one transaction. Returns them. */
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

  /** Marks a job as failed that had succeeded: what it stored is not there any more. Throws `job-ended` for any other that has ended. */
  lose(jobId: string, error: AppError): void {
    this.#changes.apply(jobId, { type: 'lose', error: error.toData() }, error.message);
  }

  /** Answers after how many milliseconds to look again. */
  async #look(): Promise<number> {
    await this.#keepLease();
    this.#keepWaiting();
    const open = this.#options.store.open();
    this.#waits.look(open);
    let nextMs = pollIntervalMs;
    if (this.#held && !this.#loop.signal.aborted) {
      this.#tend(open);
      if (this.#claims.length > 0) this.#outages.look(open);
      for (const job of this.#due(open)) this.#work(job);
      nextMs = Math.min(nextMs, this.#outages.nextMs());
    }
    const now = this.#options.clock.now();
    const ends = open.flatMap(({ state }) => (state.status === 'waiting' ? [state.until - now] : []));
    return Math.min(nextMs, ...ends.filter((ms) => ms > 0));
  }

  #keepWaiting(): void {
    const now = this.#options.clock.monotonic();
    if (now - this.#waitedAt < heartbeatMs) return;
    this.#waitedAt = now;
    this.#options.awaited?.heartbeat();
  }

  #work(job: StoredJob): void {
    const work = new JobWork(job, this.#options, this.#changes);
    this.#running.set(job.id, work);
    const worker = work
      .run()
      .catch((thrown: unknown) => {
        // `#tend` finds such a job and has it go on.
        this.#meet(AppError.from(thrown));
      })
      .finally(() => {
        this.#running.delete(job.id);
        this.#workers.delete(worker);
        this.wake();
      });
    this.#workers.add(worker);
  }

  #meet(error: AppError): void {
    this.#trouble ??= { error, since: this.#options.clock.monotonic() };
    this.#options.observer.troubled(error);
  }

  async #keepLease(): Promise<void> {
    const { clock, lease, observer } = this.#options;
    if (!this.#held) {
      if (!lease.acquire()) return;
      this.#beatAt = clock.monotonic();
      await this.#options.tidyUp().catch((thrown: unknown) => {
        observer.troubled(AppError.from(thrown));
      });
      this.#held = true;
      // What waited for an instance to answer is not tried before that has been asked.
      for (const { instance, state } of this.#options.store.open()) {
        if (state.status === 'waiting' && state.since !== undefined)
          this.#outages.suspect(instance, state.since);
      }
    } else if (clock.monotonic() - this.#beatAt > heartbeatMs) {
      this.#held = lease.heartbeat();
      this.#beatAt = clock.monotonic();
      if (!this.#held) for (const work of this.#running.values()) work.abortAsLost();
    }
  }

  /** Aborts what was cancelled elsewhere. What is called running and does not run here waits again, from the stored step. */
  #tend(open: StoredJob[]): void {
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

  /** At most one job of a project, in whatever spelling: GitLab compares paths without regard to case. The urgent ones first. */
  #due(open: StoredJob[]): StoredJob[] {
    if (this.#claims.length === 0) return [];
    const keyOf = (job: StoredJob): string => `${job.instance} ${job.project.toLowerCase()}`;
    const running = open.filter((job) => this.#running.has(job.id));
    const busy = new Set(running.map(keyOf));
    const ofOthers = this.#options.awaited?.ofOthers();
    const due: StoredJob[] = [];
    const most = this.#options.concurrency();
    const hasRoom = (job: StoredJob): boolean => {
      const taken = this.#running.size + due.length;
      if (taken < most || !isUrgent(job)) return taken < most;
      return taken < most + urgentSlots && [...running, ...due].filter(isUrgent).length < most;
    };
    for (const job of byPriority(open)) {
      if (!hasRoom(job) || busy.has(keyOf(job)) || !this.#isDue(job)) continue;
      if (!this.#claims.some((claims) => claims(job)) && ofOthers?.(job) !== true) continue;
      if (this.#outages.holds(job)) {
        this.#hold(job);
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
    const given = reason === 'token-missing' ? this.#options.tokenAtHand(job.instance) : null;
    const isOver = since !== undefined && this.#outages.hasEndedSince(job.instance, job.updatedAt);
    return given ?? (isOver || this.#waits.isOver(job.id, until));
  }

  /** A job whose wait is over says that its instance is what it waits for now. */
  #hold({ id, state, instance }: StoredJob): void {
    const since = this.#outages.sinceOf(instance);
    const text = this.#outages.textOf(instance);
    if (state.status !== 'waiting' || state.since !== undefined || since === null || text === null) return;
    this.#changes.applyUnlessCancelled(
      id,
      { type: 'hold', until: this.#options.clock.now(), text, since },
      text,
    );
  }
}
