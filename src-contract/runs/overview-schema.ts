/** @file The noun *overview*: backup coverage, running work and items that need attention, in one reply. */
import { errorDataSchema } from '../errors-schema.ts';
import { tokenRefusals } from '../instances/instance.ts';
import { jobKinds } from './job.ts';
import { planStatusSchema } from '../plans/plan-schema.ts';
import { outOfScopeReasons } from '../projects/scope.ts';
import { backupStatuses } from '../projects/project.ts';
import { z } from '../schema.ts';

/** The id of an item that can be dismissed. Absent if data is unprotected. A repeated event gets a new id. */
const dismissal = z.string().optional();

const projectFields = { instance: z.string(), project: z.string() };
/** `unusable` is present if the bytes are those that were stored, but a later reading found that they are no archive. */
const damage = {
  archiveId: z.string(),
  ...projectFields,
  reason: z.string(),
  unusable: z.literal(true).optional(),
};
const job = { jobKind: z.enum(jobKinds), jobId: z.string(), ...projectFields, dismissal };
/** `plan` is the name of the plan. */
const planFields = { planId: z.string(), plan: z.string(), instance: z.string() };
const projectCountFields = { instance: z.string(), projects: z.number().int() };

/** Items that need attention, worst first. They contain ids and names only; `words/attention.ts` has the words. */
export const attentionSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('archives-absent'),
    path: z.string(),
    /** True if another folder has this path, such as an empty mount point or a new folder. */
    replaced: z.boolean(),
    archives: z.number().int(),
    projects: z.number().int(),
  }),
  z.object({ kind: z.literal('archive-damaged'), ...damage }),
  /** A damaged archive of a project with a newer readable archive. */
  z.object({ kind: z.literal('older-archive-damaged'), ...damage }),
  z.object({ kind: z.literal('job-failed'), ...job, error: errorDataSchema }),
  /** Several jobs that failed in the same way on one instance: the newest ones, the newest error, and the total. */
  z.object({
    kind: z.literal('jobs-failed'),
    jobKind: z.enum(jobKinds),
    instance: z.string(),
    error: errorDataSchema,
    total: z.number().int(),
    jobs: z.array(z.object({ jobId: z.string(), project: z.string() })),
    dismissal,
  }),
  z.object({
    kind: z.literal('job-warnings'),
    ...job,
    warnings: z.number().int(),
    /** The texts of the first warnings. */
    messages: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('plan-overdue'),
    ...planFields,
    since: z.string(),
    error: errorDataSchema.nullable(),
  }),
  /** The newest run of a plan could not begin. */
  z.object({ kind: z.literal('plan-failed'), ...planFields, runId: z.string(), error: errorDataSchema }),
  /** The newest run of a plan backed nothing up, because the plan covers no project. */
  z.object({ kind: z.literal('plan-empty'), ...planFields, runId: z.string() }),
  /** A project left the scope of a plan, or of "back up all", so it is no longer backed up. */
  z.object({
    kind: z.literal('left-scope'),
    ...projectFields,
    projectId: z.number().int(),
    reason: z.enum(outOfScopeReasons),
    /** The day on which it was marked for deletion, or the new path. */
    detail: z.string().nullable(),
    /** Number of stored archives of the project. */
    archives: z.number().int(),
    /** Name of the plan; null for "back up all". */
    plan: z.string().nullable(),
    leftAt: z.string(),
    dismissal,
  }),
  z.object({ kind: z.literal('token-missing'), instance: z.string() }),
  /** The instance refuses the token, or the token has expired. */
  z.object({ kind: z.literal('token-refused'), instance: z.string(), code: z.enum(tokenRefusals) }),
  /** The token can only read. Shown instead of `never-backed-up`. */
  z.object({ kind: z.literal('token-read-only'), instance: z.string() }),
  z.object({ kind: z.literal('token-expires'), instance: z.string(), expiresOn: z.string() }),
  z.object({ kind: z.literal('never-backed-up'), ...projectCountFields }),
  /** Projects whose newest archives lack records of the source. */
  z.object({ kind: z.literal('projects-incomplete'), ...projectCountFields }),
  /** Projects whose newest archives contain something that no export should. */
  z.object({ kind: z.literal('projects-suspicious'), ...projectCountFields }),
  z.object({ kind: z.literal('list-old'), instance: z.string(), refreshedAt: z.string().nullable() }),
  z.object({ kind: z.literal('disk-low'), path: z.string(), freeBytes: z.number() }),
  z.object({ kind: z.literal('jobs-stuck'), error: errorDataSchema }),
  z.object({ kind: z.literal('notice'), text: z.string() }),
]);
export type Attention = z.output<typeof attentionSchema>;

export const instanceOverviewSchema = z.object({
  name: z.string(),
  url: z.string(),
  username: z.string().nullable(),
  /** False if the token can neither back up nor import; null if unknown. */
  tokenCanWrite: z.boolean().nullable(),
  /**
   * `anonymous`: used without an account. `readOnly`: set to read-only. In both cases nothing can be backed up or
   * imported.
   */
  anonymous: z.boolean(),
  readOnly: z.boolean(),
  /** When the project list was last refreshed; null if never. */
  refreshedAt: z.string().nullable(),
  projects: z.number().int(),
  /** Projects by backup status; every status is present. */
  statusCounts: z.record(z.enum(backupStatuses), z.number().int()),
  /** Number of projects with the status `failed` and an earlier readable archive. */
  failedHeld: z.number().int(),
  /** Number of projects with the status `never` that were imported within the last day from a stored archive. */
  newCopies: z.number().int(),
  /** The oldest time of a last backup, among projects that changed since then or whose newest backup failed. */
  oldestArchive: z.string().nullable(),
  plan: planStatusSchema.nullable(),
});
export type InstanceOverview = z.output<typeof instanceOverviewSchema>;

export const overviewSchema = z.object({
  instances: z.array(instanceOverviewSchema),
  /** Archives in folders that are present; `absent` counts the others. */
  archives: z.object({
    count: z.number().int(),
    bytes: z.number(),
    absent: z.number().int(),
    freeBytes: z.number().nullable(),
  }),
  /** Jobs that have not ended, by status. */
  openJobs: z.record(z.string(), z.number().int()),
  /** False if another process runs the jobs and this one only shows them. */
  runsJobs: z.boolean(),
  attention: z.array(attentionSchema),
  /** Number of further items that are not listed. */
  moreAttention: z.number().int(),
});
export type Overview = z.output<typeof overviewSchema>;
