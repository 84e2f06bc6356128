/**
 * @file The operations on plans and the status of one: pure functions over the plans, their firings and the clock.
 * Nothing is remembered here; a due plan stays due until its firing is stored.
 */
import { dayMs } from '../../../src-contract/bounds.ts';
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../src-contract/errors.ts';
import { noHooks } from '../../../src-contract/plans/hook.ts';
import type {
  PlanDraft as GivenDraft,
  PlanStatus,
  Schedule,
  StoredPlan,
} from '../../../src-contract/plans/plan.ts';
import type { PlanRetention } from '../../archive/retention.ts';
import { isoTime } from '../../platform/clock.ts';
import { latestDue, assertDue, nextDue } from './due.ts';
import type { FiringsPort, PassedOver } from '../ports.ts';

/** Firing takes a moment. A plan is not overdue while it may just be firing. */
export const graceMs = 120_000;

/** The stored form of a draft: always with a time zone, and without the address of the heartbeat. */
export type PlanDraft = Omit<GivenDraft, 'schedule' | 'heartbeat'> & {
  schedule: Schedule;
  heartbeat?: StoredPlan['heartbeat'];
};

/**
 * Returns the plans with the draft added, or in place of the plan with its id, and also that plan. Throws
 * `plan-missing`, `already-exists` if another plan has that name, and `invalid-input` for a schedule that is never due.
 * A schedule that is new or was just switched on does not catch up earlier due times.
 */
export function withSaved(
  plans: readonly StoredPlan[],
  draft: PlanDraft,
  at: number,
  newId: string,
): { plans: StoredPlan[]; saved: StoredPlan } {
  const before = draft.id === null ? null : knownPlan(plans, draft.id);
  const sameName = plans.find(({ id, name }) => id !== draft.id && folded(name) === folded(draft.name));
  if (sameName !== undefined) {
    throw new AppError('already-exists', `There is a plan named "${sameName.name}" already.`, {
      details: { plan: sameName.name },
    });
  }
  const schedule = inOrder(draft.schedule);
  assertDue(schedule, at);
  const goesOn =
    before?.enabled === true &&
    before.instance === draft.instance &&
    isDeepStrictEqual(before.schedule, schedule);
  const saved: StoredPlan = {
    ...draft,
    id: before?.id ?? newId,
    schedule,
    hooks: draft.hooks ?? before?.hooks ?? noHooks,
    archiveRoot: draft.archiveRoot === undefined ? (before?.archiveRoot ?? null) : draft.archiveRoot,
    heartbeat: draft.heartbeat === undefined ? (before?.heartbeat ?? null) : draft.heartbeat,
    pausedUntil: before?.pausedUntil ?? null,
    skippedDue: goesOn ? before.skippedDue : null,
    createdAt: before?.createdAt ?? isoTime(at),
    activeSince: goesOn ? before.activeSince : isoTime(at),
  };
  return {
    plans: before === null ? [...plans, saved] : plans.map((plan) => (plan.id === saved.id ? saved : plan)),
    saved,
  };
}

const folded = (name: string): string => name.trim().normalize('NFC').toLowerCase();

/** Sorts the days, so that the same days in another order are the same schedule. */
function inOrder(schedule: Schedule): Schedule {
  if (schedule.kind !== 'weekly') return schedule;
  return { ...schedule, weekdays: [...new Set(schedule.weekdays)].sort((a, b) => a - b) };
}

/** Returns the plan of that id; throws `plan-missing`. */
export function knownPlan(plans: readonly StoredPlan[], id: string): StoredPlan {
  const plan = plans.find((candidate) => candidate.id === id);
  if (plan === undefined) throw new AppError('plan-missing', `There is no plan ${id}.`, { details: { id } });
  return plan;
}

/**
 * Returns the plan of that id while it backs up that instance; null if it is gone, off, or was moved to another
 * instance.
 */
function activePlan(plans: readonly StoredPlan[], id: string, instance: string): StoredPlan | null {
  const plan = plans.find((candidate) => candidate.id === id);
  return plan?.enabled === true && plan.instance === instance ? plan : null;
}

/**
 * Returns which archives of a project the plan keeps among those from the instance; null: all. `met` as for `limitsOf`.
 */
export function retentionOf(
  plans: readonly StoredPlan[],
  id: string,
  instance: string,
  projectId: number,
  met: (planId: string) => readonly number[],
): PlanRetention | null {
  const plan = activePlan(plans, id, instance);
  return plan === null ? null : limitsOf(plan, plans, projectId, met);
}

/**
 * Returns the limits of a plan for one project, and those of every other plan that backs it up, including plans that
 * are off.
 * @param met ids of the projects that a plan with a rule has selected so far.
 */
export function limitsOf(
  plan: StoredPlan,
  plans: readonly StoredPlan[],
  projectId: number,
  met: (planId: string) => readonly number[],
): PlanRetention {
  const covers = ({ id, selection }: StoredPlan): boolean => {
    if (selection.kind === 'all') return true;
    if (selection.kind === 'projects') return selection.projects.some((project) => project.id === projectId);
    const known = met(id);
    // If the catalogue was lost, that list is empty: the plan may then cover any project.
    return known.length === 0 || known.includes(projectId);
  };
  const policyOf = ({ retention, schedule, archiveRoot }: StoredPlan) => ({
    retention,
    timeZone: schedule.timeZone,
    archiveRoot,
  });
  const others = plans.filter(
    (other) => other.id !== plan.id && other.instance === plan.instance && covers(other),
  );
  return { ...policyOf(plan), others: others.map(policyOf) };
}

