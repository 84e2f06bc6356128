/** @file The noun *job*: one piece of persisted work on exactly one instance, its state, and its events. */
import { findingSchema } from './archive.ts';
import { errorDataSchema } from './errors.ts';
import { notTakenSchema } from './projects/not-taken.ts';
import { explainedFailureSchema, reconciliationSchema } from './import.ts';
import { z } from './schema.ts';
import { importableRelations } from './projects/transfer.ts';

export const jobKinds = ['export', 'import', 'change', 'relation-import', 'token'] as const;
export type JobKind = (typeof jobKinds)[number];

export const waitReasons = [
  'server-working',
  'rate-limited',
  'pace',
  'network',
  'server-unavailable',
  'answer-lost',
  'interrupted',
  'token-missing',
  'keychain',
] as const;
export type WaitReason = (typeof waitReasons)[number];

/** Times are epoch milliseconds. A field that makes sense in one state exists only there. */
export const jobStateSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('queued') }),
  z.object({ status: z.literal('running'), since: z.number() }),
  z.object({
    status: z.literal('waiting'),
    until: z.number(),
    reason: z.enum(waitReasons),
    text: z.string(),
    /** Since when the instance does not answer, where that is what is waited for. */
    since: z.number().optional(),
  }),
  z.object({ status: z.literal('cancelling'), by: z.string() }),
  z.object({ status: z.literal('succeeded'), warnings: z.array(findingSchema) }),
  z.object({ status: z.literal('failed'), error: errorDataSchema }),
  z.object({ status: z.literal('cancelled'), by: z.string() }),
  z.object({ status: z.literal('skipped'), why: z.string() }),
]);
export type JobState = z.infer<typeof jobStateSchema>;
export type JobStatus = JobState['status'];

export const jobStatuses = [
  'queued',
  'running',
  'waiting',
  'cancelling',
  'succeeded',
  'failed',
  'cancelled',
  'skipped',
] as const satisfies JobStatus[];

export const endedStatuses = ['succeeded', 'failed', 'cancelled', 'skipped'] as const satisfies JobStatus[];

export function hasEnded(state: JobState): boolean {
  return (endedStatuses as readonly string[]).includes(state.status);
}

/** `unit` of `done` and `total`; `total` is null while it is unknown. */
export const progressSchema = z.object({
  step: z.string(),
  unit: z.enum(['bytes', 'records', 'requests']),
  done: z.number(),
  total: z.number().nullable(),
  /** Why nothing moves now, in a sentence: the instance does not answer. */
  waiting: z.string().optional(),
});
export type Progress = z.infer<typeof progressSchema>;

export const exportInputSchema = z.object({
  projectId: z.number().int(),
  fullPath: z.string(),
  /** Download and store a finished export that somebody else's request left there, before asking for a fresh one. */
  keepExisting: z.boolean(),
  /**
   * The plan whose retention, as it is when the new archive has been stored, says which older ones of the project go; null
   * keeps all. It does not say which work is done: a job is joined also by a request with another plan or none.
   */
  planId: z.string().nullable().default(null),
  /** A person asked for it too, since the plan made the job: it makes an archive even where nothing has changed. */
  asked: z.boolean().optional(),
});
export type ExportInput = z.infer<typeof exportInputSchema>;

/**
 * Where GitLab has the archive from. `file`: it is sent. `url`: fetched by GitLab; the address is stored without its query and
 * kept whole in memory, under `secret`, which does not say which work is done. `s3`: from a storage of the settings.
 */
export const importSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file') }),
  z.object({ kind: z.literal('url'), address: z.string(), secret: z.string() }),
  z.object({ kind: z.literal('s3'), storage: z.string(), key: z.string() }),
]);
export type ImportSource = z.infer<typeof importSourceSchema>;

export const importInputSchema = z.object({
  source: importSourceSchema.default({ kind: 'file' }),
  /**
   * Absolute path, and the hash it had when the job was made; checked again while it is sent. Null where GitLab fetches the
   * archive and none is at hand; else what arrives is compared with the one that is.
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
export type ImportInput = z.infer<typeof importInputSchema>;

export const relationImportInputSchema = z.object({
  projectId: z.number().int(),
  fullPath: z.string(),
  /** As of an import. */
  archivePath: z.string(),
  sha256: z.string(),
  sizeBytes: z.number().int(),
  archiveId: z.string().nullable(),
  relation: z.enum(importableRelations),
  /** The archive holds nothing but records that the project lacks. */
  missingOnly: z.boolean().optional(),
  /** Somebody accepted that GitLab may remove the direct members of the project. */
  removeMembers: z.boolean().optional(),
});
export type RelationImportInput = z.infer<typeof relationImportInputSchema>;

export const exportResultSchema = z.object({
  archiveId: z.string(),
  archivePath: z.string(),
  sha256: z.string(),
  sizeBytes: z.number().int(),
  findings: z.array(findingSchema),
  /** How many older archives of the project went to the trash folder. */
  prunedCount: z.number().int().default(0),
});
export type ExportResult = z.infer<typeof exportResultSchema>;

export const importResultSchema = z.object({
  projectId: z.number().int(),
  fullPath: z.string(),
  webUrl: z.string(),
  correlationId: z.string().nullable(),
  failures: z.array(explainedFailureSchema),
  reconciliation: reconciliationSchema,
  /** Overrides that the instance accepted and did not take; null: the new project could not be asked. */
  notTaken: z.array(notTakenSchema).nullable().default([]),
});
export type ImportResult = z.infer<typeof importResultSchema>;

/** One job as lists show it. `revision` grows with every change of its state. */
export const jobSchema = z.object({
  id: z.string(),
  runId: z.string(),
  kind: z.enum(jobKinds),
  instance: z.string(),
  /** What the job works on: a full path, of a new project where it will be; `token` with its slot or id. Two jobs with the same instance and project never run at once. */
  project: z.string(),
  state: jobStateSchema,
  /** Name of the step that runs or comes next, and how often it was tried; null once the job has ended. */
  step: z.string().nullable(),
  attempt: z.number().int(),
  createdAt: z.number(),
  updatedAt: z.number(),
  revision: z.number().int(),
  /** This and the result by kind: `job-contents.ts`. */
  input: z.unknown(),
  /** Null until it has succeeded. */
  result: z.unknown().nullable(),
  /** How far the running step is; kept in the memory of the process that runs the job, null elsewhere. */
  progress: progressSchema.nullable().default(null),
});
export type Job = z.infer<typeof jobSchema>;

/** One step of a job. `next`: what comes next; `later`: after that. Times are epoch milliseconds. */
export const jobStepSchema = z.object({
  name: z.string(),
  state: z.enum(['done', 'running', 'next', 'later', 'stopped']),
  /** How often it was tried. */
  attempt: z.number().int(),
  startedAt: z.number().nullable(),
  finishedAt: z.number().nullable(),
});
export type JobStep = z.infer<typeof jobStepSchema>;

/** A row of the append-only history; `id` grows by one per event over all jobs. */
export const jobEventSchema = z.object({
  id: z.number().int(),
  jobId: z.string(),
  at: z.number(),
  type: z.string(),
  message: z.string(),
});
export type JobEvent = z.infer<typeof jobEventSchema>;
