/** @file The schemas of `job.ts`. */
import { findingSchema } from '../archives/archive-schema.ts';
import { errorDataSchema } from '../errors-schema.ts';
import { ignoredAttributeSchema } from '../projects/ignored-attribute-schema.ts';
import { explainedFailureSchema, reconciliationSchema } from '../transfers/import-schema.ts';
import { z } from '../schema.ts';
import { changeInputSchema, changeResultSchema } from '../projects/change-schema.ts';
import { importableRelations } from '../transfers/transfer.ts';
import { relationImportResultSchema } from '../transfers/transfer-schema.ts';
import { tokenInputSchema, tokenResultSchema } from '../tokens/token-schema.ts';
import { waitReasons } from './wait-reasons.ts';

/** Times are epoch milliseconds. A field that makes sense in one state exists only there. */
export const jobStateSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('queued') }),
  z.object({ status: z.literal('running'), since: z.number() }),
  z.object({
    status: z.literal('waiting'),
    until: z.number(),
    reason: z.enum(waitReasons),
    text: z.string(),
    /** Since when the instance does not respond, if that is why the job waits. */
    since: z.number().optional(),
  }),
  z.object({ status: z.literal('cancelling'), by: z.string() }),
  z.object({ status: z.literal('succeeded'), warnings: z.array(findingSchema) }),
  z.object({ status: z.literal('failed'), error: errorDataSchema }),
  z.object({ status: z.literal('cancelled'), by: z.string() }),
  z.object({ status: z.literal('skipped'), why: z.string() }),
]);

/** `unit` of `done` and `total`; `total` is null while it is unknown. */
export const progressSchema = z.object({
  step: z.string(),
  unit: z.enum(['bytes', 'records', 'requests']),
  done: z.number(),
  total: z.number().nullable(),
  /** Why there is no progress now, in a sentence: the instance does not respond. */
  waiting: z.string().optional(),
});

export const exportInputSchema = z.object({
  projectId: z.number().int(),
  fullPath: z.string(),
  /** Whether to store a finished export of somebody else's request first. */
  keepExisting: z.boolean(),
  /** The plan whose retention prunes afterwards; null keeps all. Requests of any plan join the same job. */
  planId: z.string().nullable().default(null),
  /** A person requested it too, so it makes an archive even where nothing has changed. */
  asked: z.boolean().optional(),
});

/**
 * How GitLab gets the archive. `file`: it is sent. `url`: fetched by GitLab; the address is stored without
 * its query and kept whole in memory, under `secret`, which does not say which work is done. `s3`: from a
 * storage of the settings.
 */
export const importSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file') }),
  z.object({ kind: z.literal('url'), address: z.string(), secret: z.string() }),
  z.object({ kind: z.literal('s3'), storage: z.string(), key: z.string() }),
]);

export const importInputSchema = z.object({
  source: importSourceSchema.default({ kind: 'file' }),
  /**
   * Absolute path, and the hash it had when the job was made; checked again while it is sent. Null where
   * GitLab fetches the archive and none is available here; otherwise the imported project is compared with
   * this archive.
   */
  archivePath: z.string().nullable(),
  sha256: z.string().nullable(),
  sizeBytes: z.number().int().nullable(),
  /** Full path of the target namespace. Always explicit, so that the target can be looked up afterwards. */
  namespace: z.string(),
  path: z.string(),
  name: z.string().nullable(),
  overwrite: z.boolean(),
  overrideParams: z.record(z.string(), z.string()),
  /** Catalogue id of the archive where it is a stored one; its state file receives the proof L3 where it was sent itself. */
  archiveId: z.string().nullable(),
  /** A migration compares source, archive and target afterwards, and only that can prove the archive. */
  comparedLater: z.boolean().optional(),
});

export const relationImportInputSchema = z.object({
  projectId: z.number().int(),
  fullPath: z.string(),
  /** The same as for an import. */
  archivePath: z.string(),
  sha256: z.string(),
  sizeBytes: z.number().int(),
  archiveId: z.string().nullable(),
  relation: z.enum(importableRelations),
  /** The archive holds only records that the project lacks. */
  missingOnly: z.boolean().optional(),
  /** Somebody accepted that GitLab may remove the direct members of the project. */
  removeMembers: z.boolean().optional(),
});

export const exportResultSchema = z.object({
  archiveId: z.string(),
  archivePath: z.string(),
  sha256: z.string(),
  sizeBytes: z.number().int(),
  findings: z.array(findingSchema),
  /** How many older archives of the project went to the trash folder. */
  prunedCount: z.number().int().default(0),
});

export const importResultSchema = z.object({
  projectId: z.number().int(),
  fullPath: z.string(),
  webUrl: z.string(),
  correlationId: z.string().nullable(),
  failures: z.array(explainedFailureSchema),
  reconciliation: reconciliationSchema,
  /** Overrides that the instance accepted and did not take; null: the new project could not be asked. */
  notTaken: z.array(ignoredAttributeSchema).nullable().default([]),
});

/** Fields of jobs of every kind. `revision` grows with every change of the state. */
export const jobHeaderSchema = z.object({
  id: z.string(),
  runId: z.string(),
  instance: z.string(),
  /** The full path of a project, or `token` with its slot or id. Jobs with the same one never run at once. */
  project: z.string(),
  state: jobStateSchema,
  /** Name of the step that runs or comes next, and how often it was tried; null once the job has ended. */
  step: z.string().nullable(),
  attempt: z.number().int(),
  createdAt: z.number(),
  updatedAt: z.number(),
  revision: z.number().int(),
  /** Progress of the running step; kept in the memory of the process that runs the job, null elsewhere. */
  progress: progressSchema.nullable().default(null),
});

/** Contents that another version stored in an unknown form become null, so that they break no list. */
const contents = <Known extends z.ZodType>(known: Known) => z.unknown().pipe(known.nullable().catch(null));

/** The result is null until the job has succeeded. */
const jobOf = <Kind extends string, Input extends z.ZodType, Result extends z.ZodType>(
  kind: Kind,
  input: Input,
  result: Result,
) => jobHeaderSchema.extend({ kind: z.literal(kind), input: contents(input), result: contents(result) });

/** A job in the form that calls return. The kind determines the types of input and result. */
export const jobSchema = z.discriminatedUnion('kind', [
  jobOf('export', exportInputSchema, exportResultSchema),
  jobOf('import', importInputSchema, importResultSchema),
  jobOf('change', changeInputSchema, changeResultSchema),
  jobOf('relation-import', relationImportInputSchema, relationImportResultSchema),
  jobOf('token', tokenInputSchema, tokenResultSchema),
]);

/** One step of a job. `next`: what comes next; `later`: after that. Times are epoch milliseconds. */
export const jobStepSchema = z.object({
  name: z.string(),
  state: z.enum(['done', 'running', 'next', 'later', 'stopped']),
  /** How often it was tried. */
  attempt: z.number().int(),
  startedAt: z.number().nullable(),
  finishedAt: z.number().nullable(),
});

/** A row of the append-only history; `id` grows by one per event over all jobs. */
export const jobEventSchema = z.object({
  id: z.number().int(),
  jobId: z.string(),
  at: z.number(),
  type: z.string(),
  message: z.string(),
});
