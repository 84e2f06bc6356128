/**
 * @file What may be done with plans, and how one stands: pure functions over the plans, their firings and the clock.
 * Nothing is remembered here; a plan that is due stays due until a firing of it is stored.
 */
import { AppError } from '../../src-preload/contract/errors.ts';
import type { ParsedRequest } from '../../src-preload/contract/calls.ts';
import type { PlanStanding, StoredPlan } from '../../src-preload/contract/plan.ts';
import { isoTime } from '../platform/clock.ts';
import { latestDue, nextDue } from './due.ts';
import type { FiringsPort } from './ports.ts';

const dayMs = 86_400_000;
/** A firing takes a moment; a plan is not called overdue while it may just be under way. */
const graceMs = 120_000;

/** What is saved, with a time zone in any case. */
export type PlanDraft = Omit<ParsedRequest<'plan.save'>, 'timeZone'> & { timeZone: string };

/**
 * The plans with the draft added or in place of the plan with its id; also that plan. Throws `plan-missing` and, since an
 * instance has one plan, `already-exists`. A new schedule or one that is switched on does not catch up what was due before.
 */
export function withSaved(
  plans: readonly StoredPlan[],
  draft: PlanDraft,
  at: number,
  newId: string,
): { plans: StoredPlan[]; saved: StoredPlan } {
  const before = draft.id === null ? null : knownPlan(plans, draft.id);
  if (plans.some((plan) => plan.instance === draft.instance && plan.id !== draft.id)) {
    throw new AppError('already-exists', `The instance "${draft.instance}" has a plan already.`, {
      details: { instance: draft.instance },
    });
  }
  const schedule = { kind: 'daily', at: draft.at, timeZone: draft.timeZone } as const;
  const goesOn =
    before?.enabled === true &&
    before.instance === draft.instance &&
    before.schedule.at === schedule.at &&
    before.schedule.timeZone === schedule.timeZone;
  const saved: StoredPlan = {
    id: before?.id ?? newId,
    instance: draft.instance,
    selection: { kind: 'all' },
    schedule,
    retention: { keepLast: draft.keepLast },
    enabled: draft.enabled,
    createdAt: before?.createdAt ?? isoTime(at),
    activeSince: goesOn ? before.activeSince : isoTime(at),
  };
  const others = plans.filter((plan) => plan.id !== saved.id);
  return { plans: [...others, saved], saved };
}

/** The plan of that id; throws `plan-missing`. */
export function knownPlan(plans: readonly StoredPlan[], id: string): StoredPlan {
  const plan = plans.find((candidate) => candidate.id === id);
  if (plan === undefined) throw new AppError('plan-missing', `There is no plan ${id}.`, { details: { id } });
  return plan;
}

/**
 * How many archives of each project that plan keeps of what it backs up from the instance; null: all, also when it is gone,
 * off, or was moved to another instance since.
 */
export function keepLastOf(plans: readonly StoredPlan[], id: string, instance: string): number | null {
  const plan = plans.find((candidate) => candidate.id === id);
  return plan?.enabled === true && plan.instance === instance ? plan.retention.keepLast : null;
}

/** The due time for which the plan is to fire now, or null. Of several that were missed only the newest is caught up. */
export function dueNow(plan: StoredPlan, firings: FiringsPort, now: number): number | null {
  if (!plan.enabled) return null;
  const due = latestDue(plan.schedule, now);
  return due > (settledUpTo(plan, firings, now) ?? -Infinity) ? due : null;
}

/** The next due time for which it has not fired yet; null while it is off. */
export function nextFiring(plan: StoredPlan, firings: FiringsPort, now: number): number | null {
  if (!plan.enabled) return null;
  let due = nextDue(plan.schedule, Math.max(now, activeSince(plan, now) ?? 0));
  // When the clock was set back, a time that comes again has fired already.
  while (firings.has(plan.id, due)) due = nextDue(plan.schedule, due);
  return due;
}

export function standingOf(plan: StoredPlan, firings: FiringsPort, now: number): PlanStanding {
  const last = firings.last(plan.id, Infinity);
  const next = nextFiring(plan, firings, now);
  const { activeSince: _own, ...shown } = plan;
  return {
    plan: shown,
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

function overdueOf(plan: StoredPlan, firings: FiringsPort, now: number): PlanStanding['overdue'] {
  const due = dueNow(plan, firings, now);
  if (due === null) return null;
  const error = firings.failure(plan.id);
  const settled = settledUpTo(plan, firings, now);
  const since = settled === null ? due : nextDue(plan.schedule, settled);
  if (error === null && now - since < graceMs) return null;
  return { since: isoTime(since), error };
}

/** Up to when nothing is to be caught up: fired, or due before the schedule was set. Null: there is no such time. */
function settledUpTo(plan: StoredPlan, firings: FiringsPort, now: number): number | null {
  const known = [activeSince(plan, now), firings.last(plan.id, now)?.dueAt ?? null].filter(
    (at) => at !== null,
  );
  return known.length === 0 ? null : Math.max(...known);
}

/** Null when the plan was saved by a clock that ran far ahead: it must not sleep until that time comes. */
function activeSince(plan: StoredPlan, now: number): number | null {
  const since = Date.parse(plan.activeSince);
  return since - now > dayMs ? null : since;
}
