/**
 * @file The schemas of all calls of the bridge (request and reply), and of all events. Requests carry ids and settings.
 * These requests also carry secrets: tokens in `instance.setToken` and `token.setSpare`, the key in `storage.save`, and
 * addresses in `plan.save`, `export.start`, `import.url` and the `import_url` of `project.change`.
 */
import { urlSchema, idSchema, referenceSchema, textSchema } from './ids-schema.ts';
import { archiveCalls, archiveReference } from './calls/archive-calls.ts';
import type { CallName, EventName } from './call-names.ts';
import { errorDataSchema } from './errors-schema.ts';
import { passportCalls } from './calls/passport-calls.ts';
import { pathKinds, confirmedActions } from './host.ts';
import {
  capabilitiesSchema,
  deletionForecastSchema,
  destroyedDataSchema,
  hostRequestSchema,
} from './host-schema.ts';
import {
  failureWithRecordSchema,
  importStatusSchema,
  reconciliationSchema,
} from './transfers/import-schema.ts';
import { instanceSchema } from './instances/instance-schema.ts';
import { instanceCalls } from './calls/instance-calls.ts';
import { jobStatuses } from './runs/job.ts';
import { jobEventSchema, jobSchema, jobStepSchema, progressSchema } from './runs/job-schema.ts';
import { failureCalls } from './calls/failure-calls.ts';
import { migrationCalls } from './calls/migration-calls.ts';
import { preflightCalls } from './calls/preflight-calls.ts';
import { overviewSchema } from './runs/overview-schema.ts';
import { pathSchema } from './path-schema.ts';
import { planCalls } from './calls/plan-calls.ts';
import { projectCalls } from './calls/project-calls.ts';
import { projectReadCalls } from './calls/project-read-calls.ts';
import { projectSorts, backupStatusFilters } from './projects/project.ts';
import {
  projectBackupSummarySchema,
  backupStatusInputSchema,
  projectRowSchema,
  projectSchema,
} from './projects/project-schema.ts';
import { scopes } from './projects/scope.ts';
import { runForecastSchema, runSchema } from './runs/run-schema.ts';
import { z } from './schema.ts';
import { preferencesSchema, settingsViewSchema } from './settings-schema.ts';
import { tokenCalls } from './calls/token-calls.ts';
import { chosenDepths } from './transfers/import.ts';
import { startedImportSchema, transferCalls } from './calls/transfer-calls.ts';

const none = z.object({});
const limit = z.number().int().min(1).max(500);

