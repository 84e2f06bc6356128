/** @file The noun *repair*: a request that gives a migrated project a value or a record that it lacks. */
import type { z } from '../schema.ts';
import type * as schemas from './repair-schema.ts';

/** In the order of the requests: an issue can get a label only after the label was added. */
export const repairableRelations = [
  'labels',
  'milestones',
  'protected_branches',
  'protected_tags',
  'issues',
  'merge_requests',
  'settings',
] as const;
export type RepairableRelation = (typeof repairableRelations)[number];

/**
 * `import-again`: the relation can be imported again. `no-request`: Packhorse has no request that restores it. `no-value`: the
 * archive or the source does not show the lost value. `source-changed`: the source has another value than the comparison found.
 * `no-name`: it is not known which record it is.
 */
export const unrepairableReasons = [
  'import-again',
  'no-request',
  'no-value',
  'source-changed',
  'no-name',
] as const;
export type UnrepairableReason = (typeof unrepairableReasons)[number];

export type Repair = z.output<typeof schemas.repairSchema>;
export type PlannedRepair = z.output<typeof schemas.plannedRepairSchema>;
export type RepairPlan = z.output<typeof schemas.repairPlanSchema>;
