/** @file The schemas of `job.ts`. */
import { archiveConditions } from '../archives/archive-quality.ts';
import { findingSchema } from '../archives/archive-schema.ts';
import { errorDataSchema } from '../errors-schema.ts';
import { ignoredAttributeSchema } from '../projects/ignored-attribute-schema.ts';
import { chosenDepths } from '../transfers/import.ts';
import { failureWithRecordSchema, reconciliationSchema } from '../transfers/import-schema.ts';
import { z } from '../schema.ts';
import { changeInputSchema, changeResultSchema } from '../projects/change-schema.ts';
import { importableRelations } from '../transfers/transfer.ts';
import { relationImportResultSchema } from '../transfers/transfer-schema.ts';
import { tokenInputSchema, tokenResultSchema } from '../tokens/token-schema.ts';
import { waitReasons } from './wait-reasons.ts';

/** The state of a job. Times are epoch milliseconds. Each state has only the fields that apply to it. */
export const jobStateSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('queued') }),
  z.object({ status: z.literal('running'), since: z.number() }),
  z.object({
    status: z.literal('waiting'),
    until: z.number(),
    reason: z.enum(waitReasons),
    text: z.string(),
    /** Start of the outage, if the job waits because the instance is unreachable. */
    since: z.number().optional(),
  }),
  z.object({ status: z.literal('cancelling'), by: z.string() }),
  z.object({ status: z.literal('succeeded'), warnings: z.array(findingSchema) }),
  z.object({ status: z.literal('failed'), error: errorDataSchema }),
  z.object({ status: z.literal('cancelled'), by: z.string() }),
  z.object({ status: z.literal('skipped'), why: z.string() }),
]);

/** The progress of a step. `unit` is the unit of `done` and `total`. `total` is null while it is unknown. */
export const progressSchema = z.object({
  step: z.string(),
  unit: z.enum(['bytes', 'records', 'requests']),
  done: z.number(),
  total: z.number().nullable(),
  /** A sentence that says why there is no progress at the moment: the instance does not respond. */
  waiting: z.string().optional(),
});

export const exportInputSchema = z.object({
  projectId: z.number().int(),
  fullPath: z.string(),
  /** True if the job first stores a finished export that it did not request itself. */
  keepExisting: z.boolean(),
  /**
   * The plan whose retention prunes archives afterwards; null prunes nothing. Requests of all plans join the same job.
   */
  planId: z.string().nullable().default(null),
  /** True if a user also requested the backup. The job then stores an archive even if the project has not changed. */
  asked: z.boolean().optional(),
  /**
   * True if the preflight could not read the project although its instance responded. The same error then fails the job
   * at once.
   */
  knownUnreadable: z.boolean().optional(),
});

/**
 * How GitLab gets the archive. `file`: Packhorse sends it. `url`: GitLab fetches it. The stored address lacks its
 * query; the complete one is in memory, under the key `secret`. Jobs that differ only in `secret` do the same work.
 * `s3`: GitLab fetches it from an S3-compatible storage that the settings define.
 */
export const importSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file') }),
  z.object({ kind: z.literal('url'), address: z.string(), secret: z.string() }),
  z.object({ kind: z.literal('s3'), storage: z.string(), key: z.string() }),
]);

export const importInputSchema = z.object({
  source: importSourceSchema.default({ kind: 'file' }),
  /**
   * Absolute path of the archive. `sha256` is its hash when the job was created, checked again while it is sent. Null
   * if GitLab fetches the archive and it is not available here; otherwise the imported project is compared with it.
   */
  archivePath: z.string().nullable(),
  sha256: z.string().nullable(),
  sizeBytes: z.number().int().nullable(),
  /** Full path of the target namespace. Always explicit, so that the target can be found afterwards. */
  namespace: z.string(),
  path: z.string(),
  name: z.string().nullable(),
  overwrite: z.boolean(),
  overrideParams: z.record(z.string(), z.string()),
  /**
   * Catalogue id of a stored archive, else null. If the archive itself was sent, its state file receives the proof L3.
   */
  archiveId: z.string().nullable(),
  /**
   * True if a migration compares source, archive and target afterwards. Only that comparison then proves the archive.
   */
  comparedLater: z.boolean().optional(),
  /** The depth of the comparison after the import. Default: contents. */
  compare: z.enum(chosenDepths).optional(),
  /** Like the field of an export, for the target. */
  knownUnreadable: z.boolean().optional(),
});

