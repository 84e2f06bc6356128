/**
 * @file Every call of the bridge: the schema of its request and of its reply; every event.
 * Requests carry ids and settings only. The exceptions, which are secrets: tokens in `instance.setToken` and `token.setSpare`, the
 * key in `storage.save`, and addresses in `export.start`, `import.url` and the `import_url` of `project.change`.
 */
import { addressSchema, idSchema, referenceSchema, textSchema } from './ids-schema.ts';
import { archiveCalls, archiveReference } from './calls/archive-calls.ts';
import type { CallName, EventName } from './call-names.ts';
import { errorDataSchema } from './errors-schema.ts';
import { passportCalls } from './calls/passport-calls.ts';
import { chosenPaths, confirmedActions } from './host.ts';
import {
  capabilitiesSchema,
  deletionOutlookSchema,
  destroyedSchema,
  hostRequestSchema,
} from './host-schema.ts';
import {
  explainedFailureSchema,
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
import { pathTo } from './path-schema.ts';
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
import { transferCalls } from './calls/transfer-calls.ts';

const none = z.object({});
const limit = z.number().int().min(1).max(500);

export const calls = {
  'host.describe': {
    request: none,
    reply: z.object({ appVersion: z.string(), dataFolder: z.string(), archiveRoot: z.string() }),
  },

  'host.capabilities': { request: none, reply: capabilitiesSchema },
  /** `path` is null when the person chose nothing. Fails with `host-cannot` where there are no such dialogs. */
  'host.choosePath': {
    request: z.object({ what: z.enum(chosenPaths) }),
    reply: z.object({ path: z.string().nullable() }),
  },
  /** Shows a stored archive in the file manager; nothing but stored archives. */
  'host.reveal': { request: z.object({ archive: archiveReference }), reply: none },
  /** Opens a page of a registered instance, or of the documentation; any other address fails with `link-refused`. */
  'host.openLink': { request: z.object({ url: addressSchema }), reply: none },
  /** Returns a summary of the effects, and a word that allows the action once, for this target, within a minute. */
  'host.confirm': {
    request: z.object({
      action: z.enum(confirmedActions),
      instance: referenceSchema,
      project: referenceSchema.nullable(),
      /** For `migration.again` (`project`: the migration): the one project to try again; null: all that failed. */
      part: referenceSchema.nullable().default(null),
    }),
    reply: z.object({
      confirmation: z.string(),
      destroys: z.array(destroyedSchema),
      /** Only for `project.delete`; null otherwise. */
      deletion: deletionOutlookSchema.nullable(),
    }),
  },

  'settings.show': { request: none, reply: settingsViewSchema },
  /**
   * Changes the given settings; absent ones stay as they are. A new archive root must be a folder that can be
   * written; it holds from now on. A root that is forgotten keeps its files, and its archives are no longer
   * listed. The root of new archives cannot be forgotten, nor that of a plan.
   */
  'settings.change': {
    request: z.object({
      preferences: preferencesSchema.partial().optional(),
      archiveRoot: pathTo('archive-root').optional(),
      forgetRoot: pathTo('archive-root').optional(),
    }),
    reply: settingsViewSchema,
  },

  /** From the catalogue and the disk; asks no instance. */
  /** `patient`: waits a moment until it is known whether there are tokens; else the reply leaves that out. */
  'overview.show': { request: z.object({ patient: z.boolean().optional() }), reply: overviewSchema },
  /** Hides these items, by their `dismissal`. All or none; throws `attention-missing`. */
  'overview.dismiss': {
    request: z.object({ items: z.array(referenceSchema).min(1).max(500) }),
    reply: z.object({ items: z.array(z.string()) }),
  },
  /** Shows dismissed items again, unless they were settled meanwhile. Stops at the first unknown one with `attention-missing`. */
  'overview.restore': {
    request: z.object({ items: z.array(referenceSchema).min(1).max(500) }),
    reply: z.object({ items: z.array(z.string()) }),
  },

  /** Starts and registers two sandbox servers, one filled, one empty. A repeated call returns the same ones. */
  'sandbox.open': { request: none, reply: z.object({ instances: z.array(instanceSchema) }) },

  ...instanceCalls,

  /** Stored projects of one or all instances with the archives held of them; any page of the whole, offline too. */
  'project.page': {
    request: z.object({
      instance: referenceSchema.nullable().default(null),
      /** Part of path or name, without regard to case. */
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
      /** Age of each list; null: never refreshed. */
      lists: z.array(z.object({ instance: referenceSchema, refreshedAt: z.string().nullable() })),
    }),
  },
  /** Returns the archives held of named projects of an instance, listed or not, in the order of the names. */
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

  /** `projects`: full paths or ids, or `all` projects the user is a member of with a role that allows exports. */
  'backup.start': {
    request: z.object({
      instance: referenceSchema,
      projects: z.union([z.array(referenceSchema).min(1), z.literal('all')]),
      /** The meaning of `all`; without it, the projects that the account is a member of. */
      scope: z.enum(scopes).optional(),
      keepExisting: z.boolean(),
      /** The same as in `plan.run`. */
      waits: z.boolean().optional(),
    }),
    reply: z.object({
      runId: idSchema,
      jobIds: z.array(z.string()),
      /** An equal request had been interrupted; its jobs continue, those that had ended are not repeated. */
      resumed: z.boolean(),
      skipped: z.array(z.object({ project: referenceSchema, why: z.string() })),
      refused: z.array(z.object({ project: referenceSchema, error: errorDataSchema })),
      /** For "all": the scope in words, and findings about it, such as projects that left it. */
      covers: z.string().nullable(),
      notes: runSchema.shape.notes,
    }),
  },

  /** Newest first. */
  'run.list': {
    request: z.object({ before: textSchema.nullable().default(null), limit }),
    reply: z.object({ runs: z.array(runSchema), next: z.string().nullable() }),
  },
  /** Null where no duration was known when it began, and for a run that no plan made. */
  'run.forecast': {
    request: z.object({ runId: idSchema }),
    reply: z.object({ forecast: runForecastSchema.nullable() }),
  },
  /**
   * Cancels every job of a run that has not ended: one that is queued or waits at once, one that runs as soon as it stops.
   * `run` is an id or a unique beginning of one. Throws `job-missing`, and `job-ended` where all jobs of the run have ended.
   */
  'run.cancel': {
    request: z.object({ run: idSchema, by: idSchema }),
    reply: z.object({
      runId: idSchema,
      /** How many jobs have ended as cancelled. */
      cancelled: z.number().int(),
      /** How many jobs still run and were asked to stop. */
      stopping: z.number().int(),
      /** Jobs that must not be stopped now, with the reason. They continue. */
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
      /** From `host.confirm`, for exactly that target; needed with `overwrite`, else null. */
      confirmation: textSchema.nullable().default(null),
    }),
    reply: z.object({ runId: idSchema, jobId: idSchema, target: referenceSchema }),
  },
  /**
   * Confirms that the request of an import that was to replace a project did not arrive, though its response
   * was lost: the next import to that place is sent then. `job`: one that has ended (else `invalid-input`);
   * by id or a unique beginning of one.
   */
  'import.markUndelivered': {
    request: z.object({ job: idSchema, by: idSchema }),
    reply: z.object({ target: referenceSchema }),
  },
  /**
   * Any import, also one started elsewhere; with an archive, the record behind each failure. Without an instance,
   * `project` is the address of the project's page, and the instance is found by it (else `instance-unknown`).
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
      failures: z.array(explainedFailureSchema),
      /** For a finished import, when an archive was given. */
      reconciliation: reconciliationSchema.nullable(),
    }),
  },

  ...tokenCalls,

  'job.list': {
    request: z.object({
      runId: idSchema.nullable().default(null),
      /** `open`: has not ended; `ended`: has. */
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
  /** The steps of its kind in order, with the result of each so far. */
  'job.steps': { request: z.object({ job: idSchema }), reply: z.object({ steps: z.array(jobStepSchema) }) },
  'job.log': {
    request: z.object({ job: idSchema, afterId: z.number().int(), limit }),
    reply: z.object({ events: z.array(jobEventSchema) }),
  },
  'job.cancel': { request: z.object({ job: idSchema, by: idSchema }), reply: jobSchema },
  /** Starts the same work again as a new job, for a job that has ended without success. Else `invalid-input`. */
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

/** The request as a caller sends it; left-out fields have a default. */
export type CallRequest<Name extends CallName> = z.input<(typeof calls)[Name]['request']>;
/** The request as a handler receives it. */
export type ParsedRequest<Name extends CallName> = z.output<(typeof calls)[Name]['request']>;
/** The reply as a handler returns it; the schema reads it before it leaves. */
export type HandlerReply<Name extends CallName> = z.input<(typeof calls)[Name]['reply']>;
export type CallReply<Name extends CallName> = z.infer<(typeof calls)[Name]['reply']>;

const revision = z.number().int();

/**
 * Events carry ids and a revision only, so that a lost event costs no more than a refresh. The revision of a
 * job is the job's own, any other counts the changes of that kind since the program started.
 */
export const events = {
  'job.changed': z.object({ jobId: idSchema, runId: idSchema, revision }),
  /** `archiveId` null: many at once, as after a rescan. */
  'archive.changed': z.object({ archiveId: z.string().nullable(), revision }),
  /** A background proof found that the file is not the stored one any more. */
  'archive.damaged': z.object({ archiveId: z.string(), revision }),
  'project.changed': z.object({ instance: referenceSchema, revision }),
  'instance.changed': z.object({ name: referenceSchema, revision }),
  'plan.changed': z.object({ planId: idSchema, revision }),
  'migration.changed': z.object({ migrationId: z.string(), revision }),
  'settings.changed': z.object({ revision }),
  /** Items were dismissed or restored. */
  'overview.changed': z.object({ revision }),
  /** Only to the page that made the call. */
  'call.progress': z.object({ id: idSchema, progress: progressSchema }),
  'host.command': hostRequestSchema,
} as const satisfies Record<EventName, z.ZodType>;

export type EventPayload<Name extends EventName> = z.infer<(typeof events)[Name]>;

/** The reply to every call: never an exception, always one of these. */
export type Result<Value> =
  { ok: true; value: Value } | { ok: false; error: z.infer<typeof errorDataSchema> };
