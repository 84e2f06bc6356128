/**
 * @file Runs persisted jobs while this process holds the lease: claims what is due, runs its steps, stores every outcome
 * before going on. It knows no kind of job and never talks to a server itself.
 */
import { AppError } from '../../src-preload/contract/errors.ts';
import { hasEnded, type Job, type JobKind, type Progress } from '../../src-preload/contract/job.ts';
import type { Clock } from '../platform/clock.ts';
import type { PaceKeeper } from './pace.ts';
import type { JobObserver, JobStorePort, LeasePort, StepPorts } from './ports.ts';
import { decideRetry, needsToken } from './retry.ts';
import type { JobDefinition, Outcome, Step } from './step.ts';
import { transition, type TransitionEvent } from './transition.ts';

export interface RunnerOptions {
  definitions: JobDefinition[];
  store: JobStorePort;
  lease: LeasePort;
  clock: Clock;
  pace: PaceKeeper;
  /** Resolves the ports for a job's instance; fails with `token-missing` where this process has no token for it. */
  portsFor(job: Job): Promise<StepPorts>;
  /** Clears what an earlier holder of the lease left behind; awaited before any job is claimed. */
  tidyUp(): Promise<void>;
  observer: JobObserver;
  /** In [0, 1); spreads waits. */
  random(): number;
  concurrency: number;
}

/** How often the catalogue is looked at for what other processes enqueued or cancelled. */
const lookMs = 500;
const heartbeatMs = 5_000;
/** A job that took the process down this often in a row is given up, so that the rest can go on. */
const mostInterruptions = 5;

/** What the runner itself remembers with a step, around the step's own memo. */
interface StoredMemo {
  failures: number;
  interruptions: number;
  memo: unknown;
}

const emptyMemo: StoredMemo = { failures: 0, interruptions: 0, memo: null };
const asStored = (memo: unknown): StoredMemo => (memo as StoredMemo | null) ?? emptyMemo;

