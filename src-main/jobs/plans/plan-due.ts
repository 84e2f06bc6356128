/**
 * @file Decides when a plan fires and when it skips a due time, and returns its status. Pure functions over the plan,
 * its firings and the clock.
 */
import { dayMs } from '../../../src-contract/bounds.ts';
import type { PlanStatus, StoredPlan } from '../../../src-contract/plans/plan.ts';
import { isoTime } from '../../platform/clock.ts';
import type { SkipReason } from '../../catalogue/runs/runs.ts';
import type { PlanRunsPort } from '../ports.ts';
import { latestDue, nextDue } from './schedule-times.ts';

/** Firing takes a moment. A plan is not overdue within this time after its due time. */
export const graceMs = 120_000;

/**
 * Returns the due time for which the plan must fire now, or null. Only the newest of several missed due times is caught
 * up.
 */
export function dueNow(plan: StoredPlan, runStore: PlanRunsPort, now: number): number | null {
  if (!plan.enabled || pauseEnd(plan, now) !== null) return null;
  const due = latestDue(plan.schedule, now);
  return due !== null && due > (handledUntil(plan, runStore, now) ?? -Infinity) ? due : null;
}

/**
 * Returns the due time that is skipped now, by request or because of a pause; null if there is none. The skip may
 * already be stored.
 */
export function skippedDueNow(
  plan: StoredPlan,
  runStore: PlanRunsPort,
  now: number,
): { dueAt: number; why: SkipReason } | null {
  if (!plan.enabled) return null;
  const skipped = skippedDue(plan);
  if (skipped !== null && skipped <= now) {
    if (!runStore.hasFired(plan.id, skipped)) return { dueAt: skipped, why: 'once' };
  }
  if (pauseEnd(plan, now) === null) return null;
  const due = latestDue(plan.schedule, now);
  return due !== null && due > (handledUntil(plan, runStore, now) ?? -Infinity)
    ? { dueAt: due, why: 'paused' }
    : null;
}

/** Returns when the plan fires next if nothing is due now; null if it is off or has no further due time. */
export function nextFiring(plan: StoredPlan, runStore: PlanRunsPort, now: number): number | null {
  if (!plan.enabled) return null;
  const resumesAt = pauseEnd(plan, now);
  let due: number | null;
  if (resumesAt === null) due = nextDue(plan.schedule, Math.max(now, activeSince(plan, now) ?? 0));
  else {
    const missedDue = latestDue(plan.schedule, resumesAt);
    const handled = Math.max(handledUntil(plan, runStore, now) ?? -Infinity, skippedDue(plan) ?? -Infinity);
    if (missedDue !== null && missedDue > handled) return resumesAt;
    due = nextDue(plan.schedule, resumesAt);
  }
  // If the clock was set back, the plan has already fired for a repeated time.
  while (due !== null && (due === skippedDue(plan) || runStore.hasFired(plan.id, due))) {
    due = nextDue(plan.schedule, due);
  }
  return due;
}

/** Returns the status without `beginning`, which cannot be computed from the plan, its firings and the clock. */
export function planStatusOf(
  plan: StoredPlan,
  runStore: PlanRunsPort,
  now: number,
): Omit<PlanStatus, 'beginning'> {
  const last = runStore.lastFiring(plan.id, Infinity);
  const next = nextFiring(plan, runStore, now);
  const { activeSince: _activeSince, ...publicPlan } = plan;
  const skipped = skippedDue(plan);
  return {
    plan: {
      ...publicPlan,
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
    overdue: overdueOf(plan, runStore, now),
  };
}

function overdueOf(plan: StoredPlan, runStore: PlanRunsPort, now: number): PlanStatus['overdue'] {
  const due = dueNow(plan, runStore, now);
  if (due === null) return null;
  const error = runStore.findFailure(plan.id);
  const handled = handledUntil(plan, runStore, now);
  const first = handled === null ? due : (nextDue(plan.schedule, handled) ?? due);
  // A due time during a pause counts as due since the pause ended.
  const resumedAt = plan.pausedUntil === null ? -Infinity : Date.parse(plan.pausedUntil);
  const since = Math.max(first, resumedAt);
  if (error === null && now - since < graceMs) return null;
  return { since: isoTime(since), error };
}

/** Returns the time up to which every due time is handled: fired, skipped, or before the schedule was set. */
function handledUntil(plan: StoredPlan, runStore: PlanRunsPort, now: number): number | null {
  const skipped = skippedDue(plan);
  const times = [
    activeSince(plan, now),
    runStore.lastFiring(plan.id, now)?.dueAt ?? null,
    runStore.lastSkippedDueTime(plan.id, now),
    skipped !== null && skipped <= now ? skipped : null,
  ].filter((at) => at !== null);
  return times.length === 0 ? null : Math.max(...times);
}

/** Returns null if the clock was far ahead when the plan was saved, so that the plan fires before that time. */
function activeSince(plan: StoredPlan, now: number): number | null {
  const since = Date.parse(plan.activeSince);
  return since - now > dayMs ? null : since;
}

function pauseEnd(plan: StoredPlan, now: number): number | null {
  const until = plan.pausedUntil === null ? null : Date.parse(plan.pausedUntil);
  return until !== null && until > now ? until : null;
}

const skippedDue = (plan: StoredPlan): number | null =>
  plan.skippedDue === null ? null : Date.parse(plan.skippedDue);
