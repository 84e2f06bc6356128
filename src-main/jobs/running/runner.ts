/**
 * @file Runs persisted jobs while this process holds the lease: claims what is due, runs its steps, stores every outcome
 * before going on. It knows no kind of job and never talks to a server itself.
 */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../src-preload/contract/errors.ts';
import type { Job, JobKind, Progress } from '../../../src-preload/contract/job.ts';
import type { Clock } from '../../platform/clock.ts';
import { attemptStep, type AttemptParts } from './attempt.ts';
import type { PaceKeeper } from './pace.ts';
import type { JobObserver, JobStorePort, LeasePort, StepPorts } from '../ports.ts';
import { needsToken, tokenWaitText } from './retry.ts';
import type { JobDefinition, Waiting } from './step.ts';
import { transition, type TransitionEvent } from './transition.ts';
import { Waits } from './waits.ts';

export interface RunnerOptions {
  definitions: JobDefinition[];
  store: JobStorePort;
  lease: LeasePort;
  clock: Clock;
  pace: PaceKeeper;
  /** Resolves the ports for a job's instance; fails with `token-missing` where this process has no token for it. */
  portsFor(job: Job): Promise<StepPorts>;
  /**
   * Whether there is a token for an instance, told without waiting: a job that waits for one goes on at once, is left alone,
   * or (null: not known) tries again when its time has come.
   */
  tokenAtHand(instance: string): boolean | null;
  /** Clears what an earlier holder of the lease left behind; awaited before any job is claimed. */
  tidyUp(): Promise<void>;
  observer: JobObserver;
  /** In [0, 1); spreads waits. */
  random(): number;
  /** How many jobs may run at once; asked at every look. */
  concurrency(): number;
}

/** How often the catalogue is looked at for what other processes enqueued or cancelled. */
const lookMs = 500;
const heartbeatMs = 5_000;
/** Trouble that lasts so long is told to whoever waits for the jobs. */
const troubleMs = 5_000;
/** How often a token that may be there is looked for: each look is kept in the history. */
const tokenLookMs = 60_000;
/** How often a change is tried against others that change the same job. */
const mostTries = 5;

