/** @file Connects plans, their firings and the scheduler. */
import { paceForVersion, type Instance } from '../../../src-contract/instances/instance.ts';
import type { PlanPreparations } from '../../catalogue/plans/plan-preparations.ts';
import type { PlanFailures } from '../../catalogue/plans/plan-failures.ts';
import { forecastOf } from '../../jobs/plans/forecast.ts';
import type { StoredPlan } from '../../../src-contract/plans/plan.ts';
import type { Survey } from '../../jobs/plans/survey.ts';
import type { ScopeSurveys } from './scope-surveys.ts';
import type { RunProgram } from '../../jobs/plans/hook-programs.ts';
import type { PlanRunsPort, ProjectSource } from '../../jobs/ports.ts';
import { AfterRunWork } from '../../jobs/plans/after-run.ts';
import type { JobRunner } from '../../jobs/running/runner.ts';
import { Scheduler } from '../../jobs/plans/scheduler.ts';
import { interleaveNamespaces } from '../../jobs/exporting/spread.ts';
import { createPreRunPrograms, type PreRunProgramDeps } from './before-run.ts';
import type { RetryThroughOutage } from '../instances/retry-through-outage.ts';
import { PlanChanges, type PlanChangeDeps } from './plan-changes.ts';
import { PlanRuns } from './plan-runs.ts';
import { Plans } from './plans.ts';
import type { Heartbeats } from './plan-hooks.ts';
import type { SharedDeps } from '../shared-deps.ts';

export interface PlanServiceDeps extends Pick<
  SharedDeps,
  'announce' | 'clock' | 'exportDurations' | 'jobs' | 'log' | 'runs' | 'settings'
> {
  failures: PlanFailures;
  preparations: PlanPreparations;
  runner: Pick<JobRunner, 'holdsLease' | 'wake'>;
  connect(instance: Instance): ProjectSource;
  /**
   * Fails if the instance is read-only, if this process has no token for it, or if the token does not allow exports.
   */
  assertMayExport(instance: Instance, signal: AbortSignal): Promise<void>;
  readScope: ScopeSurveys['survey'];
  runProgram: RunProgram;
  assertRootPresent: PreRunProgramDeps['assertRootPresent'];
  heartbeats: Heartbeats;
  /** Marks the jobs of the run whose archive is gone. Returns the number of these jobs. */
  checkArchives(runId: string): Promise<number>;
  registerRoot: PlanChangeDeps['registerRoot'];
  retryThroughOutage: RetryThroughOutage;
  rotateDueTokens(): void;
  firstExportStep: string;
}

export type PlanServices = ReturnType<typeof createPlanServices>;

export function createPlanServices(deps: PlanServiceDeps) {
  const { settings, jobs, runs, failures, runner, clock, log, announce } = deps;

  const runStore: PlanRunsPort = {
    lastFiring: (planId, upTo) => runs.lastFiring(planId, upTo),
    lastSkippedDueTime: (planId, upTo) => runs.lastSkippedDueTime(planId, upTo),
    hasFired: (planId, dueAt) => runs.hasFired(planId, dueAt),
    recordSkip: (planId, dueAt, reason, request, at) =>
      runs.recordSkip({ id: jobs.newId(at), kind: 'export', planId, dueAt, request, at }, reason),
    findFailure: (planId) => failures.find(planId),
    recordFailure: (planId, error, at) => {
      failures.record(planId, error, at);
    },
    fire(firing, drafts) {
      const { runId, ...rest } = firing;
      const [firstDraft] = drafts;
      const instance = firstDraft === undefined ? null : settings.instance(firstDraft.instance);
      const pace = instance === null ? null : paceForVersion(instance.pace, instance.serverVersion);
      const orderedDrafts = pace === null ? [] : interleaveNamespaces(drafts, pace);
      const forecastResult =
        firstDraft === undefined || pace === null
          ? null
          : forecastOf(orderedDrafts, deps.exportDurations.byProject(firstDraft.instance), pace, firing.at);
      const forecast =
        forecastResult === null
          ? null
          : {
              endsAt: Date.parse(forecastResult.endsAt),
              count: orderedDrafts.length,
              known: forecastResult.known,
            };
      const result = runs.fire(
        { ...rest, id: runId, forecast },
        orderedDrafts.map((draft) => ({
          ...draft,
          id: jobs.newId(firing.at),
          kind: firing.kind,
          firstStep: deps.firstExportStep,
        })),
      );
      return result === null ? null : { runId, ...result };
    },
  };

  const connect = async (name: string, signal: AbortSignal): Promise<ProjectSource> => {
    const instance = settings.instance(name);
    await deps.assertMayExport(instance, signal);
    return deps.connect(instance);
  };
  const readScope = async (plan: StoredPlan, signal: AbortSignal): Promise<Survey> => {
    const source = await connect(plan.instance, signal);
    return await deps.readScope(settings.instance(plan.instance), plan.selection, plan.id, source, signal);
  };
  const afterRunWork = new AfterRunWork({
    plans: () => settings.read().plans,
    runs,
    isRunningJobs: () => runner.holdsLease,
    checkArchives: (runId) => deps.checkArchives(runId),
    runProgram: deps.runProgram,
    sendHeartbeat: (planId, signal) => deps.heartbeats.send(planId, signal),
    clock,
    observer: {
      onEnded(planId, runId, notes) {
        for (const { severity, message } of notes) {
          log[severity === 'warning' ? 'warn' : 'info']({ plan: planId, run: runId }, message);
        }
        announce('plan.changed', { planId });
        // A plan that waited for the end of this run may be due.
        scheduler.wake();
      },
      onError(error) {
        log.error({ err: error }, 'the work after a run failed');
      },
    },
  });

  const preRunPrograms = createPreRunPrograms({ ...deps, afterRunWork });

  const onRunStarted = (planId: string, runId: string): void => {
    log.info({ plan: planId, run: runId }, 'a plan started a run');
    runner.wake();
    announce('plan.changed', { planId });
  };

  const scheduler = new Scheduler({
    plans: () => settings.read().plans,
    runStore,
    survey: readScope,
    prepareRun: (...args) => preRunPrograms.begin(...args),
    mayFire: () => runner.holdsLease,
    rotateDueTokens: () => {
      deps.rotateDueTokens();
      afterRunWork.poll();
    },
    clock,
    observer: {
      onFired(planId, runId) {
        onRunStarted(planId, runId);
        afterRunWork.poll();
      },
      onSkipped(planId) {
        log.info({ plan: planId }, 'a plan skipped a due time');
        announce('plan.changed', { planId });
      },
      onFireFailed(planId, error) {
        log.warn({ plan: planId, code: error.code }, 'a plan could not start a run and is tried again');
        announce('plan.changed', { planId });
      },
      onError(error) {
        log.error({ err: error }, 'polling the plans failed');
      },
    },
  });

  const plans = new Plans({ ...deps, runStore, preRunPrograms, source: connect });
  const sharedDeps = { ...deps, plans, runStore };
  return {
    ...{ scheduler, afterRunWork, plans },
    planChanges: new PlanChanges({
      ...sharedDeps,
      wake: () => {
        scheduler.wake();
      },
    }),
    planRuns: new PlanRuns({
      ...sharedDeps,
      preRunPrograms,
      afterRunWork,
      survey: readScope,
      onRunStarted,
    }),
    /** Announces pre-run programs that begin or end in other processes. Long-lived hosts start this poll. */
    preparationPoll: preRunPrograms.preparationPoll,
  };
}
