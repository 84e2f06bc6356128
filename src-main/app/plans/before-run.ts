/** @file The program before the run of a plan: one at a time for each plan, ended when the plan is paused meanwhile. */
import { AppError } from '../../../src-preload/contract/errors.ts';
import type { StoredPlan } from '../../../src-preload/contract/plans/plan.ts';
import type { JobStore } from '../../catalogue/jobs/jobs.ts';
import { begin, type Beginning, type RunProgram } from '../../jobs/plans/hooks.ts';
import type { RunEnds } from '../../jobs/plans/run-ends.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { SettingsStore } from '../../platform/settings.ts';

/** How often it is looked whether a program before a run is to be ended. */
const givenUpMs = 1_000;

export interface BeforeRunParts {
  settings: Pick<SettingsStore, 'read'>;
  jobs: Pick<JobStore, 'newId'>;
  ends: Pick<RunEnds, 'mustHaveEnded'>;
  runProgram: RunProgram;
  clock: Clock;
  log: Log;
}

export interface BeforeRun {
  /** Throws `job-busy` while the program of this plan is under way, or an earlier run of it has not ended. */
  begin(
    plan: StoredPlan,
    upcoming: { dueAt: number; projects: number },
    signal: AbortSignal,
  ): Promise<Beginning>;
  isUnderWay(planId: string): boolean;
}

export function createBeforeRun({ settings, jobs, ends, runProgram, clock, log }: BeforeRunParts): BeforeRun {
  /** Calls `givenUp` once the plan is paused, switched off or removed, by whichever process; the returned function ends that. */
  const watchGivenUp = (begun: StoredPlan, givenUp: () => void): (() => void) => {
    let cancel = (): void => undefined;
    const look = (): void => {
      let now: StoredPlan | undefined = begun;
      try {
        now = settings.read().plans.find(({ id }) => id === begun.id);
      } catch {
        // Settings that cannot be read at the moment end nothing.
      }
      const isPaused = now !== undefined && now.pausedUntil !== begun.pausedUntil && now.pausedUntil !== null;
      if (now === undefined || isPaused || (begun.enabled && !now.enabled)) givenUp();
      else cancel = clock.timer(givenUpMs, look);
    };
    cancel = clock.timer(givenUpMs, look);
    return () => {
      cancel();
    };
  };

  /** Plans whose program before the run is under way. */
  const beginning = new Set<string>();
  const beginRun: BeforeRun['begin'] = async (plan, upcoming, signal) => {
    if (beginning.has(plan.id)) {
      throw new AppError('job-busy', 'The program before the run of this plan is under way.', {
        retry: 'later',
      });
    }
    beginning.add(plan.id);
    const givenUp = new AbortController();
    const stopWatching = watchGivenUp(plan, () => {
      givenUp.abort();
    });
    try {
      ends.mustHaveEnded(plan);
      const begun = await begin(
        plan,
        { ...upcoming, runId: jobs.newId(clock.now()) },
        runProgram,
        signal,
        givenUp.signal,
      );
      for (const { severity, message } of begun.notes) {
        log[severity === 'warning' ? 'warn' : 'info']({ plan: plan.id, run: begun.runId }, message);
      }
      return begun;
    } finally {
      stopWatching();
      beginning.delete(plan.id);
    }
  };

  return { begin: beginRun, isUnderWay: (planId) => beginning.has(planId) };
}
