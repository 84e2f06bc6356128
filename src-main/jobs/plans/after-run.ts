/**
 * @file The work after a plan's run: its program, then its heartbeat. The run's notes record that this work is
 * outstanding.
 */
import { AppError } from '../../../src-contract/errors.ts';
import type { StoredPlan } from '../../../src-contract/plans/plan.ts';
import type { Run, RunNote, RunOutcome } from '../../../src-contract/runs/run.ts';
import type { Clock } from '../../platform/clock.ts';
import { runAfterHook, type RunProgram } from './hook-programs.ts';

export interface AfterRunWorkOptions {
  plans(): StoredPlan[];
  runs: {
    runsAwaitingAfterRunWork(): { run: Run; endedAt: number | null }[];
    storeAfterRunNotes(runId: string, notes: readonly RunNote[]): void;
  };
  /** Marks the jobs of the run whose archive is gone. @returns the number of such jobs. */
  checkArchives(runId: string): Promise<number>;
  /** Returns whether this process runs the jobs. Only that process does this work. */
  isRunningJobs(): boolean;
  runProgram: RunProgram;
  /** Sends the heartbeat of a plan. Its errors name only the origin of the address. */
  sendHeartbeat(planId: string, signal: AbortSignal): Promise<void>;
  clock: Clock;
  observer: {
    ended(planId: string, runId: string, notes: readonly RunNote[]): void;
    onError(error: AppError): void;
  };
}

const pollIntervalMs = 250;
const leewayMs = 120_000;

/** Outcomes of runs that stored a complete archive of every project to back up. */
const good: readonly RunOutcome[] = ['succeeded', 'warnings', 'skipped'];

/**
 * Returns the notes that a run has until its after-run work is done. Returns none if the plan has no program after the
 * run and no heartbeat.
 */
export function outstandingEndNotes({ hooks, heartbeat }: StoredPlan): RunNote[] {
  if (hooks.after === null && heartbeat === null) return [];
  const what = hooks.after === null ? 'The heartbeat is' : 'The program after the run is';
  return [{ severity: 'info', message: `${what} still outstanding.`, awaits: 'end' }];
}

export class AfterRunWork {
  readonly #options: AfterRunWorkOptions;
  readonly #busy = new Map<string, Promise<void>>();
  readonly #unstored = new Map<string, RunNote[]>();
  readonly #claimed = new Set<string>();
  #stopping = new AbortController();
  #cancelLook: (() => void) | null = null;

  constructor(options: AfterRunWorkOptions) {
    this.#options = options;
  }

  /** Does the outstanding work of all runs that have ended. */
  poll(): void {
    this.#completeMatching(() => true);
  }

  /** Does the work of this run as soon as its jobs have ended, even in a short-lived process. */
  claim(runId: string): void {
    this.#claimed.add(runId);
    this.#watch();
  }

  /**
   * Throws `job-busy` while an earlier run has outstanding work, because programs must not overlap. Gives up work that
   * was interrupted.
   */
  assertEnded(plan: StoredPlan): void {
    const { clock, runs } = this.#options;
    const maxMs = (plan.hooks.after?.timeLimitSeconds ?? 0) * 1000 + leewayMs;
    for (const { run, endedAt } of runs.runsAwaitingAfterRunWork()) {
      if (run.planId !== plan.id) continue;
      const isLeft = endedAt !== null && !this.#busy.has(run.id) && clock.now() - endedAt > maxMs;
      if (isLeft) {
        const message = 'The work after the run was interrupted, and the plan ran again.';
        runs.storeAfterRunNotes(run.id, [{ severity: 'warning', message }]);
      } else if (plan.hooks.before !== null || plan.hooks.after !== null) {
        throw new AppError('job-busy', 'The previous run of this plan has not ended yet.', {
          retry: 'later',
        });
      }
    }
  }

  /** Ends running programs. Their work is done again at the next start. Idempotent. */
  async stop(): Promise<void> {
    this.#stopping.abort(new AppError('interrupted', 'The program is stopping.'));
    this.#cancelLook?.();
    await Promise.all(this.#busy.values());
    this.#claimed.clear();
    this.#stopping = new AbortController();
  }

  #watch(): void {
    this.#cancelLook?.();
    if (this.#claimed.size === 0) return;
    this.#cancelLook = this.#options.clock.timer(pollIntervalMs, () => {
      this.#completeMatching((runId) => this.#claimed.has(runId));
      this.#watch();
    });
  }

  #completeMatching(meant: (runId: string) => boolean): void {
    const { observer, runs } = this.#options;
    try {
      if (!this.#options.isRunningJobs()) return;
      const awaiting = runs.runsAwaitingAfterRunWork();
      for (const runId of this.#claimed) {
        if (!awaiting.some(({ run }) => run.id === runId)) this.#claimed.delete(runId);
      }
      for (const { run, endedAt } of awaiting) {
        if (endedAt === null || !meant(run.id) || this.#busy.has(run.id)) continue;
        const plan = this.#options.plans().find(({ id }) => id === run.planId) ?? null;
        const ending = this.#end(run, plan, this.#stopping.signal).finally(() => {
          this.#busy.delete(run.id);
        });
        this.#busy.set(run.id, ending);
      }
    } catch (thrown) {
      observer.onError(AppError.from(thrown));
    }
  }

  /** Never throws: a result that could not be stored is stored at the next poll. */
  async #end(run: Run, plan: StoredPlan | null, signal: AbortSignal): Promise<void> {
    const { observer, runs } = this.#options;
    try {
      const notes =
        this.#unstored.get(run.id) ?? (await this.#follow(await this.#confirmed(run), plan, signal));
      this.#unstored.set(run.id, notes);
      runs.storeAfterRunNotes(run.id, notes);
      this.#unstored.delete(run.id);
      observer.ended(run.planId ?? '', run.id, notes);
    } catch (thrown) {
      if (!signal.aborted) observer.onError(AppError.from(thrown));
    }
  }

  async #confirmed(run: Run): Promise<Run> {
    if ((await this.#options.checkArchives(run.id)) === 0) return run;
    return (
      this.#options.runs.runsAwaitingAfterRunWork().find((awaiting) => awaiting.run.id === run.id)?.run ?? run
    );
  }

  async #follow(run: Run, plan: StoredPlan | null, signal: AbortSignal): Promise<RunNote[]> {
    if (plan === null) {
      return [
        { severity: 'info', message: 'The plan was removed, so its program and heartbeat were skipped.' },
      ];
    }
    const { runProgram } = this.#options;
    const { after } = plan.hooks;
    const notes = after === null ? [] : [await runAfterHook(plan, after, run, runProgram, signal)];
    if (plan.heartbeat === null) return notes;
    const { origin } = plan.heartbeat;
    const isGood = good.includes(run.outcome) && Object.keys(run.jobs).length > 0;
    if (!isGood) {
      return [...notes, { severity: 'info', message: `No heartbeat was sent to ${origin} for this run.` }];
    }
    try {
      await this.#options.sendHeartbeat(plan.id, signal);
      return [...notes, { severity: 'info', message: `The heartbeat was sent to ${origin}.` }];
    } catch (thrown) {
      signal.throwIfAborted();
      const { message } = AppError.from(thrown);
      return [...notes, { severity: 'warning', message: `The heartbeat was not sent. ${message}` }];
    }
  }
}
