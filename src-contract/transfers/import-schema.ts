/** @file The schemas of `import.ts`. */
import { archiveRecordSchema } from '../archives/archive-schema.ts';
import { z, schemaOf } from '../schema.ts';
import {
  type Failure,
  type ImportStatus,
  type ExplainedFailure,
  type Comparison,
  type MissingRecord,
  type Reconciliation,
  type DifferingSetting,
  type UnnamedLosses,
  importStates,
  comparisonVerdicts,
} from './import.ts';

export const failureSchema = schemaOf<Failure>()(
  z.object({
    id: z.number().int(),
    createdAt: z.string(),
    exceptionClass: z.string(),
    exceptionMessage: z.string().nullable(),
    source: z.string(),
    relation: z.string().nullable(),
    line: z.number().int().nullable(),
  }),
);

export const importStatusSchema = schemaOf<ImportStatus>()(
  z.object({
    projectId: z.number().int(),
    fullPath: z.string(),
    state: z.enum(importStates),
    importType: z.string().nullable(),
    error: z.string().nullable(),
    correlationId: z.string().nullable(),
    failures: z.array(failureSchema),
    stats: z
      .object({
        fetched: z.record(z.string(), z.number()).optional(),
        imported: z.record(z.string(), z.number()).optional(),
      })
      .nullable(),
  }),
);

export const explainedFailureSchema = schemaOf<ExplainedFailure>()(
  z.object({
    failure: failureSchema,
    record: archiveRecordSchema.nullable(),
  }),
);

export const comparisonSchema = schemaOf<Comparison>()(
  z.object({
    relation: z.string(),
    source: z.number().int().nullable(),
    archive: z.number().int().nullable(),
    target: z.number().int().nullable(),
    verdict: z.enum(comparisonVerdicts),
  }),
);

export const missingRecordSchema = schemaOf<MissingRecord>()(
  z.object({
    relation: z.string(),
    lost: z.enum(['on-export', 'on-import']),
    line: z.number().int().nullable(),
    iid: z.number().int().nullable(),
    title: z.string().nullable(),
    part: z.object({ name: z.string(), expected: z.number().int(), found: z.number().int() }).nullable(),
  }),
);

export const differingSettingSchema = schemaOf<DifferingSetting>()(
  z.object({
    attribute: z.string(),
    expected: z.string(),
    found: z.string(),
    lost: z.enum(['on-export', 'on-import']).nullable().default(null),
  }),
);

const unnamedLossesSchema = schemaOf<UnnamedLosses>()(
  z.object({
    relation: z.string(),
    lost: missingRecordSchema.shape.lost,
    count: z.number().int(),
    lines: z.array(z.number().int()),
  }),
);

export const reconciliationSchema = schemaOf<Reconciliation>()(
  z.object({
    at: z.string(),
    reconciled: z.boolean(),
    contentsCompared: z.boolean().optional(),
    unproven: z.array(z.string()).optional(),
    rows: z.array(comparisonSchema),
    missing: z.array(missingRecordSchema).default([]),
    missingCount: z.number().int().default(0),
    unnamed: z.array(unnamedLossesSchema).optional(),
    settings: z.array(differingSettingSchema).default([]),
    declared: z.array(z.string()).default([]),
  }),
);
