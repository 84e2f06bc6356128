/**
 * @file The work after a plan's run: its program, then its heartbeat. The run's notes record that this work is
 * outstanding.
 */
import { AppError } from '../../../src-contract/errors.ts';
import type { StoredPlan } from '../../../src-contract/plans/plan.ts';
import type { Run, RunNote } from '../../../src-contract/runs/run.ts';
import type { Clock } from '../../platform/clock.ts';
import { whyNoHeartbeat } from './heartbeat.ts';
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
    onEnded(planId: string, runId: string, notes: readonly RunNote[]): void;
    onError(error: AppError): void;
  };
}

const pollIntervalMs = 250;
const leewayMs = 120_000;

/**
 * Returns the notes that a run has until its after-run work is done. Returns none if the plan has no program after the
 * run and no heartbeat.
 */
export function outstandingAfterRunNotes({ hooks, heartbeat }: StoredPlan): RunNote[] {
  if (hooks.after === null && heartbeat === null) return [];
  const subject = hooks.after === null ? 'The heartbeat is' : 'The program after the run is';
  return [{ severity: 'info', message: `${subject} still outstanding.`, awaits: 'end' }];
}

export class AfterRunWork {
  readonly #options: AfterRunWorkOptions;
  readonly #running = new Map<string, Promise<void>>();
  readonly #unstoredNotes = new Map<string, RunNote[]>();
  readonly #claimedRunIds = new Set<string>();
  #stopping = new AbortController();
  #cancelPoll: (() => void) | null = null;

  constructor(options: AfterRunWorkOptions) {
    this.#options = options;
  }

  /** Does the outstanding work of all runs that have ended. */
  poll(): void {
    this.#completeMatching(() => true);
  }

  /** Does the work of this run as soon as its jobs have ended, even in a short-lived process. */
  claim(runId: string): void {
    this.#claimedRunIds.add(runId);
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
      const isAbandoned = endedAt !== null && !this.#running.has(run.id) && clock.now() - endedAt > maxMs;
      if (isAbandoned) {
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
    this.#cancelPoll?.();
    await Promise.all(this.#running.values());
    this.#claimedRunIds.clear();
    this.#stopping = new AbortController();
  }

  #watch(): void {
    this.#cancelPoll?.();
    if (this.#claimedRunIds.size === 0) return;
    this.#cancelPoll = this.#options.clock.timer(pollIntervalMs, () => {
      this.#completeMatching((runId) => this.#claimedRunIds.has(runId));
      this.#watch();
    });
  }

  #completeMatching(isMatch: (runId: string) => boolean): void {
    const { observer, runs } = this.#options;
    try {
      if (!this.#options.isRunningJobs()) return;
      const awaiting = runs.runsAwaitingAfterRunWork();
      for (const runId of this.#claimedRunIds) {
        if (!awaiting.some(({ run }) => run.id === runId)) this.#claimedRunIds.delete(runId);
      }
      for (const { run, endedAt } of awaiting) {
        if (endedAt === null || !isMatch(run.id) || this.#running.has(run.id)) continue;
        const plan = this.#options.plans().find(({ id }) => id === run.planId) ?? null;
        const work = this.#complete(run, plan, this.#stopping.signal).finally(() => {
          this.#running.delete(run.id);
        });
        this.#running.set(run.id, work);
      }
    } catch (thrown) {
      observer.onError(AppError.from(thrown));
    }
  }

  /** Never throws: a result that could not be stored is stored at the next poll. */
  async #complete(run: Run, plan: StoredPlan | null, signal: AbortSignal): Promise<void> {
    const { observer, runs } = this.#options;
    try {
      const notes =
        this.#unstoredNotes.get(run.id) ??
        (await this.#runHookAndHeartbeat(await this.#checkedRun(run), plan, signal));
      this.#unstoredNotes.set(run.id, notes);
      runs.storeAfterRunNotes(run.id, notes);
      this.#unstoredNotes.delete(run.id);
      observer.onEnded(run.planId ?? '', run.id, notes);
    } catch (thrown) {
      if (!signal.aborted) observer.onError(AppError.from(thrown));
    }
  }

  async #checkedRun(run: Run): Promise<Run> {
    if ((await this.#options.checkArchives(run.id)) === 0) return run;
    return (
      this.#options.runs.runsAwaitingAfterRunWork().find((awaiting) => awaiting.run.id === run.id)?.run ?? run
    );
  }

  async #runHookAndHeartbeat(run: Run, plan: StoredPlan | null, signal: AbortSignal): Promise<RunNote[]> {
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
    const reason = whyNoHeartbeat(run);
    if (reason !== null) {
      const message = `No heartbeat was sent to ${origin} for this run: ${reason}.`;
      return [...notes, { severity: 'info', message }];
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