export class JobRunner {
  readonly #options: RunnerOptions;
  readonly #steps: Map<JobKind, JobDefinition>;
  readonly #running = new Map<string, AbortController>();
  readonly #progress = new Map<string, Progress>();
  #stopping = new AbortController();
  readonly #claims: ((job: Job) => boolean)[] = [];
  #wake: (() => void) | null = null;
  /** A wake that came while the loop was looking must not be lost. */
  #woken = false;
  #loop: Promise<void> | null = null;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#steps = new Map(options.definitions.map((definition) => [definition.kind, definition]));
  }

  /** How far the running step of a job is; null when it does not run here or does not say. */
  progressOf(jobId: string): Progress | null {
    return this.#progress.get(jobId) ?? null;
  }

  /** Also claims the jobs that `claims` accepts, from now on; whoever lacks the lease waits for it and watches meanwhile. */
  start(claims: (job: Job) => boolean): void {
    this.#claims.push(claims);
    this.wake();
    if (this.#loop !== null) return;
    this.#stopping = new AbortController();
    this.#loop = this.#run();
  }

  /** Stops claiming, aborts what runs, stores that it was interrupted, gives the lease back. Repeatable. */
  async stop(): Promise<void> {
    this.#stopping.abort(new AppError('interrupted', 'The program is stopping.'));
    for (const controller of this.#running.values()) controller.abort(this.#stopping.signal.reason);
    this.wake();
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
    const job = this.#must(jobId);
    const cancelled = this.#change(job, { type: 'cancel', by }, `Cancelled by ${by}.`);
    this.#running.get(jobId)?.abort(new AppError('cancelled', 'The job was cancelled.'));
    this.wake();
    return cancelled;
  }

  async #run(): Promise<void> {
    const { clock, lease, store } = this.#options;
    let held = false;
    let beatAt = 0;
    const workers = new Set<Promise<void>>();
    while (!this.#stopping.signal.aborted) {
      this.#woken = false;
      if (!held) {
        held = lease.acquire();
        if (held) await this.#takeOver();
        beatAt = clock.monotonic();
      } else if (clock.monotonic() - beatAt > heartbeatMs) {
        held = lease.heartbeat();
        beatAt = clock.monotonic();
        if (!held) for (const controller of this.#running.values()) controller.abort(this.#lost());
      }
      const open = store.open();
      for (const job of open) {
        if (job.state.status === 'cancelling') {
          this.#running.get(job.id)?.abort(new AppError('cancelled', 'The job was cancelled.'));
        }
      }
      if (held) {
        for (const job of this.#due(open.filter((job) => this.#claims.some((claims) => claims(job))))) {
          const worker = this.#work(job).finally(() => {
            workers.delete(worker);
            this.wake();
          });
          workers.add(worker);
        }
      }
      await this.#pause(open);
    }
    await Promise.allSettled(workers);
    lease.release();
  }

  #lost(): AppError {
    return new AppError('interrupted', 'Another process took over the jobs.');
  }

  /** What was running when its process ended waits again, from the stored step. */
  async #takeOver(): Promise<void> {
    await this.#options.tidyUp();
    for (const job of this.#options.store.open()) {
      if (job.state.status !== 'running' && job.state.status !== 'cancelling') continue;
      this.#change(job, { type: 'interrupt', at: this.#options.clock.now() }, 'The program was interrupted.');
    }
  }

  #due(open: Job[]): Job[] {
    const busy = new Set<string>();
    for (const job of open) if (this.#running.has(job.id)) busy.add(`${job.instance} ${job.project}`);
    const due: Job[] = [];
    for (const job of open) {
      if (this.#running.size + due.length >= this.#options.concurrency) break;
      const key = `${job.instance} ${job.project}`;
      if (busy.has(key) || !this.#isDue(job)) continue;
      busy.add(key);
      due.push(job);
    }
    return due;
  }

  #isDue(job: Job): boolean {
    if (job.state.status === 'queued') return true;
    return job.state.status === 'waiting' && job.state.until <= this.#options.clock.now();
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
    let job = due;
    try {
      job = this.#change(job, { type: 'claim', at: this.#options.clock.now() }, 'Started.');
      const ports = await this.#options.portsFor(job);
      const definition = this.#definition(job.kind);
      while (job.step !== null) {
        const step = definition.steps.find((candidate) => candidate.name === job.step);
        if (step === undefined) throw new AppError('internal', `There is no step "${job.step}".`);
        const after = await this.#attempt(job, step, definition, ports, controller.signal);
        job = after.job;
        if (after.rests) return;
        if (controller.signal.aborted) throw controller.signal.reason;
      }
      const { result, warnings } = definition.end(this.#options.store.outputs(job.id));
      const says = warnings.length === 0 ? 'Succeeded.' : `Succeeded with ${warnings.length} warnings.`;
      this.#change(this.#must(job.id), { type: 'succeed', warnings }, says, result);
    } catch (thrown) {
      this.#settle(job.id, controller.signal, thrown);
    } finally {
      this.#running.delete(due.id);
      this.#progress.delete(due.id);
      this.#options.observer.progressed(due.id, null);
    }
  }

  async #attempt(
    job: Job,
    step: Step,
    definition: JobDefinition,
    ports: StepPorts,
    signal: AbortSignal,
  ): Promise<{ job: Job; rests: boolean }> {
    const { store, clock } = this.#options;
    const begun = store.beginStep(job.id, step.name, clock.now());
    const stored = asStored(begun.memo);
    // Counted before the step runs and forgotten when it returns: what stays counted took the process down.
    const counted = { ...stored, interruptions: stored.interruptions + 1 };
    store.saveMemo(job.id, step.name, counted);
    if (stored.interruptions >= mostInterruptions) {
      throw new AppError(
        'interrupted',
        `The step "${step.name}" was interrupted ${mostInterruptions} times.`,
      );
    }
    const save = (memo: StoredMemo): void => {
      store.saveMemo(job.id, step.name, memo);
    };
    let outcome: Outcome;
    try {
      outcome = await step.run({
        job: this.#must(job.id),
        attempt: begun.attempt,
        memo: stored.memo,
        outputs: store.outputs(job.id),
        signal,
        clock,
        ports,
        turn: (action) => this.#options.pace.turn(job.instance, ports.instance.pace, action, job.project),
        progress: (progress) => {
          this.#progress.set(job.id, { step: step.name, ...progress });
          this.#options.observer.progressed(job.id, { step: step.name, ...progress });
        },
        log: (message) => {
          store.appendEvent(job.id, 'note', message, clock.now());
        },
        remember: (memo) => {
          counted.memo = memo;
          save(counted);
        },
      });
    } catch (thrown) {
      if (signal.aborted) {
        save({ ...stored, memo: counted.memo });
        throw thrown;
      }
      const error = AppError.from(thrown);
      const failures = stored.failures + 1;
      const decision = decideRetry(error, failures, ports.instance.pace, this.#options.random());
      if (!decision.retry) throw error;
      save({ failures, interruptions: 0, memo: counted.memo });
      return { job: this.#wait(job.id, decision.waitMs, decision.reason, error.message), rests: true };
    }
    this.#progress.delete(job.id);
    switch (outcome.kind) {
      case 'wait':
        save({ failures: 0, interruptions: 0, memo: outcome.memo });
        return { job: this.#wait(job.id, outcome.ms, outcome.reason, outcome.text), rests: true };
      case 'done': {
        const names = definition.steps.map((candidate) => candidate.name);
        const next = outcome.goTo ?? names[names.indexOf(step.name) + 1] ?? null;
        save(emptyMemo);
        const event = { type: 'step-done', message: outcome.says };
        return {
          job: store.finishStep(job.id, step.name, outcome.output, next, event, clock.now()),
          rests: false,
        };
      }
    }
  }

  #wait(jobId: string, ms: number, reason: Parameters<typeof waitEvent>[1], text: string): Job {
    const job = this.#must(jobId);
    // A cancel that came while the step ended wins over waiting.
    if (job.state.status === 'cancelling') return this.#change(job, { type: 'aborted' }, 'Cancelled.');
    return this.#change(job, waitEvent(this.#options.clock.now() + ms, reason, text), text);
  }

  #settle(jobId: string, signal: AbortSignal, thrown: unknown): void {
    const job = this.#must(jobId);
    if (hasEnded(job.state)) return;
    const error = AppError.from(thrown);
    if (job.state.status === 'cancelling') {
      this.#change(job, { type: 'aborted' }, 'Cancelled; nothing incomplete was kept.');
    } else if (signal.aborted) {
      this.#change(job, { type: 'interrupt', at: this.#options.clock.now() }, error.message);
    } else if (needsToken(error) && job.state.status === 'running') {
      this.#wait(jobId, lookMs * 20, 'token-missing', error.message);
    } else if (job.state.status === 'running') {
      this.#change(job, { type: 'fail', error: error.toData() }, error.message);
    }
  }

  #change(job: Job, event: TransitionEvent, message: string, result?: unknown): Job {
    const changed = this.#options.store.change(job.id, job.revision, {
      state: transition(job.state, event),
      event: { type: event.type, message },
      at: this.#options.clock.now(),
      ...(result === undefined ? {} : { result }),
    });
    this.#options.observer.changed(changed);
    return changed;
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

const waitEvent = (
  until: number,
  reason: Extract<TransitionEvent, { type: 'wait' }>['reason'],
  text: string,
): TransitionEvent => ({ type: 'wait', until, reason, text });
