/** @file Works on one job until it ends, waits or is stopped: runs its steps in order and stores each outcome. */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../src-contract/errors.ts';
import type { StoredJob, JobKind, Progress } from '../../../src-contract/runs/job.ts';
import type { StepPorts } from '../ports.ts';
import { attemptStep, type AttemptDeps } from './attempt.ts';
import type { JobChanges } from './job-changes.ts';
import { needsToken, tokenWaitText } from './retry.ts';
import type { JobDefinition, WaitOutcome } from './step.ts';

export interface WorkOptions extends Pick<
  AttemptDeps,
  'store' | 'clock' | 'rateLimiter' | 'random' | 'outages' | 'maxOutageMs'
> {
  definitions: JobDefinition[];
  /** Resolves to the ports for a job's instance; rejects with `token-missing` if this process has no token for it. */
  portsFor(job: StoredJob): Promise<StepPorts>;
  /**
   * Returns whether a token is available. True continues a waiting job, false leaves it waiting, and null retries it
   * when due.
   */
  hasToken(instance: string): boolean | null;
}

/** How often a job checks for a token that may be available. Each check is an entry in the history. */
const tokenCheckMs = 60_000;

const leaseLost = new AppError('interrupted', 'Another process took over the jobs.');

/** One job while it runs. Create it right before the claim of the job, and use it for one `run` only. */
export class JobWork {
  readonly #id: string;
  readonly #options: WorkOptions;
  readonly #changes: JobChanges;
  readonly #hadToken: boolean;
  readonly #stopping = new AbortController();
  #progress: Progress | null = null;

  constructor(job: StoredJob, options: WorkOptions, changes: JobChanges) {
    this.#id = job.id;
    this.#options = options;
    this.#changes = changes;
    this.#hadToken = options.hasToken(job.instance) === true;
  }

  get progress(): Progress | null {
    return this.#progress;
  }

  /** Stops the work. A job that was not cancelled then waits as interrupted. Idempotent. */
  abort(why: AppError): void {
    this.#stopping.abort(why);
  }

  /** Stops the work and writes nothing more about the job, which may already run in another process. */
  abortOnLeaseLoss(): void {
    this.#stopping.abort(leaseLost);
  }

  /** Runs the remaining steps and stores each outcome. Rejects only if storing fails or the lease was lost. */
  async run(): Promise<void> {
    try {
      let job = this.#changes.apply(this.#id, { type: 'claim', at: this.#options.clock.now() }, 'Started.');
      const definition = this.#definition(job.kind);
      const ports = job.step === null ? null : await this.#options.portsFor(job);
      while (ports !== null && job.step !== null) {
        this.#stopping.signal.throwIfAborted();
        const nextJob = await this.#step(job, definition, ports);
        if (nextJob === null) return;
        job = nextJob;
      }
      // From here on, a stop or a cancel is too late, because the work is done.
      this.#assertNotLost();
      const { result, warnings } = definition.toResult(this.#options.store.outputs(job.id));
      const warningText = warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`;
      const message = warnings.length === 0 ? 'Succeeded.' : `Succeeded with ${warningText}.`;
      this.#changes.apply(job.id, { type: 'succeed', warnings }, message, result);
    } catch (thrown) {
      this.#recordEnd(thrown);
    }
  }

  /** Returns the job after the step if it continues, or null if it waits or was cancelled meanwhile. */
  async #step(job: StoredJob, definition: JobDefinition, ports: StepPorts): Promise<StoredJob | null> {
    const { store, clock } = this.#options;
    const index = definition.steps.findIndex((candidate) => candidate.name === job.step);
    const step = definition.steps[index];
    if (step === undefined) throw new AppError('internal', `There is no step "${job.step ?? ''}".`);
    const deps: AttemptDeps = {
      ...this.#options,
      reportProgress: (progress) => {
        this.#progress = progress;
      },
      assertMayWrite: () => {
        this.#assertNotLost();
      },
    };
    const outcome = await attemptStep(deps, job, step, ports, this.#stopping.signal);
    this.#progress = null;
    if (outcome.kind === 'wait') {
      this.#wait(outcome);
      return null;
    }
    if (outcome.kind === 'skip') {
      // A request that needs the work joined the job meanwhile, so the step runs again.
      const current = this.#changes.currentJob(job.id);
      if (!isDeepStrictEqual(current.input, job.input)) return current;
      const event = { type: 'skip', why: outcome.why } as const;
      this.#changes.applyUnlessCancelled(job.id, event, `Skipped: ${outcome.why}.`);
      return null;
    }
    const next = outcome.goTo ?? definition.steps[index + 1]?.name ?? null;
    const event = { type: 'step-done', message: outcome.message };
    return store.finishStep(job.id, step.name, outcome.output, next, event, clock.now());
  }

  /**
   * Throws if this process lost the lease. Such a process must not write, because the job may already run in another
   * process.
   */
  #assertNotLost(): void {
    if (this.#stopping.signal.reason === leaseLost) throw leaseLost;
  }

  #wait({ ms, reason, text, since }: Omit<WaitOutcome, 'kind' | 'memo'>): void {
    const until = Math.ceil(this.#options.clock.now() + ms);
    // If the token was available all the time, the job lacks something else, and a token must not shorten its wait.
    const waitReason = reason === 'token-missing' && this.#hadToken ? 'keychain' : reason;
    const event = {
      type: 'wait',
      until,
      reason: waitReason,
      text,
      ...(since === undefined ? {} : { since }),
    } as const;
    this.#changes.applyUnlessCancelled(this.#id, event, text);
  }

  /** Stores how an aborted or failed try ended. If storing fails, the runner repairs the job later. */
  #recordEnd(thrown: unknown): void {
    this.#assertNotLost();
    const error = AppError.from(thrown);
    const { state, instance } = this.#changes.currentJob(this.#id);
    if (state.status === 'cancelling') {
      this.#changes.apply(
        this.#id,
        { type: 'aborted' },
        'Cancelled; nothing incomplete was stored. Work that was requested continues on the server.',
      );
    } else if (state.status !== 'running') {
      return;
    } else if (this.#stopping.signal.aborted || error.code === 'catalogue-busy') {
      // A busy catalogue is temporary; the stored step and intent are resumed later.
      this.#changes.apply(this.#id, { type: 'interrupt', at: this.#options.clock.now() }, error.message);
    } else if (needsToken(error)) {
      const text = tokenWaitText(error, instance);
      this.#wait({ ms: tokenCheckMs, reason: 'token-missing', text });
    } else {
      this.#changes.apply(this.#id, { type: 'fail', error: error.toData() }, error.message);
    }
  }

  #definition(kind: JobKind): JobDefinition {
    const definition = this.#options.definitions.find((known) => known.kind === kind);
    if (definition === undefined) throw new AppError('internal', `There is no job kind "${kind}".`);
    return definition;
  }
}