export const relationImportInputSchema = z.object({
  projectId: z.number().int(),
  fullPath: z.string(),
  /** Like the same fields of an import. */
  archivePath: z.string(),
  sha256: z.string(),
  sizeBytes: z.number().int(),
  archiveId: z.string().nullable(),
  relation: z.enum(importableRelations),
  /** True if the archive contains only records that the project lacks. */
  missingOnly: z.boolean().optional(),
  /** True if a user accepted that GitLab may remove the direct members of the project. */
  removeMembers: z.boolean().optional(),
});

export const exportResultSchema = z.object({
  archiveId: z.string(),
  archivePath: z.string(),
  sha256: z.string(),
  sizeBytes: z.number().int(),
  findings: z.array(findingSchema),
  /** The condition of the archive when it was stored. Jobs of older versions lack it. */
  condition: z.enum(archiveConditions).optional(),
  /** Number of older archives of the project that were moved to the trash. */
  prunedCount: z.number().int().default(0),
});

export const importResultSchema = z.object({
  projectId: z.number().int(),
  fullPath: z.string(),
  webUrl: z.string(),
  correlationId: z.string().nullable(),
  failures: z.array(failureWithRecordSchema),
  reconciliation: reconciliationSchema,
  /** Overrides that the instance accepted and did not apply; null if the new project could not be read. */
  notTaken: z.array(ignoredAttributeSchema).nullable().default([]),
});

/** Fields of jobs of every kind. `revision` grows with every change of the state. */
export const jobHeaderSchema = z.object({
  id: z.string(),
  runId: z.string(),
  instance: z.string(),
  /**
   * The full path of a project, or `token` with its slot or id. Jobs with the same value never run at the same time.
   */
  project: z.string(),
  state: jobStateSchema,
  /** Name of the running or next step; null once the job has ended. `attempt` counts its tries. */
  step: z.string().nullable(),
  attempt: z.number().int(),
  createdAt: z.number(),
  updatedAt: z.number(),
  revision: z.number().int(),
  /** Progress of the running step. Only the process that runs the job has it; null in other processes. */
  progress: progressSchema.nullable().default(null),
});

/** Contents in an unknown form, stored by another version, become null, so that lists still work. */
const contentsSchema = <Known extends z.ZodType>(schema: Known) =>
  z.unknown().pipe(schema.nullable().catch(null));

/** Adds the input and result of one kind of job. The result is null until the job has succeeded. */
const createJobSchema = <Kind extends string, Input extends z.ZodType, Result extends z.ZodType>(
  kind: Kind,
  input: Input,
  result: Result,
) =>
  jobHeaderSchema.extend({
    kind: z.literal(kind),
    input: contentsSchema(input),
    result: contentsSchema(result),
  });

/** A job in the form that calls return. The kind determines the types of input and result. */
export const jobSchema = z.discriminatedUnion('kind', [
  createJobSchema('export', exportInputSchema, exportResultSchema),
  createJobSchema('import', importInputSchema, importResultSchema),
  createJobSchema('change', changeInputSchema, changeResultSchema),
  createJobSchema('relation-import', relationImportInputSchema, relationImportResultSchema),
  createJobSchema('token', tokenInputSchema, tokenResultSchema),
]);

/** One step of a job. `next` is the next step, `later` any step after it. Times are epoch milliseconds. */
export const jobStepSchema = z.object({
  name: z.string(),
  state: z.enum(['done', 'running', 'next', 'later', 'stopped']),
  /** How often the step was tried. */
  attempt: z.number().int(),
  startedAt: z.number().nullable(),
  finishedAt: z.number().nullable(),
});

/** A row of the append-only history. `id` increases by one with each event, over all jobs. */
export const jobEventSchema = z.object({
  id: z.number().int(),
  jobId: z.string(),
  at: z.number(),
  type: z.string(),
  message: z.string(),
});
