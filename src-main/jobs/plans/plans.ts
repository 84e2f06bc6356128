/**
 * @file Saves a plan among the others, and returns settings that follow from all plans. Pure functions over the stored
 * plans.
 */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../src-contract/errors.ts';
import { noHooks } from '../../../src-contract/plans/hook.ts';
import type { PlanDraft as GivenDraft, Schedule, StoredPlan } from '../../../src-contract/plans/plan.ts';
import type { PlanRetention } from '../../archive/retention.ts';
import { isoTime } from '../../platform/clock.ts';
import { assertValidSchedule } from './schedule-times.ts';

/** The stored form of a draft: always with a time zone, and without the address of the heartbeat. */
export type PlanDraft = Omit<GivenDraft, 'schedule' | 'heartbeat'> & {
  schedule: Schedule;
  heartbeat?: StoredPlan['heartbeat'];
};

/**
 * Adds the draft, or replaces the plan with its id. Throws `plan-missing`, `already-exists` and `invalid-input`. A
 * schedule that is new or was just switched on does not catch up earlier due times.
 */
export function upsertPlan(
  plans: readonly StoredPlan[],
  draft: PlanDraft,
  at: number,
  newId: string,
): { plans: StoredPlan[]; saved: StoredPlan } {
  const before = draft.id === null ? null : requirePlan(plans, draft.id);
  const sameName = plans.find(({ id, name }) => id !== draft.id && folded(name) === folded(draft.name));
  if (sameName !== undefined) {
    throw new AppError('already-exists', `There is a plan named "${sameName.name}" already.`, {
      details: { plan: sameName.name },
    });
  }
  const schedule = inOrder(draft.schedule);
  assertValidSchedule(schedule, at);
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

function inOrder(schedule: Schedule): Schedule {
  if (schedule.kind !== 'weekly') return schedule;
  return { ...schedule, weekdays: [...new Set(schedule.weekdays)].sort((a, b) => a - b) };
}

export function requirePlan(plans: readonly StoredPlan[], id: string): StoredPlan {
  const plan = plans.find((candidate) => candidate.id === id);
  if (plan === undefined) throw new AppError('plan-missing', `There is no plan ${id}.`, { details: { id } });
  return plan;
}

/** Returns the plan while it is on and backs up that instance; null otherwise. */
function activePlan(plans: readonly StoredPlan[], id: string, instance: string): StoredPlan | null {
  const plan = plans.find((candidate) => candidate.id === id);
  return plan?.enabled === true && plan.instance === instance ? plan : null;
}

/** Returns which archives of a project the plan keeps; null if it keeps all. `met` is the same as for `limitsOf`. */
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
 * Returns a plan's limits for one project, and those of every other plan that backs it up.
 * @param met returns the ids of the projects that a plan with a rule has selected so far.
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

/**
 * Returns the archive folder of that plan, even if it was switched off meanwhile; null for the folder in the settings.
 */
export function archiveRootOf(plans: readonly StoredPlan[], id: string, instance: string): string | null {
  return plans.find((plan) => plan.id === id && plan.instance === instance)?.archiveRoot ?? null;
}

/** Returns whether that plan skips projects of the instance that have not changed. */
export function skipsUnchanged(plans: readonly StoredPlan[], id: string, instance: string): boolean {
  return activePlan(plans, id, instance)?.skipUnchanged === true;
}
