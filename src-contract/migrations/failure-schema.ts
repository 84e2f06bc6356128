/** @file The schemas of `failure.ts`. */
import { archiveRecordSchema } from '../archives/archive-schema.ts';
import { failureSchema } from '../transfers/import-schema.ts';
import { recordFindingSchema } from '../archives/record-schema.ts';
import { z } from '../schema.ts';
import { failureStates, recordAbsences } from './failure.ts';

/** The name of a record as users know it. A field is null if the record lacks it. */
export const recordNameSchema = z.object({ iid: z.number().int().nullable(), title: z.string().nullable() });

export const importFailureSchema = failureSchema.extend({
  /** Id of the stored failure, over all instances; GitLab's own `id` is unique on one instance only. */
  ref: z.string(),
  instance: z.string(),
  /** Full path of the target project; `projectId` is its id. */
  project: z.string(),
  projectId: z.number().int(),
  importJob: z.string(),
  /** Null for an import that no migration made. */
  migrationId: z.string().nullable(),
  archiveId: z.string().nullable(),
  state: z.enum(failureStates),
  /** Why somebody accepted it. */
  note: z.string().nullable(),
  changedAt: z.string(),
  /** The name of the record, from the archive; null if no archive was available, or the failure has no line. */
  record: recordNameSchema.nullable(),
});

/** The failures that GitLab may have left out of its lists. */
export const unlistedFailuresSchema = z.object({
  /** True if GitLab listed `maxListedFailures` failures at once, and all were new: there may be more. */
  hasUnlisted: z.boolean(),
  /** Their estimated number; null if GitLab listed all, or if there is no estimate. */
  unlistedCount: z.number().int().nullable(),
});

/** Failures of one relation with one exception. */
export const failureGroupSchema = z.object({
  relation: z.string().nullable(),
  exceptionClass: z.string(),
  total: z.number().int(),
  open: z.number().int(),
  /** The meaning of the exception, and advice; one sentence each. */
  meaning: z.string(),
  advice: z.string(),
});

export const failureDetailsSchema = z.object({
  failure: importFailureSchema,
  meaning: z.string(),
  advice: z.string(),
  record: archiveRecordSchema.nullable(),
  /** Why `record` is null; null if the record was read. */
  recordAbsence: z.enum(recordAbsences).nullable(),
  /** Possible defects of the record, the most serious first. */
  findings: z.array(recordFindingSchema),
  /** Sentences about searches that were skipped; see `recordViewSchema`. */
  notLookedFor: z.array(z.string()),
  /** Page of the original on the source; null if it has none. */
  sourceUrl: z.string().nullable(),
});