export const calls = {
  'host.describe': {
    request: none,
    reply: z.object({ appVersion: z.string(), dataFolder: z.string(), archiveRoot: z.string() }),
  },

  'host.capabilities': { request: none, reply: capabilitiesSchema },
  /**
   * Opens a dialog of the system. `path` is null if the user chose nothing. Fails with `host-cannot` if the host has no
   * such dialog.
   */
  'host.choosePath': {
    request: z.object({ what: z.enum(pathKinds) }),
    reply: z.object({ path: z.string().nullable() }),
  },
  /** Shows a stored archive in the file manager. Refuses any other file. */
  'host.reveal': { request: z.object({ archive: archiveReference }), reply: none },
  /** Opens a page of a registered instance, or of the documentation; any other address fails with `link-refused`. */
  'host.openLink': { request: z.object({ url: urlSchema }), reply: none },
  /**
   * Returns a summary of the effects, and a confirmation that allows the action once, for this target, within a minute.
   */
  'host.confirm': {
    request: z.object({
      action: z.enum(confirmedActions),
      instance: referenceSchema,
      project: referenceSchema.nullable(),
      /**
       * Only for `migration.again`, where `project` names the migration: the project to retry, or null for all failed.
       */
      part: referenceSchema.nullable().default(null),
    }),
    reply: z.object({
      confirmation: z.string(),
      destroys: z.array(destroyedDataSchema),
      /** Only for `project.delete`; null otherwise. */
      deletion: deletionForecastSchema.nullable(),
    }),
  },

  'settings.show': { request: none, reply: settingsViewSchema },
  /**
   * Changes the given settings; absent ones stay as they are. A new archive root must be a writable folder, and new
   * archives go there. A forgotten root keeps its files, but its archives are no longer listed. The root of new
   * archives and the root of a plan cannot be forgotten.
   */
  'settings.change': {
    request: z.object({
      preferences: preferencesSchema.partial().optional(),
      archiveRoot: pathSchema('archive-root').optional(),
      forgetRoot: pathSchema('archive-root').optional(),
    }),
    reply: settingsViewSchema,
  },

  /**
   * Reads the catalogue and the disk; sends no request to an instance. `patient`: waits a moment until the keychain
   * shows which tokens exist. Without it, the reply may lack findings about missing tokens.
   */
  'overview.show': { request: z.object({ patient: z.boolean().optional() }), reply: overviewSchema },
  /** Hides these items, identified by their `dismissal`: all or none. Throws `attention-missing`. */
  'overview.dismiss': {
    request: z.object({ items: z.array(referenceSchema).min(1).max(500) }),
    reply: z.object({ items: z.array(z.string()) }),
  },
  /**
   * Shows dismissed items again, unless they were resolved meanwhile. Throws `attention-missing` at the first unknown
   * item.
   */
  'overview.restore': {
    request: z.object({ items: z.array(referenceSchema).min(1).max(500) }),
    reply: z.object({ items: z.array(z.string()) }),
  },

  /** Starts and registers two sandbox servers, one filled, one empty. A repeated call returns the same ones. */
  'sandbox.open': { request: none, reply: z.object({ instances: z.array(instanceSchema) }) },

  ...instanceCalls,

  /**
   * Returns a page of the stored project lists of one or all instances, with the archives of each project. Works
   * offline.
   */
  'project.page': {
    request: z.object({
      instance: referenceSchema.nullable().default(null),
      /** Part of the path or name, case-insensitive. */
      search: textSchema.nullable().default(null),
      backupStatus: z.enum(backupStatusFilters).nullable().default(null),
      archived: z.boolean().nullable().default(null),
      sort: z.enum(projectSorts),
      descending: z.boolean(),
      offset: z.number().int().nonnegative(),
      limit,
    }),
    reply: z.object({
      projects: z.array(projectRowSchema),
      /** Total of matching projects. */
      total: z.number().int(),
      /** When each list was last refreshed; null if never. */
      lists: z.array(z.object({ instance: referenceSchema, refreshedAt: z.string().nullable() })),
    }),
  },
  /**
   * Returns the backup status and archives of the given projects, in their order. The project list need not contain
   * them.
   */
  'project.held': {
    request: z.object({ instance: referenceSchema, projects: z.array(backupStatusInputSchema).max(500) }),
    reply: z.object({ projects: z.array(projectBackupSummarySchema) }),
  },
  'project.show': {
    request: z.object({ instance: referenceSchema, project: referenceSchema }),
    reply: projectSchema,
  },

  ...projectReadCalls,

  ...projectCalls,

  /** Backs up projects. `projects`: full paths or ids, or `all` projects of the scope that the account may export. */
  'backup.start': {
    request: z.object({
      instance: referenceSchema,
      projects: z.union([z.array(referenceSchema).min(1), z.literal('all')]),
      /** The projects that `all` includes; by default, those that the account is a member of. */
      scope: z.enum(scopes).optional(),
      keepExisting: z.boolean(),
      /** Like `waits` of `plan.run`. */
      waits: z.boolean().optional(),
    }),
    reply: z.object({
      runId: idSchema,
      jobIds: z.array(z.string()),
      /** True if an equal request was interrupted: its open jobs continue, and its ended jobs are not repeated. */
      resumed: z.boolean(),
      skipped: z.array(z.object({ project: referenceSchema, why: z.string() })),
      refused: z.array(z.object({ project: referenceSchema, error: errorDataSchema })),
      /** The scope of `all` in words. `notes` are findings about the scope, such as projects that left it. */
      covers: z.string().nullable(),
      notes: runSchema.shape.notes,
    }),
  },

  /** Newest first. */
  'run.list': {
    request: z.object({ before: textSchema.nullable().default(null), limit }),
    reply: z.object({ runs: z.array(runSchema), next: z.string().nullable() }),
  },
  /** Returns the forecast of a run; null if no duration was known when the run began, and for a run without a plan. */
  'run.forecast': {
    request: z.object({ runId: idSchema }),
    reply: z.object({ forecast: runForecastSchema.nullable() }),
  },
  /**
   * Cancels every open job of a run. A queued or waiting job is cancelled at once, a running job as soon as it stops.
   * `run` is an id or a unique prefix of an id. Throws `job-missing`, and `job-ended` if all jobs of the run have
   * ended.
   */
  'run.cancel': {
    request: z.object({ run: idSchema, by: idSchema }),
    reply: z.object({
      runId: idSchema,
      /** Number of jobs that are cancelled now. */
      cancelled: z.number().int(),
      /** Number of running jobs that are being cancelled. */
      stopping: z.number().int(),
      /** Jobs that must not be cancelled now, with the reason. They continue. */
      refused: z.array(z.object({ project: referenceSchema, error: errorDataSchema })),
    }),
  },

  ...planCalls,
  ...archiveCalls,
  ...transferCalls,
  ...migrationCalls,
  ...passportCalls,
  ...failureCalls,
  ...preflightCalls,

  'import.start': {
    request: z.object({
      instance: referenceSchema,
      archive: archiveReference,
      namespace: referenceSchema.nullable(),
      path: referenceSchema.nullable(),
      name: referenceSchema.nullable(),
      overwrite: z.boolean(),
      allowSuspicious: z.boolean(),
      overrideParams: z.record(z.string(), z.string()),
      compare: z.enum(chosenDepths).default('contents'),
      /** From `host.confirm`, for exactly this target. Required with `overwrite`, else null. */
      confirmation: textSchema.nullable().default(null),
    }),
    reply: startedImportSchema,
  },
  /**
   * Stores the fact that GitLab never received the lost request of an import that replaces a project. The next import
   * to the same path is then sent. `job` is the id of an ended job, or a unique prefix of it; throws `invalid-input`
   * for an open job.
   */
  'import.markUndelivered': {
    request: z.object({ job: idSchema, by: idSchema }),
    reply: z.object({ target: referenceSchema }),
  },
  /**
   * Returns the status of any import, even if another program started it. With an archive, each failure has its record.
   * Without an instance, `project` is the address of the project's page, which identifies the instance (else
   * `instance-unknown`).
   */
  'import.status': {
    request: z.object({
      instance: referenceSchema.nullable(),
      project: referenceSchema,
      archive: archiveReference.nullable(),
    }),
    reply: z.object({
      instance: referenceSchema,
      status: importStatusSchema,
      failures: z.array(failureWithRecordSchema),
      /** Present for a finished import if an archive was given. */
      reconciliation: reconciliationSchema.nullable(),
    }),
  },

  ...tokenCalls,

  'job.list': {
    request: z.object({
      runId: idSchema.nullable().default(null),
      /** `open`: all jobs that have not ended; `ended`: all that have. */
      status: z
        .enum([...jobStatuses, 'open', 'ended'])
        .nullable()
        .default(null),
      instance: referenceSchema.nullable().default(null),
      project: referenceSchema.nullable().default(null),
      before: textSchema.nullable().default(null),
      limit,
    }),
    reply: z.object({ jobs: z.array(jobSchema), next: z.string().nullable() }),
  },
  'job.show': { request: z.object({ job: idSchema }), reply: jobSchema },
  /** Returns the steps of the job in order, with their states. */
  'job.steps': { request: z.object({ job: idSchema }), reply: z.object({ steps: z.array(jobStepSchema) }) },
  'job.log': {
    request: z.object({ job: idSchema, afterId: z.number().int(), limit }),
    reply: z.object({ events: z.array(jobEventSchema) }),
  },
  'job.cancel': { request: z.object({ job: idSchema, by: idSchema }), reply: jobSchema },
  /** Repeats, as a new job, the work of a job that ended without success. Throws `invalid-input` for any other job. */
  'job.retry': {
    request: z.object({ job: idSchema }),
    reply: z.object({ runId: idSchema, jobId: idSchema }),
  },

  'doctor.run': {
    request: none,
    reply: z.object({
      checks: z.array(
        z.object({
          name: referenceSchema,
          ok: z.boolean(),
          value: z.string(),
          todo: z.string().nullable(),
        }),
      ),
    }),
  },
} as const satisfies Record<CallName, { request: z.ZodType; reply: z.ZodType }>;

