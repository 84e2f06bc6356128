/** @file The schemas of `failure.ts`. */
import { archiveRecordSchema } from '../archives/archive-schema.ts';
import { failureSchema } from '../transfers/import-schema.ts';
import { suspicionSchema } from '../archives/record-schema.ts';
import { z } from '../schema.ts';
import { failureStates } from './failure.ts';

/** The name of a record as people use it; null in either place where it has none. */
export const recordNameSchema = z.object({ iid: z.number().int().nullable(), title: z.string().nullable() });

export const ledgerFailureSchema = failureSchema.extend({
  /** Id of the ledger's row; GitLab's own `id` is unique on one instance only. */
  ref: z.string(),
  instance: z.string(),
  /** Full path and id of the project that it was imported into. */
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
  /** The name of the record, read from the archive; null where no archive was available, or the failure has no line. */
  record: recordNameSchema.nullable(),
});

/** Failures of one relation with one exception. */
export const failureGroupSchema = z.object({
  relation: z.string().nullable(),
  exceptionClass: z.string(),
  total: z.number().int(),
  open: z.number().int(),
  /** The meaning of such an exception, and advice: a sentence each. */
  meaning: z.string(),
  advice: z.string(),
});

export const failureDetailsSchema = z.object({
  failure: ledgerFailureSchema,
  meaning: z.string(),
  advice: z.string(),
  /** Null where no archive is available, or the failure is about no line of it. */
  record: archiveRecordSchema.nullable(),
  /** Possible defects of the record, the weightiest first. */
  findings: z.array(suspicionSchema),
  /** Sentences about searches that were skipped; see `recordViewSchema`. */
  notLookedFor: z.array(z.string()),
  /** Page of the original on the source; null where it has none. */
  sourceUrl: z.string().nullable(),
});
