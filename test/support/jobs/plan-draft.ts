/** @file Builds drafts of plans and stored plans, with defaults for everything that a test does not set. */
import { initialValues } from '../../../src-contract/options.ts';
import { planSettings } from '../../../src-contract/plans/options/settings.ts';
import { noHooks } from '../../../src-contract/plans/hook.ts';
import type { PlanDraft, Retention, StoredPlan } from '../../../src-contract/plans/plan.ts';
import { unlimitedRetention as noLimits } from '../../../src-contract/plans/retention-periods.ts';

export const keepsAll: Retention = noLimits;

export type DraftOptions = Partial<PlanDraft> & {
  /** Time of day of a daily schedule, and its zone. */
  at?: string;
  timeZone?: string | null;
  keepLast?: number | null;
};

/** Returns a plan for all projects of `work`, daily at 02:30 UTC, without a limit, named like its instance. */
export function planDraft({
  at = '02:30',
  timeZone = 'UTC',
  keepLast = null,
  ...more
}: DraftOptions = {}): PlanDraft {
  return {
    id: null,
    name: more.instance ?? 'work',
    instance: 'work',
    selection: { kind: 'all', scope: 'member' },
    schedule: { kind: 'daily', at, timeZone },
    retention: { ...keepsAll, keepLast },
    ...initialValues(planSettings),
    skipUnchanged: false,
    ...more,
  };
}

/** Returns a plan as the settings store it. */
export function storedPlan(options: Omit<DraftOptions, 'heartbeat'> & Partial<StoredPlan> = {}): StoredPlan {
  const { id, schedule, hooks = noHooks, heartbeat: _secret, ...draft } = planDraft(options as DraftOptions);
  return {
    pausedUntil: null,
    skippedDue: null,
    createdAt: '2026-11-20T12:00:00.000Z',
    activeSince: '2026-11-20T12:00:00.000Z',
    ...draft,
    archiveRoot: draft.archiveRoot ?? null,
    hooks,
    heartbeat: options.heartbeat ?? null,
    id: id ?? 'plan',
    schedule: { ...schedule, timeZone: schedule.timeZone ?? 'UTC' },
  };
}
