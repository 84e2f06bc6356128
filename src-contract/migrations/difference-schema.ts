/** @file The schemas of `difference.ts`. */
import { missingRecordSchema } from '../transfers/import-schema.ts';
import { z } from '../schema.ts';
import { differenceKinds } from './difference.ts';

/** Why and when a user accepted a difference. */
export const acceptanceSchema = z.object({ note: z.string(), at: z.string() });

export const differenceSchema = z.object({
  /**
   * The reference for `failure.settle`, which changes with the missing amount, so that nobody accepts more than was
   * shown.
   */
  ref: z.string(),
  kind: z.enum(differenceKinds),
  /** The relation; for a setting, its attribute. Empty if neither is known. */
  relation: z.string(),
  /** The difference in a few words. */
  what: z.string(),
  /** The step that lost the data; null if unknown. */
  lost: missingRecordSchema.shape.lost.nullable(),
  /** Whether people can see or do more on the target than on the source. */
  isGrave: z.boolean(),
  /** Number of records, parts of a record, or bytes of LFS objects; 1 for a setting. */
  missing: z.number().int(),
  /** The part of `missing` that nobody accepted. */
  open: z.number().int(),
  /** Null if nobody accepted any part of it. */
  accepted: acceptanceSchema.nullable(),
  /** Its zero-based indexes in the missing records of the comparison. */
  places: z.array(z.number().int()),
});