/** Returns the archive folder of that plan, even if it was switched off meanwhile; null: the folder in the settings. */
export function archiveRootOf(plans: readonly StoredPlan[], id: string, instance: string): string | null {
  return plans.find((plan) => plan.id === id && plan.instance === instance)?.archiveRoot ?? null;
}

/** Returns whether that plan skips projects of the instance that have not changed. */
export function skipsUnchanged(plans: readonly StoredPlan[], id: string, instance: string): boolean {
  return activePlan(plans, id, instance)?.skipUnchanged === true;
}

/**
 * Returns the due time for which the plan must fire now, or null. If several were missed, only the newest is caught up.
 */
export function dueNow(plan: StoredPlan, firings: FiringsPort, now: number): number | null {
  if (!plan.enabled || pauseEnd(plan, now) !== null) return null;
  const due = latestDue(plan.schedule, now);
  return due !== null && due > (settledUpTo(plan, firings, now) ?? -Infinity) ? due : null;
}

/** Returns the due time that is now skipped on request; null if there is none. The skip may already be stored. */
export function passedNow(
  plan: StoredPlan,
  firings: FiringsPort,
  now: number,
): { dueAt: number; why: PassedOver } | null {
  if (!plan.enabled) return null;
  const skipped = skippedDue(plan);
  if (skipped !== null && skipped <= now) {
    if (!firings.has(plan.id, skipped)) return { dueAt: skipped, why: 'once' };
  }
  if (pauseEnd(plan, now) === null) return null;
  const due = latestDue(plan.schedule, now);
  return due !== null && due > (settledUpTo(plan, firings, now) ?? -Infinity)
    ? { dueAt: due, why: 'paused' }
    : null;
}

/** Returns when the plan fires next if nothing is due now; null if it is off or no due time will come. */
export function nextFiring(plan: StoredPlan, firings: FiringsPort, now: number): number | null {
  if (!plan.enabled) return null;
  const resumes = pauseEnd(plan, now);
  let due: number | null;
  if (resumes === null) due = nextDue(plan.schedule, Math.max(now, activeSince(plan, now) ?? 0));
  else {
    const meanwhile = latestDue(plan.schedule, resumes);
    const settled = Math.max(settledUpTo(plan, firings, now) ?? -Infinity, skippedDue(plan) ?? -Infinity);
    if (meanwhile !== null && meanwhile > settled) return resumes;
    due = nextDue(plan.schedule, resumes);
  }
  // If the clock was set back, a repeated time has already fired.
  while (due !== null && (due === skippedDue(plan) || firings.has(plan.id, due))) {
    due = nextDue(plan.schedule, due);
  }
  return due;
}

/** Everything except work before a run, which no plan, firing or clock shows. */
export function planStatusOf(
  plan: StoredPlan,
  firings: FiringsPort,
  now: number,
): Omit<PlanStatus, 'beginning'> {
  const last = firings.last(plan.id, Infinity);
  const next = nextFiring(plan, firings, now);
  const { activeSince: _own, ...shown } = plan;
  const skipped = skippedDue(plan);
  return {
    plan: {
      ...shown,
      pausedUntil: pauseEnd(plan, now) === null ? null : plan.pausedUntil,
      skippedDue: plan.enabled && skipped !== null && skipped > now ? plan.skippedDue : null,
    },
    nextRunAt: next === null ? null : isoTime(next),
    lastRun:
      last === null
        ? null
        : {
            runId: last.runId,
            dueAt: isoTime(last.dueAt),
            startedAt: isoTime(last.startedAt),
            outcome: last.outcome,
          },
    overdue: overdueOf(plan, firings, now),
  };
}

function overdueOf(plan: StoredPlan, firings: FiringsPort, now: number): PlanStatus['overdue'] {
  const due = dueNow(plan, firings, now);
  if (due === null) return null;
  const error = firings.failure(plan.id);
  const settled = settledUpTo(plan, firings, now);
  const first = settled === null ? due : (nextDue(plan.schedule, settled) ?? due);
  // A due time during a pause counts as due since the pause ended.
  const resumed = plan.pausedUntil === null ? -Infinity : Date.parse(plan.pausedUntil);
  const since = Math.max(first, resumed);
  if (error === null && now - since < graceMs) return null;
  return { since: isoTime(since), error };
}

/**
 * Returns the time up to which nothing is caught up: fired, skipped, or due before the schedule was set. Null if there
 * is none.
 */
function settledUpTo(plan: StoredPlan, firings: FiringsPort, now: number): number | null {
  const skipped = skippedDue(plan);
  const known = [
    activeSince(plan, now),
    firings.last(plan.id, now)?.dueAt ?? null,
    firings.passedOnce(plan.id, now),
    skipped !== null && skipped <= now ? skipped : null,
  ].filter((at) => at !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** Returns null if the plan was saved by a clock that was far ahead: it must not sleep until that time. */
function activeSince(plan: StoredPlan, now: number): number | null {
  const since = Date.parse(plan.activeSince);
  return since - now > dayMs ? null : since;
}

/** Returns when its pause ends; null if it is not paused. */
function pauseEnd(plan: StoredPlan, now: number): number | null {
  const until = plan.pausedUntil === null ? null : Date.parse(plan.pausedUntil);
  return until !== null && until > now ? until : null;
}

const skippedDue = (plan: StoredPlan): number | null =>
  plan.skippedDue === null ? null : Date.parse(plan.skippedDue);
