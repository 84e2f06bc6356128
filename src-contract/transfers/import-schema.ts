/** @file The schemas of `import.ts`. */
import { archiveRecordSchema } from '../archives/archive-schema.ts';
import { z } from '../schema.ts';
import {
  chosenDepths,
  comparisonDepths,
  comparisonVerdicts,
  importStates,
  relationDepths,
} from './import.ts';

/** One failed relation as GitLab records it. GitLab lists only the newest 100 (gitlab-facts 15.2). */
export const failureSchema = z.object({
  id: z.number().int(),
  createdAt: z.string(),
  exceptionClass: z.string(),
  /** Null on real servers, which hide the message. */
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
  /** For an import from another code host: the numbers of fetched and imported objects. Null for other imports. */
  stats: z
    .object({
      fetched: z.record(z.string(), z.number()).optional(),
      imported: z.record(z.string(), z.number()).optional(),
    })
    .nullable(),
});

/** A failure with the record that caused it; null if the archive was not available. */
export const failureWithRecordSchema = z.object({
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

/**
 * A list in an existing record that lacks elements, such as the notes of an issue. `missing` describes the first missing
 * elements; absent if only their number is known.
 */
const incompletePartSchema = z.object({
  name: z.string(),
  expected: z.number().int(),
  found: z.number().int(),
  missing: z.array(z.string()).optional(),
});

/** A field of an existing record with its value on both sides. A long text is shortened. */
export const changedFieldSchema = z.object({
  name: z.string(),
  values: z.object({ expected: z.string(), found: z.string() }),
});

/** A record, or part of one, that was lost on export or on import, with its name if known. */
export const missingRecordSchema = z.object({
  relation: z.string(),
  lost: z.enum(['on-export', 'on-import']),
  /** Zero-based line in the archive; null if the archive does not hold it. */
  line: z.number().int().nullable(),
  iid: z.number().int().nullable(),
  /** Title, name or full reference (`refs/heads/main`); null if only its number is known. */
  title: z.string().nullable(),
  /** Null if the whole record is missing. */
  part: z.union([changedFieldSchema, incompletePartSchema]).nullable(),
});

/** A setting of the imported project that differs from the source, or from an override. */
export const differingSettingSchema = z.object({
  attribute: z.string(),
  expected: z.string(),
  found: z.string(),
  /** Null if the archive does not contain the setting. */
  lost: z.enum(['on-export', 'on-import']).nullable().default(null),
});

/**
 * Number of missing records without a name. `lines` are the positions in the archive of those that the import lost
 * completely.
 */
export const unnamedLossesSchema = z.object({
  relation: z.string(),
  lost: missingRecordSchema.shape.lost,
  count: z.number().int(),
  /** Zero-based lines. */
  lines: z.array(z.number().int()),
});

/** A part of an export that was not compared, and the number of records in the archive that contain it. */
export const uncomparedPartSchema = z.object({ part: z.string(), records: z.number().int() });

/**
 * How far a relation was compared with each side. `source` is null for an import without a source. `fields` has the fields
 * that were not compared with every side, or not of every record.
 */
export const reachedRelationSchema = z.object({
  relation: z.string(),
  source: z.enum(relationDepths).nullable(),
  target: z.enum(relationDepths),
  fields: z.array(z.string()),
});

/**
 * `reconciled`: no loss was found, contents were compared, every archived record was counted, and no failure is open;
 * `declared` names the counts that the source lacks. `missingCount` is the number of missing records: `missing` names the first of each
 * relation, `unnamed` counts the others. `declared` has sentences about what the comparison cannot check and about
 * differences that are no losses. `depth` says what was compared of each record. `unproven` lists relations and parts
 * that could not be confirmed on the target, or that the source did not list consistently. `notCompared` lists the parts
 * of `transfers/uncompared-parts.ts`, which no comparison of this version covers. `gaps` has a sentence for each reason why
 * contents were compared only in part. `relations` has every relation that a comparison of contents covers. Comparisons of
 * older versions lack both.
 */
export const reconciliationSchema = z.object({
  at: z.string(),
  reconciled: z.boolean(),
  depth: z.enum(comparisonDepths).default('names'),
  gaps: z.array(z.string()).optional(),
  unproven: z.array(z.string()).optional(),
  rows: z.array(comparisonSchema),
  missing: z.array(missingRecordSchema).default([]),
  missingCount: z.number().int().default(0),
  /** Absent if all missing records are named. */
  unnamed: z.array(unnamedLossesSchema).optional(),
  settings: z.array(differingSettingSchema).default([]),
  /** Values of settings on the source that an export lost, by attribute, also of repaired ones. Absent without any. */
  sourceSettings: z.record(z.string(), z.string()).optional(),
  declared: z.array(z.string()).default([]),
  notCompared: z.array(uncomparedPartSchema).default([]),
  relations: z.array(reachedRelationSchema).optional(),
});

/** The expected cost of comparisons: of one import, or of all projects that a preflight covers. */
export const comparisonForecastSchema = z.object({
  depth: z.enum(chosenDepths),
  /** Null if no project could be counted. */
  requests: z.number().int().nullable(),
  /** True if some numbers of records are not known, so that more requests may follow. */
  isAtLeast: z.boolean(),
  /** At the rate at which the instances responded to the preflight; null if no preflight measured it. */
  ms: z.number().int().nullable(),
});
