/**
 * @file Runs the program before the run of a plan. Only one runs at a time for each plan, across all processes. The
 * program is ended when a user pauses the plan or cancels the run.
 */
import { AppError } from '../../../src-contract/errors.ts';
import type { PlanStatus, StoredPlan } from '../../../src-contract/plans/plan.ts';
import { heartbeatMs, type PlanPreparations } from '../../catalogue/plans/plan-preparations.ts';
import { failedStartNote } from '../../jobs/plans/firing.ts';
import { prepareRun, type RunPreparation, type RunProgram } from '../../jobs/plans/hook-programs.ts';
import type { AfterRunWork } from '../../jobs/plans/after-run.ts';
import { PollLoop } from '../../jobs/running/poll-loop.ts';
import { isoTime } from '../../platform/clock.ts';
import type { SharedDeps } from '../shared-deps.ts';

/** The interval at which a process checks whether it must end the program before a run. */
const cancelCheckIntervalMs = 1_000;
/** The interval at which the programs of other processes are polled. */
const otherProcessesPollMs = 2_000;
const otherProcessesRetryMs = 30_000;

export interface PreRunProgramDeps extends Pick<
  SharedDeps,
  'announce' | 'clock' | 'jobs' | 'log' | 'settings'
> {
  preparations: PlanPreparations;
  afterRunWork: Pick<AfterRunWork, 'assertEnded'>;
  runProgram: RunProgram;
  /**
   * Rejects with `disk-failed` while the archive folder is absent. Null means the folder for new archives in the
   * settings.
   */
  assertRootPresent: (path: string | null) => Promise<void>;
}

export type PreRunPrograms = ReturnType<typeof createPreRunPrograms>;

