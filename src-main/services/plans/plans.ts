/** @file Reads the plans with their status and previews, from the settings, the history of runs and the clock. */
import type { CallReply } from '../../../src-contract/calls.ts';
import type { PlanStatus, Schedule, ScheduleDraft, StoredPlan } from '../../../src-contract/plans/plan.ts';
import type { RunForecast } from '../../../src-contract/runs/run.ts';
import { interleaveNamespaces } from '../../jobs/exporting/spread.ts';
import { assertValidSchedule, nextDueTimes } from '../../jobs/plans/schedule-times.ts';
import { forecastOf } from '../../jobs/plans/forecast.ts';
import { historyOf } from '../../jobs/plans/plan-history.ts';
import { requirePlan } from '../../jobs/plans/plans.ts';
import { nextFiring, planStatusOf } from '../../jobs/plans/plan-due.ts';
import { selectProjects } from '../../jobs/plans/selection.ts';
import type { PlanRunsPort, ProjectSource } from '../../jobs/ports.ts';
import { isoTime } from '../../platform/clock.ts';
import type { PreRunPrograms } from './before-run.ts';
import { plansWithEmptyRun, type EmptyRun } from './empty-runs.ts';
import type { SharedDeps } from '../shared-deps.ts';
import { Service } from '../service.ts';

export interface PlanDeps extends Pick<SharedDeps, 'clock' | 'exportDurations' | 'runs' | 'settings'> {
  runStore: PlanRunsPort;
  preRunPrograms: Pick<PreRunPrograms, 'preparationOf'>;
  /**
   * Returns the source for the projects of a plan. Fails if the instance does not allow exports or does not respond.
   */
  source: (instance: string, signal: AbortSignal) => Promise<ProjectSource>;
}

export class Plans extends Service<PlanDeps> {
  list(): PlanStatus[] {
    return this.#readPlans().map((plan) => this.statusOf(plan));
  }

  /** Throws `plan-missing`. */
  get(id: string): StoredPlan {
    return requirePlan(this.#readPlans(), id);
  }

  statusOf(plan: StoredPlan): PlanStatus {
    const { runStore, preRunPrograms, clock } = this.deps;
    const status = planStatusOf(plan, runStore, clock.now());
    const beginning = preRunPrograms.preparationOf(plan.id);
    // While the program before a run is running, the plan is not overdue, however long the program takes.
    return { ...status, beginning, overdue: beginning === null ? status.overdue : null };
  }

  /**
   * Returns the plan of an instance that needs attention first: an overdue plan, else the next due plan; null if there
   * is none.
   */
  urgentPlan(instance: string): PlanStatus | null {
    const candidates = this.list().filter(({ plan }) => plan.instance === instance);
    return candidates.toSorted((a, b) => urgency(a) - urgency(b))[0] ?? null;
  }

  /** Throws `invalid-input` for a schedule that is never due. */
  dueTimes(draft: ScheduleDraft, count: number): CallReply<'plan.dueTimes'> {
    const now = this.deps.clock.now();
    const schedule = withTimeZone(draft);
    assertValidSchedule(schedule, now);
    return { times: nextDueTimes(schedule, now, count).map(isoTime), timeZone: schedule.timeZone };
  }

  /** Throws `plan-missing` and the errors of the instance. */
  async forecast(id: string, signal: AbortSignal): Promise<CallReply<'plan.forecast'>> {
    const { settings, runStore, exportDurations, clock } = this.deps;
    const plan = this.get(id);
    const source = await this.deps.source(plan.instance, signal);
    const { chosen } = await selectProjects(source, plan.selection, clock.now(), signal);
    const { pace } = settings.instance(plan.instance);
    const ordered = interleaveNamespaces(
      chosen.map(({ fullPath }) => ({ project: fullPath })),
      pace,
    );
    const startsAt = nextFiring(plan, runStore, clock.now()) ?? clock.now();
    const durations = exportDurations.byProject(plan.instance);
    return { count: chosen.length, forecast: forecastOf(ordered, durations, pace, startsAt) };
  }

  /** Returns the forecast of a run, and its outcome; null if there was no forecast. */
  forecastOfRun(runId: string): RunForecast | null {
    return this.deps.runs.forecasts.forRun(runId);
  }

  emptyRuns(): EmptyRun[] {
    return plansWithEmptyRun(this.#readPlans(), this.deps.runs);
  }

  history(days: number): CallReply<'plan.history'> {
    const { runs, clock } = this.deps;
    return {
      plans: this.#readPlans().map((plan) => ({
        planId: plan.id,
        days: historyOf(plan, (from, to) => runs.runsOfPlan(plan.id, from, to), clock.now(), days),
      })),
    };
  }

  #readPlans(): readonly StoredPlan[] {
    return this.deps.settings.read().plans;
  }
}

export function withTimeZone(draft: ScheduleDraft): Schedule {
  return { ...draft, timeZone: draft.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone };
}

/** Returns a sort key: a lower number needs attention sooner. */
function urgency({ overdue, nextRunAt }: PlanStatus): number {
  if (overdue !== null) return 0;
  return nextRunAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(nextRunAt);
}
