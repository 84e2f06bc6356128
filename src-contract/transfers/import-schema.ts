/** @file The schemas of `import.ts`. */
import { archiveRecordSchema } from '../archives/archive-schema.ts';
import { z } from '../schema.ts';
import { importStates, comparisonVerdicts } from './import.ts';

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

/** A failure with the record behind it, where the archive was available. */
export const explainedFailureSchema = z.object({
  failure: failureSchema,
  record: archiveRecordSchema.nullable(),
});

export const comparisonSchema = z.object({
  relation: z.string(),
  source: z.number().int().nullable(),
  archive: z.number().int().nullable(),
  target: z.number().int().nullable(),
  verdict: z.enum(comparisonVerdicts),
});

/** Data that one side has and the next lacks, named as far as possible. */
export const missingRecordSchema = z.object({
  relation: z.string(),
  lost: z.enum(['on-export', 'on-import']),
  /** Zero-based line in the archive; null where the archive does not hold it. */
  line: z.number().int().nullable(),
  iid: z.number().int().nullable(),
  /** Title, name or full reference (`refs/heads/main`); null where only its number is known. */
  title: z.string().nullable(),
  /** The incomplete part of a record that is there, with its count on either side; null: the record itself. */
  part: z.object({ name: z.string(), expected: z.number().int(), found: z.number().int() }).nullable(),
});

/** A setting of the project that differs from the source, or from an override. */
export const differingSettingSchema = z.object({
  attribute: z.string(),
  expected: z.string(),
  found: z.string(),
  /** Null where the archive does not show it. */
  lost: z.enum(['on-export', 'on-import']).nullable().default(null),
});

/** How many missing records are not named, and where the archive has the complete ones that an import lost. */
export const unnamedLossesSchema = z.object({
  relation: z.string(),
  lost: missingRecordSchema.shape.lost,
  count: z.number().int(),
  /** Zero-based. */
  lines: z.array(z.number().int()),
});

/**
 * `reconciled`: no loss is visible to the API, all archived records could be counted, no failure is listed,
 * and counts that the source lacks are declared. `missing` names of `missingCount` the first of each
 * relation, `unnamed` counts the others; `declared` says in sentences which facts no comparison can know, and
 * which differences are no loss. `contentsCompared`: the contents of records were compared, not their numbers
 * and names alone; absent: they were not. `unproven` names relations and parts that did not arrive, or may
 * not have, without a known loss.
 */
export const reconciliationSchema = z.object({
  at: z.string(),
  reconciled: z.boolean(),
  contentsCompared: z.boolean().optional(),
  unproven: z.array(z.string()).optional(),
  rows: z.array(comparisonSchema),
  missing: z.array(missingRecordSchema).default([]),
  missingCount: z.number().int().default(0),
  /** Absent where all are named. */
  unnamed: z.array(unnamedLossesSchema).optional(),
  settings: z.array(differingSettingSchema).default([]),
  declared: z.array(z.string()).default([]),
});