/** The request as a caller sends it. Fields with a default may be left out. */
export type CallRequest<Name extends CallName> = z.input<(typeof calls)[Name]['request']>;
/** The request as a handler receives it. */
export type ParsedRequest<Name extends CallName> = z.output<(typeof calls)[Name]['request']>;
/** The reply as a handler returns it. The schema parses it before it is sent. */
export type HandlerReply<Name extends CallName> = z.input<(typeof calls)[Name]['reply']>;
export type CallReply<Name extends CallName> = z.infer<(typeof calls)[Name]['reply']>;

const revision = z.number().int();

/**
 * Events about changes carry only ids and a revision, so that a refresh replaces a lost event. The revision of
 * `job.changed` is that of the job. Other revisions count the events of that kind since the program started.
 */
export const events = {
  'job.changed': z.object({ jobId: idSchema, runId: idSchema, revision }),
  /** `archiveId` is null if many archives changed at once, for example after a rescan. */
  'archive.changed': z.object({ archiveId: z.string().nullable(), revision }),
  /** A background verification found that the file changed since it was stored. */
  'archive.damaged': z.object({ archiveId: z.string(), revision }),
  /** The bytes are unchanged, but a new reading found the archive worse than the earlier one. */
  'archive.downgraded': z.object({ archiveId: z.string(), revision }),
  'project.changed': z.object({ instance: referenceSchema, revision }),
  'instance.changed': z.object({ name: referenceSchema, revision }),
  'plan.changed': z.object({ planId: idSchema, revision }),
  'migration.changed': z.object({ migrationId: z.string(), revision }),
  'settings.changed': z.object({ revision }),
  /** Items were dismissed or restored. */
  'overview.changed': z.object({ revision }),
  /** Sent only to the page that made the call. */
  'call.progress': z.object({ id: idSchema, progress: progressSchema }),
  'host.command': hostRequestSchema,
} as const satisfies Record<EventName, z.ZodType>;

export type EventPayload<Name extends EventName> = z.infer<(typeof events)[Name]>;

/** The reply to every call. Errors are values, never exceptions. */
export type Result<Value> =
  { ok: true; value: Value } | { ok: false; error: z.infer<typeof errorDataSchema> };