export function createPreRunPrograms(deps: PreRunProgramDeps) {
  const { settings, jobs, preparations, afterRunWork, runProgram, assertRootPresent, clock, log, announce } =
    deps;

  /** Returns the error with which the program must end; null if it continues. Any process may request the end. */
  const cancellationReason = (startedPlan: StoredPlan): AppError | null => {
    const { cancelledBy = null } = preparations.findForPlan(startedPlan.id, clock.now()) ?? {};
    if (cancelledBy !== null) return cancelledError(`ended by ${cancelledBy}`);
    const current = settings.read().plans.find(({ id }) => id === startedPlan.id);
    const isPaused =
      current !== undefined &&
      current.pausedUntil !== startedPlan.pausedUntil &&
      current.pausedUntil !== null;
    const mustEnd = current === undefined || isPaused || (startedPlan.enabled && !current.enabled);
    return mustEnd ? cancelledError('ended because the plan was paused') : null;
  };

  const checksByPlan = new Map<string, () => void>();

  /** Aborts `stopController` when the program must be ended. The returned function stops watching. */
  const watch = (startedPlan: StoredPlan, stopController: AbortController): (() => void) => {
    let cancelTimer = (): void => undefined;
    let lastHeartbeatAt = clock.now();
    const sendHeartbeat = (): void => {
      // Uses the wall clock, so that a heartbeat is sent immediately after the machine wakes.
      if (Math.abs(clock.now() - lastHeartbeatAt) < heartbeatMs) return;
      lastHeartbeatAt = clock.now();
      preparations.heartbeat(startedPlan.id, lastHeartbeatAt);
    };
    const check = (): void => {
      cancelTimer();
      try {
        sendHeartbeat();
        const why = stopController.signal.aborted ? null : cancellationReason(startedPlan);
        if (why !== null) stopController.abort(why);
      } catch {
        // An unreadable row does not end the program.
      }
      cancelTimer = clock.timer(cancelCheckIntervalMs, check);
    };
    checksByPlan.set(startedPlan.id, check);
    cancelTimer = clock.timer(cancelCheckIntervalMs, check);
    return () => {
      checksByPlan.delete(startedPlan.id);
      cancelTimer();
    };
  };

  /**
   * Never throws: a row that cannot be deleted expires soon without heartbeats, and the result of the program still
   * counts.
   */
  const endPreparation = (planId: string): void => {
    try {
      preparations.end(planId);
    } catch (thrown) {
      log.error(
        { err: AppError.from(thrown), plan: planId },
        'the end of the program before a run could not be stored',
      );
    }
    announce('plan.changed', { planId });
  };

  const refuseIfRootAbsent = async (
    plan: StoredPlan,
    preparation: RunPreparation,
  ): Promise<RunPreparation> => {
    try {
      await assertRootPresent(plan.archiveRoot);
      return preparation;
    } catch (thrown) {
      const note = failedStartNote(AppError.from(thrown).toData());
      return { ...preparation, takesPlace: false, notes: [...preparation.notes, note] };
    }
  };

  /**
   * Throws `job-busy` while the program of this plan or an earlier run is in progress. Without a program, throws
   * `disk-failed` if the archive folder is absent. With a program, which may mount the disk, checks the folder after
   * the program, and refuses the run if it is absent.
   */
  const begin = async (
    plan: StoredPlan,
    upcoming: { dueAt: number; projects: number },
    signal: AbortSignal,
  ): Promise<RunPreparation> => {
    const run = { ...upcoming, runId: jobs.newId(clock.now()) };
    const stopController = new AbortController();
    if (plan.hooks.before === null) {
      afterRunWork.assertEnded(plan);
      await assertRootPresent(plan.archiveRoot);
      return await prepareRun(plan, run, runProgram, signal, stopController.signal);
    }
    if (!preparations.begin(plan.id, clock.now())) {
      throw new AppError('job-busy', 'The program before the run of this plan is already running.', {
        retry: 'later',
      });
    }
    const stopWatching = watch(plan, stopController);
    try {
      afterRunWork.assertEnded(plan);
      announce('plan.changed', { planId: plan.id });
      const preparation = await prepareRun(plan, run, runProgram, signal, stopController.signal);
      for (const { severity, message } of preparation.notes) {
        log[severity === 'warning' ? 'warn' : 'info']({ plan: plan.id, run: preparation.runId }, message);
      }
      return preparation.takesPlace ? await refuseIfRootAbsent(plan, preparation) : preparation;
    } finally {
      stopWatching();
      endPreparation(plan.id);
    }
  };

  let previous = new Map<string, string>();
  /** Announces programs that begin and end in other processes. `start` and `stop` are idempotent. */
  const preparationPoll = new PollLoop({
    clock,
    poll() {
      const current = new Map(preparations.list(clock.now()).map((one) => [one.planId, JSON.stringify(one)]));
      const changed = new Set([...previous.keys(), ...current.keys()]);
      for (const planId of changed) {
        if (previous.get(planId) !== current.get(planId)) announce('plan.changed', { planId });
      }
      previous = current;
      return otherProcessesPollMs;
    },
    onPollError(error) {
      log.error({ err: error }, 'the programs before runs in other processes could not be read');
      return otherProcessesRetryMs;
    },
  });

  return {
    begin,
    /** Returns null if the program of this plan is not running. */
    preparationOf(planId: string): PlanStatus['beginning'] {
      const preparation = preparations.findForPlan(planId, clock.now());
      return preparation === null
        ? null
        : { since: isoTime(preparation.beganAt), cancelling: preparation.cancelledBy !== null };
    },
    /**
     * Ends the program: at once in this process, within a second in another process. Throws `job-ended` if none is
     * running.
     */
    cancel(planId: string, by: string) {
      if (!preparations.cancel(planId, by, clock.now())) {
        throw new AppError('job-ended', 'The program before the run of this plan is not running.');
      }
      checksByPlan.get(planId)?.();
      announce('plan.changed', { planId });
    },
    preparationPoll,
  };
}

const cancelledError = (how: string): AppError =>
  new AppError('cancelled', `The program before the run was ${how}; nothing was backed up.`);
