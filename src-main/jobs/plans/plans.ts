/**
 * @file Adds a plan to the stored plans or replaces one, and derives settings from them. Pure functions over the stored
 * plans.
 */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../src-contract/errors.ts';
import { noHooks } from '../../../src-contract/plans/hook.ts';
import type { PlanDraft, Schedule, StoredPlan } from '../../../src-contract/plans/plan.ts';
import type { PlanRetention } from '../../archive/retention.ts';
import { isoTime } from '../../platform/clock.ts';
import { assertValidSchedule } from './schedule-times.ts';

/** The stored form of a draft: always with a time zone, and without the address of the heartbeat. */
export type StoredDraft = Omit<PlanDraft, 'schedule' | 'heartbeat'> & {
  schedule: Schedule;
  heartbeat?: StoredPlan['heartbeat'];
};

/**
 * Adds the draft, or replaces the plan with its id. Throws `plan-missing`, `already-exists` and `invalid-input`. A
 * schedule that is new or was just switched on does not catch up earlier due times.
 */
export function upsertPlan(
  plans: readonly StoredPlan[],
  draft: StoredDraft,
  at: number,
  newId: string,
): { plans: StoredPlan[]; savedPlan: StoredPlan } {
  const existing = draft.id === null ? null : requirePlan(plans, draft.id);
  const duplicate = plans.find(({ id, name }) => id !== draft.id && foldName(name) === foldName(draft.name));
  if (duplicate !== undefined) {
    throw new AppError('already-exists', `There is a plan named "${duplicate.name}" already.`, {
      details: { plan: duplicate.name },
    });
  }
  const schedule = sortWeekdays(draft.schedule);
  assertValidSchedule(schedule, at);
  const isUnchanged =
    existing?.enabled === true &&
    existing.instance === draft.instance &&
    isDeepStrictEqual(existing.schedule, schedule);
  const savedPlan: StoredPlan = {
    ...draft,
    id: existing?.id ?? newId,
    schedule,
    hooks: draft.hooks ?? existing?.hooks ?? noHooks,
    archiveRoot: draft.archiveRoot === undefined ? (existing?.archiveRoot ?? null) : draft.archiveRoot,
    heartbeat: draft.heartbeat === undefined ? (existing?.heartbeat ?? null) : draft.heartbeat,
    pausedUntil: existing?.pausedUntil ?? null,
    skippedDue: isUnchanged ? existing.skippedDue : null,
    createdAt: existing?.createdAt ?? isoTime(at),
    activeSince: isUnchanged ? existing.activeSince : isoTime(at),
  };
  return {
    plans:
      existing === null
        ? [...plans, savedPlan]
        : plans.map((plan) => (plan.id === savedPlan.id ? savedPlan : plan)),
    savedPlan,
  };
}

const foldName = (name: string): string => name.trim().normalize('NFC').toLowerCase();

function sortWeekdays(schedule: Schedule): Schedule {
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

/** Returns which archives of a project the plan keeps; null if it keeps all. Callback: see `retentionOfPlan`. */
export function retentionOf(
  plans: readonly StoredPlan[],
  id: string,
  instance: string,
  projectId: number,
  selectedProjectIds: (planId: string) => readonly number[],
): PlanRetention | null {
  const plan = activePlan(plans, id, instance);
  return plan === null ? null : retentionOfPlan(plan, plans, projectId, selectedProjectIds);
}

/**
 * Returns a plan's limits for one project, and those of every other plan that backs it up.
 * @param selectedProjectIds returns the ids of the projects that a plan with a rule has selected so far.
 */
export function retentionOfPlan(
  plan: StoredPlan,
  plans: readonly StoredPlan[],
  projectId: number,
  selectedProjectIds: (planId: string) => readonly number[],
): PlanRetention {
  const covers = ({ id, selection }: StoredPlan): boolean => {
    if (selection.kind === 'all') return true;
    if (selection.kind === 'projects') return selection.projects.some((project) => project.id === projectId);
    const selectedIds = selectedProjectIds(id);
    // If the catalogue was lost, that list is empty: the plan may then cover any project.
    return selectedIds.length === 0 || selectedIds.includes(projectId);
  };
  const policyOf = ({ retention, schedule, archiveRoot }: StoredPlan) => ({
    retention,
    timeZone: schedule.timeZone,
    archiveRoot,
  });
  const others = plans.filter(
    (other) => other.id !== plan.id && other.instance === plan.instance && covers(other),
  );
  return { ...policyOf(plan), otherPlans: others.map(policyOf) };
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
