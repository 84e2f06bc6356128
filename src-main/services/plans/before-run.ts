/**
 * @file Runs the program before the run of a plan. Only one runs at a time for each plan, across all processes. A pause
 * of the plan or a person can end it.
 */
import { AppError } from '../../../src-contract/errors.ts';
import type { PlanStatus, StoredPlan } from '../../../src-contract/plans/plan.ts';
import { heartbeatMs, type PlanPreparations } from '../../catalogue/plans/plan-preparations.ts';
import { failedStartNote } from '../../jobs/plans/firing.ts';
import { prepareRun, type RunPreparation, type RunProgram } from '../../jobs/plans/hook-programs.ts';
import type { AfterRunWork } from '../../jobs/plans/after-run.ts';
import { PollLoop } from '../../jobs/running/poll-loop.ts';
import { isoTime } from '../../platform/clock.ts';
import type { SharedParts } from '../shared-parts.ts';

/** How often a process checks whether it must end its program before a run. */
const givenUpMs = 1_000;
/** How often the programs of other processes are polled. */
const othersMs = 2_000;
const othersRetryMs = 30_000;

export interface PreRunProgramParts extends Pick<
  SharedParts,
  'announce' | 'clock' | 'jobs' | 'log' | 'settings'
> {
  preparations: PlanPreparations;
  runEnds: Pick<AfterRunWork, 'assertEnded'>;
  runProgram: RunProgram;
  /**
   * Rejects with `disk-failed` while the archive folder is absent. Null means the folder for new archives in the
   * settings.
   */
  assertRootPresent: (path: string | null) => Promise<void>;
}

export interface PreRunPrograms {
  /**
   * Throws `job-busy` while the program of this plan or an earlier run is in progress. Without a program, throws
   * `disk-failed` if the archive folder is absent. With a program, which may mount the disk, checks afterwards and
   * refuses the run.
   */
  begin(
    plan: StoredPlan,
    upcoming: { dueAt: number; projects: number },
    signal: AbortSignal,
  ): Promise<RunPreparation>;
  /** Returns null if the program of this plan is not running. */
  preparationOf(planId: string): PlanStatus['beginning'];
  /**
   * Ends the program: at once in this process, within a second in another process. Throws `job-ended` if none is
   * running.
   */
  cancel(planId: string, by: string): void;
  /** Announces programs that begin and end in other processes. `start` and `stop` are idempotent. */
  preparationPoll: Pick<PollLoop, 'start' | 'stop'>;
}

export function createPreRunPrograms(parts: PreRunProgramParts): PreRunPrograms {
  const { settings, jobs, preparations, runEnds, runProgram, assertRootPresent, clock, log, announce } =
    parts;

  /** Returns why the program must be ended; null if it must not. The request may come from any process. */
  const whyGivenUp = (begun: StoredPlan): AppError | null => {
    const { cancelledBy = null } = preparations.forPlan(begun.id, clock.now()) ?? {};
    if (cancelledBy !== null) return givenUp(`ended by ${cancelledBy}`);
    const now = settings.read().plans.find(({ id }) => id === begun.id);
    const isPaused = now !== undefined && now.pausedUntil !== begun.pausedUntil && now.pausedUntil !== null;
    const isOver = now === undefined || isPaused || (begun.enabled && !now.enabled);
    return isOver ? givenUp('ended, as the plan was paused') : null;
  };

  const looks = new Map<string, () => void>();

  /** Aborts `stopping` when the program must be ended. The returned function stops watching. */
  const watch = (begun: StoredPlan, stopping: AbortController): (() => void) => {
    let cancelTimer = (): void => undefined;
    let beatAt = clock.now();
    const beat = (): void => {
      // Uses the wall clock, so that the check comes at once after a sleep of the machine.
      if (Math.abs(clock.now() - beatAt) < heartbeatMs) return;
      beatAt = clock.now();
      preparations.heartbeat(begun.id, beatAt);
    };
    const look = (): void => {
      cancelTimer();
      try {
        beat();
        const why = stopping.signal.aborted ? null : whyGivenUp(begun);
        if (why !== null) stopping.abort(why);
      } catch {
        // An unreadable row does not end the program.
      }
      cancelTimer = clock.timer(givenUpMs, look);
    };
    looks.set(begun.id, look);
    cancelTimer = clock.timer(givenUpMs, look);
    return () => {
      looks.delete(begun.id);
      cancelTimer();
    };
  };

  /**
   * Never throws: a row that cannot be deleted expires soon without heartbeats, and the result of the program still
   * counts.
   */
  const forget = (planId: string): void => {
    try {
      preparations.end(planId);
    } catch (thrown) {
      log.error({ err: AppError.from(thrown), plan: planId }, 'the end of a program could not be written');
    }
    announce('plan.changed', { planId });
  };

  const reachingRoot = async (plan: StoredPlan, begun: RunPreparation): Promise<RunPreparation> => {
    try {
      await assertRootPresent(plan.archiveRoot);
      return begun;
    } catch (thrown) {
      const note = failedStartNote(AppError.from(thrown).toData());
      return { ...begun, takesPlace: false, notes: [...begun.notes, note] };
    }
  };

  const beginRun: PreRunPrograms['begin'] = async (plan, upcoming, signal) => {
    const whole = { ...upcoming, runId: jobs.newId(clock.now()) };
    const stopping = new AbortController();
    if (plan.hooks.before === null) {
      runEnds.assertEnded(plan);
      await assertRootPresent(plan.archiveRoot);
      return await prepareRun(plan, whole, runProgram, signal, stopping.signal);
    }
    if (!preparations.begin(plan.id, clock.now())) {
      throw new AppError('job-busy', 'The program before the run of this plan is running.', {
        retry: 'later',
      });
    }
    const stopWatching = watch(plan, stopping);
    try {
      runEnds.assertEnded(plan);
      announce('plan.changed', { planId: plan.id });
      const begun = await prepareRun(plan, whole, runProgram, signal, stopping.signal);
      for (const { severity, message } of begun.notes) {
        log[severity === 'warning' ? 'warn' : 'info']({ plan: plan.id, run: begun.runId }, message);
      }
      return begun.takesPlace ? await reachingRoot(plan, begun) : begun;
    } finally {
      stopWatching();
      forget(plan.id);
    }
  };

  let known = new Map<string, string>();
  const others = new PollLoop({
    clock,
    poll() {
      const now = new Map(preparations.all(clock.now()).map((one) => [one.planId, JSON.stringify(one)]));
      const changed = new Set([...known.keys(), ...now.keys()]);
      for (const planId of changed) {
        if (known.get(planId) !== now.get(planId)) announce('plan.changed', { planId });
      }
      known = now;
      return othersMs;
    },
    onPollError(error) {
      log.error({ err: error }, 'the programs before runs of other processes could not be read');
      return othersRetryMs;
    },
  });

  return {
    begin: beginRun,
    preparationOf(planId) {
      const begun = preparations.forPlan(planId, clock.now());
      return begun === null
        ? null
        : { since: isoTime(begun.beganAt), cancelling: begun.cancelledBy !== null };
    },
    cancel(planId, by) {
      if (!preparations.cancel(planId, by, clock.now())) {
        throw new AppError('job-ended', 'No program before a run of this plan is running.');
      }
      looks.get(planId)?.();
      announce('plan.changed', { planId });
    },
    preparationPoll: others,
  };
}

const givenUp = (how: string): AppError =>
  new AppError('cancelled', `The program before the run was ${how}; nothing was backed up.`);
