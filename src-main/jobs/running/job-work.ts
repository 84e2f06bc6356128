/**
 * @file The work on one job, from its claim until it ends, waits or is stopped: its steps one after the other, every outcome
 * stored before it goes on. Which jobs are worked on, and that they may be, is the runner's.
 */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../src-contract/errors.ts';
import type { StoredJob, JobKind, Progress } from '../../../src-contract/job.ts';
import type { StepPorts } from '../ports.ts';
import { attemptStep, type AttemptParts } from './attempt.ts';
import type { JobChanges } from './job-changes.ts';
import { needsToken, tokenWaitText } from './retry.ts';
import type { JobDefinition, Waiting } from './step.ts';

/** What the work on any job needs. */
export interface WorkOptions extends Pick<
  AttemptParts,
  'store' | 'clock' | 'pace' | 'random' | 'outages' | 'maxOutageMs'
> {
  definitions: JobDefinition[];
  /** Resolves the ports for a job's instance; fails with `token-missing` where this process has no token for it. */
  portsFor(job: StoredJob): Promise<StepPorts>;
  /**
   * Whether there is a token for an instance, told without waiting: a job that waits for one goes on at once, is left alone,
   * or (null: not known) tries again when its time has come.
   */
  tokenAtHand(instance: string): boolean | null;
}

/** How often a token that may be there is looked for: each look is kept in the history. */
const tokenLookMs = 60_000;

const leaseLost = new AppError('interrupted', 'Another process took over the jobs.');

/** One job while it is worked on; made right before its claim, and of no use once `run` has resolved. */
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
    this.#hadToken = options.tokenAtHand(job.instance) === true;
  }

  /** How far the running step is; null when it does not say. */
  get progress(): Progress | null {
    return this.#progress;
  }

  /** Stops the work. A job that was not cancelled waits from then on, as interrupted. Repeatable. */
  abort(why: AppError): void {
    this.#stopping.abort(why);
  }

  /** Stops the work, and writes nothing more about it: the job may run elsewhere already. */
  abortAsLost(): void {
    this.#stopping.abort(leaseLost);
  }

  /** Runs the steps from the stored one on. Whatever happens is stored with the job; rejects only with what could not be stored. */
  async run(): Promise<void> {
    try {
      let job = this.#changes.apply(this.#id, { type: 'claim', at: this.#options.clock.now() }, 'Started.');
      const definition = this.#definition(job.kind);
      const ports = job.step === null ? null : await this.#options.portsFor(job);
      while (ports !== null && job.step !== null) {
        this.#stopping.signal.throwIfAborted();
        const after = await this.#step(job, definition, ports);
        if (after === null) return;
        job = after;
      }
      // A stop or a cancel that comes now comes too late: the work is done.
      this.#refuseIfLost();
      const { result, warnings } = definition.end(this.#options.store.outputs(job.id));
      const warned = warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`;
      const says = warnings.length === 0 ? 'Succeeded.' : `Succeeded with ${warned}.`;
      this.#changes.apply(job.id, { type: 'succeed', warnings }, says, result);
    } catch (thrown) {
      this.#settle(thrown);
    }
  }

  /** Answers the job as it goes on after the step, or null when it waits or was cancelled meanwhile. */
  async #step(job: StoredJob, definition: JobDefinition, ports: StepPorts): Promise<StoredJob | null> {
    const { store, clock } = this.#options;
    const at = definition.steps.findIndex((candidate) => candidate.name === job.step);
    const step = definition.steps[at];
    if (step === undefined) throw new AppError('internal', `There is no step "${job.step ?? ''}".`);
    const parts: AttemptParts = {
      ...this.#options,
      progress: (progress) => {
        this.#progress = progress;
      },
      mayWrite: () => {
        this.#refuseIfLost();
      },
    };
    const outcome = await attemptStep(parts, job, step, ports, this.#stopping.signal);
    this.#progress = null;
    if (outcome.kind === 'wait') {
      this.#wait(outcome);
      return null;
    }
    if (outcome.kind === 'skip') {
      // Somebody joined it meanwhile who wants it done: the step is asked again.
      const now = this.#changes.current(job.id);
      if (!isDeepStrictEqual(now.input, job.input)) return now;
      const event = { type: 'skip', why: outcome.why } as const;
      this.#changes.applyUnlessCancelled(job.id, event, `Skipped: ${outcome.why}.`);
      return null;
    }
    const next = outcome.goTo ?? definition.steps[at + 1]?.name ?? null;
    const event = { type: 'step-done', message: outcome.says };
    return store.finishStep(job.id, step.name, outcome.output, next, event, clock.now());
  }

  /** Whoever lost the lease must not write: the job may run elsewhere already. */
  #refuseIfLost(): void {
    if (this.#stopping.signal.reason === leaseLost) throw leaseLost;
  }

  #wait({ ms, reason, text, since }: Omit<Waiting, 'kind' | 'memo'>): void {
    const until = Math.ceil(this.#options.clock.now() + ms);
    // A token that was there all the time is not what it lacks: no wait is cut short for it.
    const lacks = reason === 'token-missing' && this.#hadToken ? 'keychain' : reason;
    const event = {
      type: 'wait',
      until,
      reason: lacks,
      text,
      ...(since === undefined ? {} : { since }),
    } as const;
    this.#changes.applyUnlessCancelled(this.#id, event, text);
  }

  /** Stores how a try ended that did not end by itself. What cannot be stored is found and put right by the runner. */
  #settle(thrown: unknown): void {
    this.#refuseIfLost();
    const error = AppError.from(thrown);
    const { state, instance } = this.#changes.current(this.#id);
    if (state.status === 'cancelling') {
      this.#changes.apply(
        this.#id,
        { type: 'aborted' },
        'Cancelled; nothing incomplete was stored. What the server was asked to do goes on there.',
      );
    } else if (state.status !== 'running') {
      return;
    } else if (this.#stopping.signal.aborted || error.code === 'catalogue-busy') {
      // A busy catalogue passes; the stored step and intent are taken up again.
      this.#changes.apply(this.#id, { type: 'interrupt', at: this.#options.clock.now() }, error.message);
    } else if (needsToken(error)) {
      const text = tokenWaitText(error, instance);
      this.#wait({ ms: tokenLookMs, reason: 'token-missing', text });
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
