/** @file The schemas of `repair.ts`. */
import { z } from '../schema.ts';
import { missingRecordSchema } from '../transfers/import-schema.ts';
import { repairableRelations, unrepairableReasons } from './repair.ts';

export const repairSchema = z.object({
  /** `settings` for an attribute of the project. */
  relation: z.enum(repairableRelations),
  /** The number of an issue, a merge request or a milestone, otherwise the name; empty for a setting. */
  key: z.string(),
  /** The field or the attribute that gets a value; null if the record is added. */
  field: z.string().nullable(),
  /** The values as the comparison shows them. `found` is null if the record is added. */
  expected: z.string(),
  found: z.string().nullable(),
  /** The parameters of the request, by their names in GitLab's API. */
  body: z.record(z.string(), z.unknown()),
});

export const plannedRepairSchema = repairSchema.extend({
  /** The difference that it removes. */
  difference: z.string(),
  lost: missingRecordSchema.shape.lost.nullable(),
  isGrave: z.boolean(),
});

export const repairPlanSchema = z.object({
  /** The project on the target. */
  target: z.string(),
  /** In the order of the requests. */
  repairs: z.array(plannedRepairSchema),
  /** Open differences that no repair removes. */
  unrepairable: z.array(
    z.object({ difference: z.string(), what: z.string(), reason: z.enum(unrepairableReasons) }),
  ),
});