export class JobRunner {
  readonly #options: RunnerOptions;
  readonly #steps: Map<JobKind, JobDefinition>;
  readonly #running = new Map<string, AbortController>();
  readonly #workers = new Set<Promise<void>>();
  readonly #progress = new Map<string, Progress>();
  #stopping = new AbortController();
  /** Whether this process runs jobs; the lease in the catalogue decides, this follows it. */
  #held = false;
  #beatAt = 0;
  readonly #leaseLost = new AppError('interrupted', 'Another process took over the jobs.');
  readonly #waits: Waits;
  readonly #claims: ((job: Job) => boolean)[] = [];
  /** Why nothing goes on, and since when (monotonic); null while looking and storing work. */
  #trouble: { error: AppError; since: number } | null = null;
  #wake: (() => void) | null = null;
  /** A wake that came while the loop was looking must not be lost. */
  #woken = false;
  #loop: Promise<void> | null = null;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#waits = new Waits(options.clock);
    this.#steps = new Map(options.definitions.map((definition) => [definition.kind, definition]));
  }

  /** How far the running step of a job is; null when it does not run here or does not say. */
  progressOf(jobId: string): Progress | null {
    return this.#progress.get(jobId) ?? null;
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
  start(claims: (job: Job) => boolean): void {
    this.#claims.push(claims);
    this.wake();
    if (this.#loop !== null) return;
    this.#stopping = new AbortController();
    this.#loop = this.#run();
  }

  /**
   * Claims nothing until it is started again, aborts what runs and stores that it was interrupted. The lease stays, so that no
   * other process takes up what this one knows more of. Repeatable.
   */
  async rest(): Promise<void> {
    this.#claims.length = 0;
    const reason = new AppError('interrupted', 'The program is stopping.');
    for (const controller of this.#running.values()) controller.abort(reason);
    await Promise.all(this.#workers);
  }

  /** Comes to rest and gives the lease back. Repeatable. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const rested = this.rest();
    this.wake();
    await rested;
    await this.#loop;
    this.#loop = null;
  }

  /** Looks for work now rather than at the next interval. */
  wake(): void {
    this.#woken = true;
    this.#wake?.();
  }

  /** Records who cancels before anything is aborted. A job that runs elsewhere is told through the catalogue. */
  cancel(jobId: string, by: string): Job {
    const cancelled = this.#change(jobId, { type: 'cancel', by }, `Cancelled by ${by}.`);
    this.#running.get(jobId)?.abort(new AppError('cancelled', 'The job was cancelled.'));
    this.wake();
    return cancelled;
  }

  async #run(): Promise<void> {
    while (!this.#isStopping()) {
      this.#woken = false;
      let open: Job[] = [];
      try {
        await this.#keepLease();
        open = this.#options.store.open();
        this.#waits.look(open);
        if (this.#held && !this.#isStopping()) {
          this.#tend(open);
          for (const job of this.#due(open)) {
            const worker = this.#work(job).finally(() => {
              this.#workers.delete(worker);
              this.wake();
            });
            this.#workers.add(worker);
          }
        }
      } catch (thrown) {
        // A busy catalogue or a full disk passes; the next look tries again.
        this.#meet(thrown);
      }
      await this.#pause(open);
    }
    await Promise.all(this.#workers);
    this.#held = false;
    try {
      this.#options.lease.release();
    } catch (thrown) {
      // Others see that this process is gone.
      this.#options.observer.troubled(AppError.from(thrown));
    }
  }

  #meet(thrown: unknown): void {
    const error = AppError.from(thrown);
    this.#trouble ??= { error, since: this.#options.clock.monotonic() };
    this.#options.observer.troubled(error);
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
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
    } else if (clock.monotonic() - this.#beatAt > heartbeatMs) {
      this.#held = lease.heartbeat();
      this.#beatAt = clock.monotonic();
      if (!this.#held) for (const controller of this.#running.values()) controller.abort(this.#leaseLost);
    }
  }

  /** Aborts what was cancelled elsewhere. What is called running and does not run here waits again, from the stored step. */
  #tend(open: Job[]): void {
    for (const job of open) {
      const controller = this.#running.get(job.id);
      if (job.state.status === 'cancelling') {
        controller?.abort(new AppError('cancelled', 'The job was cancelled.'));
      }
      if (controller === undefined && (job.state.status === 'running' || job.state.status === 'cancelling')) {
        this.#change(
          job.id,
          { type: 'interrupt', at: this.#options.clock.now() },
          'The program was interrupted.',
        );
        this.#woken = true;
      }
    }
  }

  /** At most one job of a project, in whatever spelling: GitLab compares paths without regard to case. */
  #due(open: Job[]): Job[] {
    const keyOf = (job: Job): string => `${job.instance} ${job.project.toLowerCase()}`;
    const busy = new Set(open.filter((job) => this.#running.has(job.id)).map(keyOf));
    const due: Job[] = [];
    const most = this.#options.concurrency();
    for (const job of open) {
      if (this.#running.size + due.length >= most) break;
      if (busy.has(keyOf(job)) || !this.#isDue(job) || !this.#claims.some((claims) => claims(job))) continue;
      busy.add(keyOf(job));
      due.push(job);
    }
    return due;
  }

  #isDue(job: Job): boolean {
    if (job.state.status === 'queued') return true;
    if (job.state.status !== 'waiting') return false;
    const given = job.state.reason === 'token-missing' ? this.#options.tokenAtHand(job.instance) : null;
    return given ?? this.#waits.isOver(job.id, job.state.until);
  }

  async #pause(open: Job[]): Promise<void> {
    const now = this.#options.clock.now();
    const next = open
      .map((job) => (job.state.status === 'waiting' ? job.state.until - now : lookMs))
      .filter((ms) => ms > 0);
    await new Promise<void>((resolve) => {
      const cancel = this.#options.clock.timer(Math.min(lookMs, ...next), resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
      if (this.#woken) this.#wake();
    });
    this.#wake = null;
  }

  /** Runs steps until the job ends, waits, or is stopped. Never throws: whatever happens is stored with the job. */
  async #work(due: Job): Promise<void> {
    const controller = new AbortController();
    this.#running.set(due.id, controller);
    const hadToken = this.#options.tokenAtHand(due.instance) === true;
    try {
      let job = this.#change(due.id, { type: 'claim', at: this.#options.clock.now() }, 'Started.');
      const definition = this.#definition(job.kind);
      const ports = job.step === null ? null : await this.#options.portsFor(job);
      while (ports !== null && job.step !== null) {
        controller.signal.throwIfAborted();
        const after = await this.#step(job, definition, ports, controller.signal, hadToken);
        if (after === null) return;
        job = after;
      }
      // A stop or a cancel that comes now comes too late: the work is done.
      this.#refuseIfLost(controller.signal);
      const { result, warnings } = definition.end(this.#options.store.outputs(job.id));
      const warned = warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`;
      const says = warnings.length === 0 ? 'Succeeded.' : `Succeeded with ${warned}.`;
      this.#change(job.id, { type: 'succeed', warnings }, says, result);
    } catch (thrown) {
      this.#settle(due.id, controller.signal, thrown, hadToken);
    } finally {
      this.#running.delete(due.id);
      this.#progress.delete(due.id);
    }
  }

  /** Answers the job as it goes on after the step, or null when it waits or was cancelled meanwhile. */
  async #step(
    job: Job,
    definition: JobDefinition,
    ports: StepPorts,
    signal: AbortSignal,
    hadToken: boolean,
  ): Promise<Job | null> {
    const { store, clock } = this.#options;
    const at = definition.steps.findIndex((candidate) => candidate.name === job.step);
    const step = definition.steps[at];
    if (step === undefined) throw new AppError('internal', `There is no step "${job.step ?? ''}".`);
    const parts: AttemptParts = {
      ...this.#options,
      progress: (progress) => {
        this.#progress.set(job.id, progress);
      },
      mayWrite: () => {
        this.#refuseIfLost(signal);
      },
    };
    const outcome = await attemptStep(parts, job, step, ports, signal);
    this.#progress.delete(job.id);
    if (outcome.kind === 'wait') {
      this.#wait(job.id, outcome, hadToken);
      return null;
    }
    if (outcome.kind === 'skip') {
      // Somebody joined it meanwhile who wants it done: the step is asked again.
      const now = this.#must(job.id);
      if (!isDeepStrictEqual(now.input, job.input)) return now;
      const event = { type: 'skip', why: outcome.why } as const;
      this.#changeUnlessCancelled(job.id, event, `Skipped: ${outcome.why}.`);
      return null;
    }
    const next = outcome.goTo ?? definition.steps[at + 1]?.name ?? null;
    const event = { type: 'step-done', message: outcome.says };
    return store.finishStep(job.id, step.name, outcome.output, next, event, clock.now());
  }

  /** Whoever lost the lease must not write: the job may run elsewhere already. */
  #refuseIfLost(signal: AbortSignal): void {
    if (signal.reason === this.#leaseLost) throw this.#leaseLost;
  }

  #wait(jobId: string, { ms, reason, text }: Omit<Waiting, 'kind' | 'memo'>, hadToken: boolean): void {
    const until = Math.ceil(this.#options.clock.now() + ms);
    // A token that was there all the time is not what it lacks: no wait is cut short for it.
    const lacks = reason === 'token-missing' && hadToken ? 'keychain' : reason;
    this.#changeUnlessCancelled(jobId, { type: 'wait', until, reason: lacks, text }, text);
  }

  /** A cancel that came while the step ended wins over what the step came to. */
  #changeUnlessCancelled(jobId: string, event: TransitionEvent, says: string): void {
    if (this.#must(jobId).state.status === 'cancelling') {
      this.#change(jobId, { type: 'aborted' }, 'Cancelled.');
    } else this.#change(jobId, event, says);
  }

  /** Stores how a try ended that did not end by itself. What cannot be stored is found and put right by `#tend`. */
  #settle(jobId: string, signal: AbortSignal, thrown: unknown, hadToken: boolean): void {
    try {
      this.#refuseIfLost(signal);
      const error = AppError.from(thrown);
      const { state, instance } = this.#must(jobId);
      if (state.status === 'cancelling') {
        this.#change(
          jobId,
          { type: 'aborted' },
          'Cancelled; nothing incomplete was stored. What the server was asked to do goes on there.',
        );
      } else if (state.status !== 'running') {
        return;
      } else if (signal.aborted || error.code === 'catalogue-busy') {
        // A busy catalogue passes; the stored step and intent are taken up again.
        this.#change(jobId, { type: 'interrupt', at: this.#options.clock.now() }, error.message);
      } else if (needsToken(error)) {
        const text = tokenWaitText(error, instance);
        this.#wait(jobId, { ms: tokenLookMs, reason: 'token-missing', text }, hadToken);
      } else {
        this.#change(jobId, { type: 'fail', error: error.toData() }, error.message);
      }
    } catch (failure) {
      this.#meet(failure);
    }
  }

  /** Applies an event to the job as it is now, also when another process changes it at the same moment. */
  #change(jobId: string, event: TransitionEvent, message: string, result?: unknown): Job {
    for (let tries = 1; ; tries += 1) {
      const job = this.#must(jobId);
      try {
        const changed = this.#options.store.change(jobId, job.revision, {
          state: transition(job.state, event),
          event: { type: event.type, message },
          at: this.#options.clock.now(),
          ...(result === undefined ? {} : { result }),
        });
        this.#trouble = null;
        this.#options.observer.changed(changed);
        return changed;
      } catch (thrown) {
        if (AppError.from(thrown).code !== 'job-busy' || tries === mostTries) throw thrown;
      }
    }
  }

  #definition(kind: JobKind): JobDefinition {
    const definition = this.#steps.get(kind);
    if (definition === undefined) throw new AppError('internal', `There is no job kind "${kind}".`);
    return definition;
  }

  #must(jobId: string): Job {
    const job = this.#options.store.get(jobId);
    if (job === null) throw new AppError('job-missing', `There is no job ${jobId}.`);
    return job;
  }
}
