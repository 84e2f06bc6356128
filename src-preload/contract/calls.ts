/**
 * @file Every call of the bridge: the schema of its request and of its reply; every event.
 * Requests carry ids and settings only; the single exception is `instance.setToken`.
 */
import {
  archiveRecordSchema,
  archiveSummarySchema,
  findingSchema,
  inspectionSchema,
  manifestSchema,
  proofSchema,
  stateFileSchema,
} from './archive.ts';
import type { CallName, EventName } from './call-names.ts';
import { errorDataSchema } from './errors.ts';
import { explainedFailureSchema, importStatusSchema, reconciliationSchema } from './import.ts';
import { instanceCheckSchema, instanceNameSchema, instanceSchema, pacePresets } from './instance.ts';
import { jobEventSchema, jobSchema, jobStatuses } from './job.ts';
import { projectSchema } from './project.ts';
import { z } from './schema.ts';

const none = z.object({});
const limit = z.number().int().min(1).max(500);

/** A file path, a path in the store, or at least 8 digits of a SHA-256. */
const archiveReference = z.string().min(1);

export const calls = {
  'host.describe': {
    request: none,
    reply: z.object({ appVersion: z.string(), dataFolder: z.string(), archiveRoot: z.string() }),
  },

  /** The only call that carries a token. `session`: kept in memory. `keychain`: checked first, stored, read back. */
  'instance.setToken': {
    request: z.object({ name: instanceNameSchema, token: z.string(), keep: z.enum(['session', 'keychain']) }),
    reply: none,
  },
  /** Uses the token that is at hand for `name`; nothing is stored unless the instance accepted it. */
  'instance.add': {
    request: z.object({
      name: instanceNameSchema,
      url: z.string(),
      caFile: z.string().nullable(),
      pace: z.enum(pacePresets),
      keep: z.enum(['session', 'keychain']),
    }),
    reply: z.object({ instance: instanceSchema, check: instanceCheckSchema }),
  },
  'instance.list': { request: none, reply: z.object({ instances: z.array(instanceSchema) }) },
  'instance.check': { request: z.object({ name: z.string() }), reply: instanceCheckSchema },
  'instance.remove': { request: z.object({ name: z.string() }), reply: none },

  /** `refresh` asks the instance and stores the list; otherwise the catalogue answers, offline too. */
  'project.list': {
    request: z.object({
      instance: z.string(),
      refresh: z.boolean(),
      visible: z.boolean(),
      search: z.string().nullable(),
      after: z.string().nullable(),
      limit,
    }),
    reply: z.object({
      projects: z.array(projectSchema),
      next: z.string().nullable(),
      total: z.number().int(),
      refreshedAt: z.string().nullable(),
    }),
  },
  'project.show': { request: z.object({ instance: z.string(), project: z.string() }), reply: projectSchema },

  /** `projects`: full paths or ids, or `all` projects the user is a member of with a role that allows exports. */
  'backup.start': {
    request: z.object({
      instance: z.string(),
      projects: z.union([z.array(z.string()).min(1), z.literal('all')]),
      keepExisting: z.boolean(),
    }),
    reply: z.object({
      runId: z.string(),
      jobIds: z.array(z.string()),
      /** An equal request had been interrupted; its jobs go on, those that had ended are not repeated. */
      resumed: z.boolean(),
      skipped: z.array(z.object({ project: z.string(), why: z.string() })),
      refused: z.array(z.object({ project: z.string(), error: errorDataSchema })),
    }),
  },

  'archive.list': {
    request: z.object({
      instance: z.string().nullable(),
      project: z.string().nullable(),
      before: z.string().nullable(),
      limit,
    }),
    reply: z.object({ archives: z.array(archiveSummarySchema), next: z.string().nullable() }),
  },
  'archive.show': {
    request: z.object({ archive: archiveReference }),
    reply: z.object({ summary: archiveSummarySchema, manifest: manifestSchema, state: stateFileSchema }),
  },
  'archive.inspect': { request: z.object({ archive: archiveReference }), reply: inspectionSchema },
  'archive.verify': {
    request: z.object({ archive: archiveReference, level: z.enum(['L1', 'L2']) }),
    reply: z.object({
      summary: archiveSummarySchema,
      proof: proofSchema.nullable(),
      damaged: z.object({ at: z.string(), reason: z.string() }).nullable(),
      findings: z.array(findingSchema),
    }),
  },
  'archive.record': {
    request: z.object({
      archive: archiveReference,
      relation: z.string(),
      line: z.number().int().nonnegative(),
    }),
    reply: archiveRecordSchema,
  },
  /** Rebuilds the index from the manifests in the store. */
  'archive.rescan': {
    request: none,
    reply: z.object({
      found: z.number().int(),
      added: z.number().int(),
      /** Known archives whose file is gone, and archives or state files that stand there and cannot be read. */
      missing: z.number().int(),
      unreadable: z.array(z.object({ path: z.string(), error: errorDataSchema })),
    }),
  },

  'import.start': {
    request: z.object({
      instance: z.string(),
      archive: archiveReference,
      namespace: z.string().nullable(),
      path: z.string().nullable(),
      name: z.string().nullable(),
      overwrite: z.boolean(),
      allowSuspicious: z.boolean(),
      overrideParams: z.record(z.string(), z.string()),
    }),
    reply: z.object({ runId: z.string(), jobId: z.string(), target: z.string() }),
  },
  /** Any import, also one started elsewhere; with an archive, the record behind each failure. */
  'import.status': {
    request: z.object({ instance: z.string(), project: z.string(), archive: archiveReference.nullable() }),
    reply: z.object({
      status: importStatusSchema,
      failures: z.array(explainedFailureSchema),
      /** Of a finished import, when an archive was given. */
      reconciliation: reconciliationSchema.nullable(),
    }),
  },

  'job.list': {
    request: z.object({
      runId: z.string().nullable(),
      status: z.enum(jobStatuses).nullable(),
      before: z.string().nullable(),
      limit,
    }),
    reply: z.object({ jobs: z.array(jobSchema), next: z.string().nullable() }),
  },
  'job.show': { request: z.object({ job: z.string() }), reply: jobSchema },
  'job.log': {
    request: z.object({ job: z.string(), afterId: z.number().int(), limit }),
    reply: z.object({ events: z.array(jobEventSchema) }),
  },
  'job.cancel': { request: z.object({ job: z.string(), by: z.string() }), reply: jobSchema },

  'doctor.run': {
    request: none,
    reply: z.object({
      checks: z.array(
        z.object({
          name: z.string(),
          ok: z.boolean(),
          value: z.string(),
          todo: z.string().nullable(),
        }),
      ),
    }),
  },
} as const satisfies Record<CallName, { request: z.ZodType; reply: z.ZodType }>;

export type CallRequest<Name extends CallName> = z.infer<(typeof calls)[Name]['request']>;
export type CallReply<Name extends CallName> = z.infer<(typeof calls)[Name]['reply']>;

/** Events carry ids and a revision only; whoever loses one loses a refresh. */
export const events = {
  'job.changed': z.object({ jobId: z.string(), runId: z.string(), revision: z.number().int() }),
} as const satisfies Record<EventName, z.ZodType>;

export type EventPayload<Name extends EventName> = z.infer<(typeof events)[Name]>;

/** What every call answers: never an exception, always one of these. */
export type Result<Value> =
  { ok: true; value: Value } | { ok: false; error: z.infer<typeof errorDataSchema> };
