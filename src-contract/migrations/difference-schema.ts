/** @file The schemas of `difference.ts`. */
import { missingRecordSchema } from '../transfers/import-schema.ts';
import { z } from '../schema.ts';
import { differenceKinds } from './difference.ts';

/** A difference that somebody accepted, and why. */
export const acceptanceSchema = z.object({ note: z.string(), at: z.string() });

export const differenceSchema = z.object({
  /** For `failure.settle`. The value changes with how much is missing, so that nobody accepts more than was shown. */
  ref: z.string(),
  kind: z.enum(differenceKinds),
  /** For a setting its attribute; empty where nothing is named. */
  relation: z.string(),
  /** The difference in a few words. */
  what: z.string(),
  /** Null where it is not known. */
  lost: missingRecordSchema.shape.lost.nullable(),
  /** Records, parts of one, or bytes of LFS objects; 1 for a setting. */
  missing: z.number().int(),
  /** How many of them nobody accepted. */
  open: z.number().int(),
  /** Null where nobody accepted any of them. */
  accepted: acceptanceSchema.nullable(),
  /** Its indexes in the missing records of the comparison, counted from 0. */
  places: z.array(z.number().int()),
});
