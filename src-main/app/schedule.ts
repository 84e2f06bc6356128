/** @file Plans, their firings and the scheduler as one thing, for the bridge and for the hosts that fire plans. */
import { AppError } from '../../src-preload/contract/errors.ts';
import type { Instance } from '../../src-preload/contract/instance.ts';
import type { PlanStanding, StoredPlan } from '../../src-preload/contract/plan.ts';
import type { PlansPort } from '../bridge/ports.ts';
import type { JobStore } from '../catalogue/jobs.ts';
import type { PlanFailures } from '../catalogue/plan-failures.ts';
import type { RunStore } from '../catalogue/runs.ts';
import { knownPlan, standingOf, withSaved } from '../jobs/plans.ts';
import type { FiringsPort, ProjectSource } from '../jobs/ports.ts';
import type { JobRunner } from '../jobs/runner.ts';
import { Scheduler } from '../jobs/scheduler.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { SettingsStore } from '../platform/settings.ts';
import type { Announce } from './events.ts';

export interface ScheduleParts {
  settings: SettingsStore;
  jobs: JobStore;
  runs: RunStore;
  failures: PlanFailures;
  runner: Pick<JobRunner, 'runsJobs' | 'wake'>;
  clock: Clock;
  log: Log;
  announce: Announce;
  connect(instance: Instance): ProjectSource;
  /** Fails where nothing may be changed on the instance, or this process has no token for it, or one that may not export. */
  mustMayExport(instance: Instance, signal: AbortSignal): Promise<void>;
  /** Starts the rotations of tokens that are due. */
  tendTokens(): void;
  /** Name of the step with which jobs that back projects up begin. */
  firstStep: string;
}

export interface Schedule {
  scheduler: Scheduler;
  forBridge: PlansPort;
}

export function createSchedule(parts: ScheduleParts): Schedule {
  const { settings, jobs, runs, failures, runner, clock, log, announce } = parts;

  const firings: FiringsPort = {
    last: (planId, upTo) => runs.lastFiring(planId, upTo),
    has: (planId, dueAt) => runs.hasFired(planId, dueAt),
    failure: (planId) => failures.of(planId),
    noteFailure: (planId, error, at) => {
      failures.note(planId, error, at);
    },
    fire(firing, drafts) {
      const runId = jobs.newId(firing.at);
      const fired = runs.fire(
        { ...firing, id: runId },
        drafts.map((draft) => ({
          ...draft,
          id: jobs.newId(firing.at),
          kind: firing.kind,
          firstStep: parts.firstStep,
        })),
      );
      return fired === null ? null : { runId, ...fired };
    },
  };

  const scheduler = new Scheduler({
    plans: () => settings.read().plans,
    firings,
    async connect(name, signal) {
      const instance = settings.instance(name);
      await parts.mustMayExport(instance, signal);
      return parts.connect(instance);
    },
    mayFire: () => runner.runsJobs,
    tendTokens: () => {
      parts.tendTokens();
    },
    clock,
    observer: {
      fired(planId, runId) {
        log.info({ plan: planId, run: runId }, 'a plan fired');
        runner.wake();
        announce('plan.changed', { planId });
      },
      couldNotFire(planId, error) {
        log.warn({ plan: planId, code: error.code }, 'a plan could not fire and is tried again');
        announce('plan.changed', { planId });
      },
      troubled(error) {
        log.error({ err: error }, 'the plans could not be tended');
      },
    },
  });

  const standing = (plan: StoredPlan): PlanStanding => standingOf(plan, firings, clock.now());

  const forBridge: PlansPort = {
    list: () => settings.read().plans.map(standing),
    standing(instance) {
      const plan = settings.read().plans.find((candidate) => candidate.instance === instance);
      return plan === undefined ? null : standing(plan);
    },
    async save(request) {
      const timeZone = request.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
      const at = clock.now();
      const newId = jobs.newId(at);
      let saved: StoredPlan | undefined;
      await settings.change((before) => {
        if (!before.instances.some(({ name }) => name === request.instance)) {
          throw new AppError('instance-unknown', `There is no instance "${request.instance}".`, {
            details: { name: request.instance },
          });
        }
        const after = withSaved(before.plans, { ...request, timeZone }, at, newId);
        ({ saved } = after);
        return { ...before, plans: after.plans };
      });
      if (saved === undefined) throw new AppError('internal', 'No plan was saved.');
      failures.forget(saved.id);
      scheduler.wake();
      announce('plan.changed', { planId: saved.id });
      return standing(saved);
    },
    async remove(id) {
      await settings.change((before) => {
        knownPlan(before.plans, id);
        return { ...before, plans: before.plans.filter((plan) => plan.id !== id) };
      });
      failures.forget(id);
      announce('plan.changed', { planId: id });
    },
  };

  return { scheduler, forBridge };
}
