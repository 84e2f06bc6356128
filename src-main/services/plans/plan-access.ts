/** @file Plans as people see and change them, for the bridge. */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../src-contract/errors.ts';
import type {
  PlanStatus,
  Schedule as DueTimes,
  ScheduleDraft,
  StoredPlan,
  Retention,
} from '../../../src-contract/plans/plan.ts';
import type { ThroughOutage } from '../instances/through-outage.ts';
import type { ExportTimes } from '../../catalogue/jobs/export-times.ts';
import type { JobStore } from '../../catalogue/jobs/jobs.ts';
import type { RunStore } from '../../catalogue/jobs/runs.ts';
import type { PlanFailures } from '../../catalogue/plans/plan-failures.ts';
import { assertDue, nextDues } from '../../jobs/plans/due.ts';
import { startRun, recordFailedStart } from '../../jobs/plans/firing.ts';
import { forecastOf } from '../../jobs/plans/forecast.ts';
import { historyOf } from '../../jobs/plans/plan-history.ts';
import { dueNow, knownPlan, nextFiring, planStatusOf, withSaved } from '../../jobs/plans/plans.ts';
import type { Survey } from '../../jobs/plans/survey.ts';
import { selectProjects } from '../../jobs/plans/selection.ts';
import { spread } from '../../jobs/exporting/spread.ts';
import type { FiringsPort, ProjectSource } from '../../jobs/ports.ts';
import type { RunEnds } from '../../jobs/plans/run-ends.ts';
import { isoTime, type Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { SettingsStore } from '../../platform/settings.ts';
import type { Announce } from '../events.ts';
import type { BeforeRun } from './before-run.ts';
import { plansWithEmptyRun, type EmptyRun } from './empty-runs.ts';
import type { Heartbeats } from './plan-hooks.ts';
import type { ParsedRequest, CallReply } from '../../../src-contract/calls.ts';
import type { RunForecast } from '../../../src-contract/plans/run.ts';

/** Plans as they stand now: from the settings, the history of runs and the clock. */
export interface Plans {
  list(): PlanStatus[];
  /** The plan of an instance that needs looking at first: one that is overdue, else the one that is due next; null: it has none. */
  standing(instance: string): PlanStatus | null;
  /** Throws `instance-unknown`, `plan-missing`, `already-exists` for a name that is taken, `invalid-input` for a schedule that is never due. */
  save(request: ParsedRequest<'plan.save'>): Promise<PlanStatus>;
  /** Throws `plan-missing`. What it has fired goes on. */
  remove(id: string): Promise<void>;
  /** Throws `plan-missing` and what asking the instance throws; nothing has fired then. */
  run(
    request: ParsedRequest<'plan.run'>,
    signal: AbortSignal,
    /** Gets the sentence that a waiting job says. */
    onWait?: (text: string) => void,
  ): Promise<CallReply<'plan.run'>>;
  /** Asks that the program before a run be ended. Throws `plan-missing`, and `job-ended` where none is under way. */
  cancelBeginning(id: string, by: string): PlanStatus;
  /** `id` null: all. Throws `plan-missing`, and `invalid-input` for a time that has passed. */
  pause(id: string | null, until: string | null): Promise<PlanStatus[]>;
  /** Throws `plan-missing`, and `invalid-input` where the plan is off or will not be due. */
  skipNext(id: string, skip: boolean): Promise<PlanStatus>;
  dueTimes(schedule: ScheduleDraft, count: number): CallReply<'plan.dueTimes'>;
  /** Throws `plan-missing` and what asking the instance throws. */
  forecast(id: string, signal: AbortSignal): Promise<CallReply<'plan.forecast'>>;
  /** What was expected of a run, and how it came; null where nothing was. */
  runForecast(runId: string): RunForecast | null;
  /** Plans whose newest run backed nothing up: why it could not begin, null where the plan covers no project. */
  inVain(): EmptyRun[];
  history(days: number): CallReply<'plan.history'>;
  prunePreview(planId: string, retention: Retention): Promise<CallReply<'plan.prunePreview'>>;
}

export interface PlanAccess {
  forBridge: Omit<Plans, 'prunePreview'>;
  /** Keeps that a run which was asked for could not begin, unless one is under way. Throws `plan-missing`. */
  couldNotBegin(planId: string, error: AppError): void;
  /** Forgets what is kept of plans that are not in the settings any more, but for their runs. */
  forget(gone: readonly Pick<StoredPlan, 'id' | 'heartbeat'>[]): Promise<void>;
}

export interface PlanAccessParts {
  settings: SettingsStore;
  jobs: JobStore;
  runs: RunStore;
  failures: PlanFailures;
  exportTimes: ExportTimes;
  heartbeats: Heartbeats;
  clock: Clock;
  log: Log;
  announce: Announce;
  firings: FiringsPort;
  beforeRuns: BeforeRun;
  ends: Pick<RunEnds, 'claim'>;
  throughOutage: ThroughOutage;
  /** To ask what a plan of this instance means. Fails where it may not export, or cannot be asked. */
  source: (instance: string, signal: AbortSignal) => Promise<ProjectSource>;
  /** What a plan covers now. Fails as `source` does. */
  survey: (plan: StoredPlan, signal: AbortSignal) => Promise<Survey>;
  /** Makes a folder an archive folder, where it is none yet. @returns the path by which it is known. Throws `invalid-input`, `disk-…`. */
  knownRoot: (path: string) => Promise<string>;
  /** A run of the plan was made. */
  fired: (planId: string, runId: string) => void;
  /** Plans were changed: what is due may be another. */
  wake: () => void;
}

export function createPlanAccess(parts: PlanAccessParts): PlanAccess {
  const {
    settings,
    jobs,
    runs,
    failures,
    clock,
    log,
    announce,
    heartbeats,
    firings,
    beforeRuns,
    ends,
    source,
    fired,
    wake,
  } = parts;

  /** One that stays behind in the keychain is asked for by nobody. */
  const forgetHeartbeat = (planId: string): Promise<void> =>
    heartbeats.forget(planId).catch((thrown: unknown) => {
      log.warn(
        { plan: planId, code: AppError.from(thrown).code },
        'the address of a heartbeat stays in the keychain',
      );
    });

  const forget: PlanAccess['forget'] = async (gone) => {
    for (const { id, heartbeat } of gone) {
      if (heartbeat !== null) await forgetHeartbeat(id);
      failures.forget(id);
      runs.forgetPlan(id);
      announce('plan.changed', { planId: id });
    }
  };

  const standing = (plan: StoredPlan): PlanStatus => {
    const stands = planStatusOf(plan, firings, clock.now());
    const beginning = beforeRuns.standing(plan.id);
    // It has begun, however long its program takes.
    return { ...stands, beginning, overdue: beginning === null ? stands.overdue : null };
  };

  /** The plans that are meant with this change made to each. Throws what `change` throws; then nothing is written. */
  const changeEach = async (
    ids: (plans: readonly StoredPlan[]) => readonly string[],
    change: (plan: StoredPlan) => StoredPlan,
  ): Promise<PlanStatus[]> => {
    let changed: StoredPlan[] = [];
    await settings.change((before) => {
      const meant = new Set(ids(before.plans));
      const plans = before.plans.map((plan) => (meant.has(plan.id) ? change(plan) : plan));
      changed = plans.filter(({ id }) => meant.has(id));
      return { ...before, plans };
    });
    wake();
    for (const { id } of changed) announce('plan.changed', { planId: id });
    return changed.map(standing);
  };
  const one = (id: string) => (plans: readonly StoredPlan[]) => [knownPlan(plans, id).id];

  const runNow = async (id: string, signal: AbortSignal): Promise<{ runId: string; jobs: number }> => {
    const choice = await parts.survey(knownPlan(settings.read().plans, id), signal);
    signal.throwIfAborted();
    const asked = knownPlan(settings.read().plans, id);
    const upcoming = {
      dueAt: dueNow(asked, firings, clock.now()) ?? clock.now(),
      projects: choice.chosen.length,
    };
    const beginning = await beforeRuns.begin(asked, upcoming, signal);
    const now = clock.now();
    const plan = knownPlan(settings.read().plans, id);
    // What was due meanwhile is thereby caught up.
    const made = startRun(firings, plan, choice, dueNow(plan, firings, now) ?? now, now, beginning, {
      manual: true,
    });
    if (made === null) {
      const other = runs.underWay(id);
      if (other !== null) return other;
      throw new AppError('job-busy', 'This plan has just run.', { retry: 'later' });
    }
    fired(id, made.runId);
    ends.claim(made.runId);
    return { runId: made.runId, jobs: made.jobs.length };
  };

  /** What is due is tried again by whoever runs plans, and says meanwhile why it is overdue; anything else is a run that failed. */
  const keepInVain = (id: string, error: AppError): void => {
    const plan = settings.read().plans.find((one) => one.id === id);
    if (plan === undefined) return;
    const now = clock.now();
    log.warn({ plan: id, code: error.code }, 'a plan that was asked to run could not begin');
    if (dueNow(plan, firings, now) !== null) firings.noteFailure(id, error.toData(), now);
    else recordFailedStart(firings, plan, error.toData(), now, jobs.newId(now));
    announce('plan.changed', { planId: id });
  };

  const forBridge: PlanAccess['forBridge'] = {
    list: () => settings.read().plans.map(standing),
    standing(instance) {
      const found = settings
        .read()
        .plans.filter((plan) => plan.instance === instance)
        .map(standing);
      const [first] = found.toSorted((one, other) => urgency(one) - urgency(other));
      return first ?? null;
    },
    async save(request) {
      const { heartbeat: wanted, ...given } = request;
      const at = clock.now();
      const newId = jobs.newId(at);
      const asGiven = { ...given, schedule: zoned(request.schedule) };
      if (wanted) heartbeats.check(wanted.secretAddress);
      // Before a folder is marked or a secret kept for it, what is wrong with the rest is found.
      withSaved(settings.read().plans, asGiven, at, newId);
      const archiveRoot = given.archiveRoot ? await parts.knownRoot(given.archiveRoot) : given.archiveRoot;
      // The secret first: a plan that says it has a heartbeat can tell it.
      const heartbeat = wanted ? await heartbeats.keep(request.id ?? newId, wanted.secretAddress) : wanted;
      const draft = {
        ...asGiven,
        ...(heartbeat !== undefined && { heartbeat }),
        ...(archiveRoot !== undefined && { archiveRoot }),
      };
      let saved: StoredPlan | undefined;
      let earlier: StoredPlan | undefined;
      await settings.change((before) => {
        earlier = before.plans.find(({ id }) => id === request.id);
        if (!before.instances.some(({ name }) => name === request.instance)) {
          throw new AppError('instance-unknown', `There is no instance "${request.instance}".`, {
            details: { name: request.instance },
          });
        }
        const after = withSaved(before.plans, draft, at, newId);
        ({ saved } = after);
        return { ...before, plans: after.plans };
      });
      if (saved === undefined) throw new AppError('internal', 'No plan was saved.');
      if (wanted === null) await forgetHeartbeat(saved.id);
      failures.forget(saved.id);
      // What a person takes out of a plan is no loss that its next run should report.
      const isSameScope =
        earlier?.instance === saved.instance && isDeepStrictEqual(earlier.selection, saved.selection);
      if (!isSameScope) runs.forgetPlan(saved.id);
      wake();
      announce('plan.changed', { planId: saved.id });
      return standing(saved);
    },
    async remove(id) {
      const gone = knownPlan(settings.read().plans, id);
      await settings.change((before) => {
        knownPlan(before.plans, id);
        return { ...before, plans: before.plans.filter((plan) => plan.id !== id) };
      });
      await forget([gone]);
    },
    async run({ id, keepsFailure, waits }, signal, onWait = () => undefined) {
      const { instance } = knownPlan(settings.read().plans, id);
      // Another process may have fired it while the instance did not answer.
      const begin = async () => runs.underWay(id) ?? (await runNow(id, signal));
      try {
        return await (waits === true ? parts.throughOutage(instance, begin, { signal, onWait }) : begin());
      } catch (thrown) {
        const error = AppError.from(thrown);
        // One that is given up, or that another run is in the way of, leaves no mark.
        if (keepsFailure && !signal.aborted && error.code !== 'job-busy') keepInVain(id, error);
        throw error;
      }
    },
    cancelBeginning(id, by) {
      const plan = knownPlan(settings.read().plans, id);
      beforeRuns.cancel(plan.id, by);
      return standing(plan);
    },
    async pause(id, until) {
      if (until !== null && Date.parse(until) <= clock.now()) {
        throw new AppError('invalid-input', 'A pause ends at a time that is still to come.', {
          details: { parameter: 'until' },
        });
      }
      const pausedUntil = until === null ? null : isoTime(Date.parse(until));
      const ids = id === null ? (plans: readonly StoredPlan[]) => plans.map((plan) => plan.id) : one(id);
      return await changeEach(ids, (plan) => ({ ...plan, pausedUntil }));
    },
    async skipNext(id, skip) {
      const [changed] = await changeEach(one(id), (plan) => withNextSkipped(plan, skip));
      if (changed === undefined) throw new AppError('internal', 'No plan was changed.');
      return changed;
    },
    dueTimes(draft, count) {
      const schedule = zoned(draft);
      assertDue(schedule, clock.now());
      return {
        times: nextDues(schedule, clock.now(), count).map(isoTime),
        timeZone: schedule.timeZone,
      };
    },
    async forecast(id, signal) {
      const plan = knownPlan(settings.read().plans, id);
      const asking = await source(plan.instance, signal);
      const { chosen } = await selectProjects(asking, plan.selection, clock.now(), signal);
      const { pace } = settings.instance(plan.instance);
      const inOrder = spread(
        chosen.map(({ fullPath }) => ({ project: fullPath })),
        pace,
      );
      const startsAt = nextFiring(plan, firings, clock.now()) ?? clock.now();
      const took = parts.exportTimes.of(plan.instance);
      return { count: chosen.length, forecast: forecastOf(inOrder, took, pace, startsAt) };
    },
    runForecast: (runId) => runs.forecasts.of(runId),
    inVain: () => plansWithEmptyRun(settings.read().plans, runs),
    history(days) {
      return {
        plans: settings.read().plans.map((plan) => ({
          planId: plan.id,
          days: historyOf(plan, (from, to) => runs.ofPlan(plan.id, from, to), clock.now(), days),
        })),
      };
    },
  };

  const withNextSkipped = (plan: StoredPlan, skip: boolean): StoredPlan => {
    const now = clock.now();
    const skipped = plan.skippedDue === null ? -Infinity : Date.parse(plan.skippedDue);
    // One that has passed stays: it must not become due again.
    if (!skip) return skipped > now ? { ...plan, skippedDue: null } : plan;
    if (plan.enabled && skipped > now) return plan;
    // Where a pause ends with something to catch up, that is no due time of its own.
    const next = nextFiring({ ...plan, pausedUntil: null }, firings, now);
    if (next === null)
      throw new AppError('invalid-input', 'This plan is switched off, or is not due again.', {
        details: { wrong: 'state' },
      });
    return { ...plan, skippedDue: isoTime(next) };
  };

  const couldNotBegin: PlanAccess['couldNotBegin'] = (planId, error) => {
    if (runs.underWay(knownPlan(settings.read().plans, planId).id) === null) keepInVain(planId, error);
  };
  return { forBridge, couldNotBegin, forget };
}

/** That of this machine where none is named. */
function zoned(draft: ScheduleDraft): DueTimes {
  return { ...draft, timeZone: draft.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone };
}

/** The lower, the sooner it needs looking at. */
function urgency({ overdue, nextRunAt }: PlanStatus): number {
  if (overdue !== null) return 0;
  return nextRunAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(nextRunAt);
}
