/**
 * @file The noun *plan*: which projects to back up, when, and how long to keep their archives; and the status of its
 * schedule.
 */
import type { z } from '../schema.ts';
import type * as schemas from './plan-schema.ts';
import { retentionPeriods } from './retention-periods.ts';

export type Selection = z.output<typeof schemas.selectionSchema>;
export type Schedule = z.output<typeof schemas.scheduleSchema>;
export type ScheduleDraft = z.output<typeof schemas.scheduleDraftSchema>;
export type Retention = z.output<typeof schemas.retentionSchema>;
export type Plan = z.output<typeof schemas.planSchema>;
export type PlanDraft = z.output<typeof schemas.planDraftSchema>;
export type StoredPlan = z.output<typeof schemas.storedPlanSchema>;
export type PlanStatus = z.output<typeof schemas.planStatusSchema>;
export type PlanDay = z.output<typeof schemas.planDaySchema>;
export type PrunePreview = z.output<typeof schemas.prunePreviewSchema>;

/** The value of `pausedUntil` for a plan that is paused until a user resumes it. */
export const endlessPauseUntil = '9999-12-31T00:00:00.000Z';

/** Why an archive is kept or removed. */
export const retentionReasons = [
  'among-newest',
  'recent',
  ...retentionPeriods,
  'more-complete',
  'more-proven',
  'no-limit',
  'pinned',
  'in-use',
  'dated-ahead',
  'taken-in',
  'elsewhere',
  'other-plan',
  'newest-readable',
  'newest-not-readable',
  'newest-damaged',
  'newest-shrank',
  'beyond-limits',
] as const;
export type RetentionReason = (typeof retentionReasons)[number];
