/**
 * @file The noun *difference*: one loss, or one setting that is not as it was, as the last comparison of a migrated project found
 * it. It is known again by what names it, or by its relation and side alone where only numbers tell of it.
 */
import { missingRecordSchema } from '../import.ts';
import { z } from '../schema.ts';

/**
 * `record`: a record, or several that are named alike; `part` of a record; `number`: what the numbers of a relation show beyond the
 * records that are named; `setting`; `unnamed`: records and parts beyond those that a comparison keeps by name.
 */
export const differenceKinds = ['record', 'part', 'number', 'setting', 'unnamed'] as const;

/** What somebody accepted to be without, and why. */
export const acceptanceSchema = z.object({ note: z.string(), at: z.string() });

export const differenceSchema = z.object({
  /** For `failure.settle`. It changes with how much is missing, so that nobody accepts more than was shown. */
  ref: z.string(),
  kind: z.enum(differenceKinds),
  /** Of a setting its attribute; empty where nothing is named. */
  relation: z.string(),
  /** What differs, in a few words. */
  what: z.string(),
  /** Null where it is not known. */
  lost: missingRecordSchema.shape.lost.nullable(),
  /** Records, parts of one, or bytes of LFS objects; 1 for a setting. */
  missing: z.number().int(),
  /** How many of them nobody accepted. */
  open: z.number().int(),
  /** Null where nobody accepted any of them. */
  accepted: acceptanceSchema.nullable(),
  /** Where it stands among the missing records of the comparison, counted from 0. */
  places: z.array(z.number().int()),
});
export type Difference = z.infer<typeof differenceSchema>;
