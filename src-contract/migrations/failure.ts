/**
 * @file The noun *failure* as the ledger keeps it: every failed relation that an import ever listed, tied to the archive that
 * was imported, with what became of it. GitLab lists only the newest 100 and forgets them with the next import.
 */
import { archiveRecordSchema } from '../archive.ts';
import { failureSchema } from '../import.ts';
import { suspicionSchema } from '../record.ts';
import { z } from '../schema.ts';

/** What people call a record; null in either place where it has none. */
export const recordNameSchema = z.object({ iid: z.number().int().nullable(), title: z.string().nullable() });
export type RecordName = z.infer<typeof recordNameSchema>;

/** `retried`: its relation was imported again, and nothing tells yet what came of it; `resolved`: its record is there now. */
export const failureStates = ['open', 'retried', 'resolved', 'accepted'] as const;
export type FailureState = (typeof failureStates)[number];

export const ledgerFailureSchema = failureSchema.extend({
  /** Of the ledger's row; GitLab's own `id` is unique on one instance only. */
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
  /** What names the record, read out of the archive; null where none was at hand, or the failure has no line. */
  record: recordNameSchema.nullable(),
});
export type LedgerFailure = z.infer<typeof ledgerFailureSchema>;

/** Failures of one relation with one exception. */
export const failureGroupSchema = z.object({
  relation: z.string().nullable(),
  exceptionClass: z.string(),
  total: z.number().int(),
  open: z.number().int(),
  /** What such an exception means, and what can be done: a sentence each. */
  meaning: z.string(),
  advice: z.string(),
});
export type FailureGroup = z.infer<typeof failureGroupSchema>;

export const failureDetailsSchema = z.object({
  failure: ledgerFailureSchema,
  meaning: z.string(),
  advice: z.string(),
  /** Null where no archive is at hand, or the failure is about no line of it. */
  record: archiveRecordSchema.nullable(),
  /** What looks wrong with the record, the weightiest first. */
  findings: z.array(suspicionSchema),
  /** Sentences about what was not looked for; see `recordViewSchema`. */
  notLookedFor: z.array(z.string()),
  /** Page of the original on the source; null where it has none. */
  sourceUrl: z.string().nullable(),
});
