/** @file The noun *import*: its status on the server, its failures, and the three-way comparison after it. */
import { archiveRecordSchema } from './archive.ts';
import { z } from './schema.ts';

/** One failed relation as GitLab records it. Only the newest 100 are ever listed (specification, document 2). */
export const failureSchema = z.object({
  id: z.number().int(),
  createdAt: z.string(),
  exceptionClass: z.string(),
  /** Null on real servers; the message is hidden there. */
  exceptionMessage: z.string().nullable(),
  source: z.string(),
  relation: z.string().nullable(),
  /** Zero-based line in `tree/project/<relation>.ndjson` of the imported archive; null before GitLab 14.6. */
  line: z.number().int().nullable(),
});
export type Failure = z.infer<typeof failureSchema>;

export const importStates = ['none', 'scheduled', 'started', 'finished', 'failed', 'canceled'] as const;

export const importStatusSchema = z.object({
  projectId: z.number().int(),
  fullPath: z.string(),
  state: z.enum(importStates),
  importType: z.string().nullable(),
  error: z.string().nullable(),
  correlationId: z.string().nullable(),
  failures: z.array(failureSchema),
  /** For imports from another code host: counts fetched and imported; null otherwise. */
  stats: z
    .object({
      fetched: z.record(z.string(), z.number()).optional(),
      imported: z.record(z.string(), z.number()).optional(),
    })
    .nullable(),
});
export type ImportStatus = z.infer<typeof importStatusSchema>;

/** A failure with the record behind it, where the archive was at hand. */
export const explainedFailureSchema = z.object({
  failure: failureSchema,
  record: archiveRecordSchema.nullable(),
});
export type ExplainedFailure = z.infer<typeof explainedFailureSchema>;

/**
 * `equal`; `lost-on-export`: the archive holds less than the source; `lost-on-import`: the target holds less than the
 * archive; `lost-on-both`; `more`: the target holds more; `unknown`: one side could not be counted.
 */
export const comparisonVerdicts = [
  'equal',
  'lost-on-export',
  'lost-on-import',
  'lost-on-both',
  'more',
  'unknown',
] as const;

export const comparisonSchema = z.object({
  relation: z.string(),
  source: z.number().int().nullable(),
  archive: z.number().int().nullable(),
  target: z.number().int().nullable(),
  verdict: z.enum(comparisonVerdicts),
});
export type Comparison = z.infer<typeof comparisonSchema>;

/** `reconciled`: nothing is lost that the API can show, all that was archived could be counted, no failure is listed. */
export const reconciliationSchema = z.object({
  at: z.string(),
  reconciled: z.boolean(),
  rows: z.array(comparisonSchema),
});
export type Reconciliation = z.infer<typeof reconciliationSchema>;
