/** @file The schemas of `job.ts`. */
import { findingSchema } from '../archives/archive-schema.ts';
import { errorDataSchema } from '../errors-schema.ts';
import { ignoredAttributeSchema } from '../projects/not-taken-schema.ts';
import { explainedFailureSchema, reconciliationSchema } from '../transfers/import-schema.ts';
import { z, schemaOf } from '../schema.ts';
import { changeInputSchema, changeResultSchema } from '../projects/change-schema.ts';
import { importableRelations } from '../transfers/transfer.ts';
import { relationImportResultSchema } from '../transfers/transfer-schema.ts';
import { tokenInputSchema, tokenResultSchema } from '../tokens/token-schema.ts';
import {
  type JobState,
  type Progress,
  type ExportInput,
  type ImportSource,
  type ImportInput,
  type RelationImportInput,
  type ExportResult,
  type ImportResult,
  type Job,
  type JobHeader,
  type JobKind,
  type JobStep,
  type JobEvent,
} from './job.ts';
import { waitReasons } from './wait-reasons.ts';

export const jobStateSchema = schemaOf<JobState>()(
  z.discriminatedUnion('status', [
    z.object({ status: z.literal('queued') }),
    z.object({ status: z.literal('running'), since: z.number() }),
    z.object({
      status: z.literal('waiting'),
      until: z.number(),
      reason: z.enum(waitReasons),
      text: z.string(),
      since: z.number().optional(),
    }),
    z.object({ status: z.literal('cancelling'), by: z.string() }),
    z.object({ status: z.literal('succeeded'), warnings: z.array(findingSchema) }),
    z.object({ status: z.literal('failed'), error: errorDataSchema }),
    z.object({ status: z.literal('cancelled'), by: z.string() }),
    z.object({ status: z.literal('skipped'), why: z.string() }),
  ]),
);

export const progressSchema = schemaOf<Progress>()(
  z.object({
    step: z.string(),
    unit: z.enum(['bytes', 'records', 'requests']),
    done: z.number(),
    total: z.number().nullable(),
    waiting: z.string().optional(),
  }),
);

export const exportInputSchema = schemaOf<ExportInput>()(
  z.object({
    projectId: z.number().int(),
    fullPath: z.string(),
    keepExisting: z.boolean(),
    planId: z.string().nullable().default(null),
    asked: z.boolean().optional(),
  }),
);

export const importSourceSchema = schemaOf<ImportSource>()(
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('file') }),
    z.object({ kind: z.literal('url'), address: z.string(), secret: z.string() }),
    z.object({ kind: z.literal('s3'), storage: z.string(), key: z.string() }),
  ]),
);

export const importInputSchema = schemaOf<ImportInput>()(
  z.object({
    source: importSourceSchema.default({ kind: 'file' }),
    archivePath: z.string().nullable(),
    sha256: z.string().nullable(),
    sizeBytes: z.number().int().nullable(),
    namespace: z.string(),
    path: z.string(),
    name: z.string().nullable(),
    overwrite: z.boolean(),
    overrideParams: z.record(z.string(), z.string()),
    archiveId: z.string().nullable(),
    comparedLater: z.boolean().optional(),
  }),
);

export const relationImportInputSchema = schemaOf<RelationImportInput>()(
  z.object({
    projectId: z.number().int(),
    fullPath: z.string(),
    archivePath: z.string(),
    sha256: z.string(),
    sizeBytes: z.number().int(),
    archiveId: z.string().nullable(),
    relation: z.enum(importableRelations),
    missingOnly: z.boolean().optional(),
    removeMembers: z.boolean().optional(),
  }),
);

export const exportResultSchema = schemaOf<ExportResult>()(
  z.object({
    archiveId: z.string(),
    archivePath: z.string(),
    sha256: z.string(),
    sizeBytes: z.number().int(),
    findings: z.array(findingSchema),
    prunedCount: z.number().int().default(0),
  }),
);

export const importResultSchema = schemaOf<ImportResult>()(
  z.object({
    projectId: z.number().int(),
    fullPath: z.string(),
    webUrl: z.string(),
    correlationId: z.string().nullable(),
    failures: z.array(explainedFailureSchema),
    reconciliation: reconciliationSchema,
    notTaken: z.array(ignoredAttributeSchema).nullable().default([]),
  }),
);

/**
 * The fields of a job that the catalogue reads. The contents are read by their kind where a call returns the
 * job.
 */
export const jobHeaderSchema = schemaOf<JobHeader>()(
  z.object({
    id: z.string(),
    runId: z.string(),
    instance: z.string(),
    project: z.string(),
    state: jobStateSchema,
    step: z.string().nullable(),
    attempt: z.number().int(),
    createdAt: z.number(),
    updatedAt: z.number(),
    revision: z.number().int(),
    progress: progressSchema.nullable().default(null),
  }),
);

/** Contents that another version stored in a form unknown here become null, so that they break no list. */
const contents = <Known extends z.ZodType>(known: Known) => z.unknown().pipe(known.nullable().catch(null));

const jobOf = <Kind extends JobKind, Input extends z.ZodType, Result extends z.ZodType>(
  kind: Kind,
  input: Input,
  result: Result,
) =>
  jobHeaderSchema.extend({
    kind: z.literal(kind),
    input: contents(input),
    result: contents(result),
  });

export const jobSchema = schemaOf<Job>()(
  z.discriminatedUnion('kind', [
    jobOf('export', exportInputSchema, exportResultSchema),
    jobOf('import', importInputSchema, importResultSchema),
    jobOf('change', changeInputSchema, changeResultSchema),
    jobOf('relation-import', relationImportInputSchema, relationImportResultSchema),
    jobOf('token', tokenInputSchema, tokenResultSchema),
  ]),
);

export const jobStepSchema = schemaOf<JobStep>()(
  z.object({
    name: z.string(),
    state: z.enum(['done', 'running', 'next', 'later', 'stopped']),
    attempt: z.number().int(),
    startedAt: z.number().nullable(),
    finishedAt: z.number().nullable(),
  }),
);

export const jobEventSchema = schemaOf<JobEvent>()(
  z.object({
    id: z.number().int(),
    jobId: z.string(),
    at: z.number(),
    type: z.string(),
    message: z.string(),
  }),
);
