/** @file The noun *import*: its status on the server, its failures, and the three-way comparison after it. */
import { archiveRecordSchema } from './archive.ts';
import { z } from './schema.ts';

/** One failed relation as GitLab records it. Only the newest 100 are ever listed (gitlab-facts 15.2). */
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

/** Something that one side has and the next has not, named as far as it can be. */
export const missingRecordSchema = z.object({
  relation: z.string(),
  lost: z.enum(['on-export', 'on-import']),
  /** Zero-based line in the archive; null where the archive does not hold it. */
  line: z.number().int().nullable(),
  iid: z.number().int().nullable(),
  /** Title, name or full reference (`refs/heads/main`), whichever tells it from others; null where only its number is known. */
  title: z.string().nullable(),
  /** Of a record that is there, the part of it that is not whole, with how many there are on either side; null: the record itself. */
  part: z.object({ name: z.string(), expected: z.number().int(), found: z.number().int() }).nullable(),
});
export type MissingRecord = z.infer<typeof missingRecordSchema>;

/** A setting of the project that is not what the source, or an override, says. */
export const differingSettingSchema = z.object({
  attribute: z.string(),
  expected: z.string(),
  found: z.string(),
  /** Null where the archive does not tell. */
  lost: z.enum(['on-export', 'on-import']).nullable().default(null),
});

/** How many missing records of a relation are not named, and where the whole ones of them that an import lost stand in the archive. */
const unnamedLossesSchema = z.object({
  relation: z.string(),
  lost: missingRecordSchema.shape.lost,
  count: z.number().int(),
  /** Zero-based. */
  lines: z.array(z.number().int()),
});

/**
 * `reconciled`: nothing is lost that the API can show, all that was archived could be counted, no failure is listed, and what could not
 * be counted on the source is declared. `missing` names of `missingCount` the first of each relation, `unnamed` counts the others;
 * `declared` says in sentences what no comparison can know, and what differs without being a loss. `contentsCompared`: the contents of
 * records were compared, not their numbers and names alone; left out: they were not. `unproven` names relations and parts that did
 * not arrive, or may not have, without a loss being known.
 */
export const reconciliationSchema = z.object({
  at: z.string(),
  reconciled: z.boolean(),
  contentsCompared: z.boolean().optional(),
  unproven: z.array(z.string()).optional(),
  rows: z.array(comparisonSchema),
  missing: z.array(missingRecordSchema).default([]),
  missingCount: z.number().int().default(0),
  /** Left out where all are named. */
  unnamed: z.array(unnamedLossesSchema).optional(),
  settings: z.array(differingSettingSchema).default([]),
  declared: z.array(z.string()).default([]),
});
export type Reconciliation = z.infer<typeof reconciliationSchema>;
