/** @file The noun *overview*: whether everything is backed up, what runs and what needs attention, in one reply. */
import { errorDataSchema } from '../errors-schema.ts';
import { tokenRefusals } from '../instances/instance.ts';
import { jobKinds } from './job.ts';
import { planStatusSchema } from '../plans/plan-schema.ts';
import { departureReasons } from '../projects/scope.ts';
import { backupStatuses } from '../projects/project.ts';
import { z } from '../schema.ts';

/** Names an item that may be dismissed; absent where data is unprotected. The same thing again has another name. */
const dismissal = z.string().optional();

const onProject = { instance: z.string(), project: z.string() };
const damage = { archiveId: z.string(), ...onProject, reason: z.string() };
const job = { jobKind: z.enum(jobKinds), jobId: z.string(), ...onProject, dismissal };
/** `plan`: its name. */
const ofPlan = { planId: z.string(), plan: z.string(), instance: z.string() };
const projects = { instance: z.string(), projects: z.number().int() };

/** Items that need attention, worst first. Ids and names only; the hosts have the words. */
export const attentionSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('archives-absent'),
    path: z.string(),
    /** Another folder is in its place: an empty mount point, a new folder. */
    replaced: z.boolean(),
    archives: z.number().int(),
    projects: z.number().int(),
  }),
  z.object({ kind: z.literal('archive-damaged'), ...damage }),
  /** The same, where a newer archive of the project is readable. */
  z.object({ kind: z.literal('older-archive-damaged'), ...damage }),
  z.object({ kind: z.literal('job-failed'), ...job, error: errorDataSchema }),
  /** Several that failed in the same way on one instance: the newest of them, its error, and the total. */
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
    /** The texts of the first of them. */
    messages: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('plan-overdue'),
    ...ofPlan,
    since: z.string(),
    error: errorDataSchema.nullable(),
  }),
  /** The newest run of a plan, which could not begin. */
  z.object({ kind: z.literal('plan-failed'), ...ofPlan, runId: z.string(), error: errorDataSchema }),
  /** The newest run of a plan, which backed nothing up, as the plan covers no project. */
  z.object({ kind: z.literal('plan-empty'), ...ofPlan, runId: z.string() }),
  /** The project left the scope of a plan, or of "back up all", so that no new archive of it is made. */
  z.object({
    kind: z.literal('left-scope'),
    ...onProject,
    projectId: z.number().int(),
    reason: z.enum(departureReasons),
    /** The day of the mark for deletion, or the new path. */
    detail: z.string().nullable(),
    /** How many archives of it are kept. */
    archives: z.number().int(),
    /** Name of the plan; null for "back up all". */
    plan: z.string().nullable(),
    leftAt: z.string(),
    dismissal,
  }),
  z.object({ kind: z.literal('token-missing'), instance: z.string() }),
  /** The instance refuses the token, or the day on which it expires has come. */
  z.object({ kind: z.literal('token-refused'), instance: z.string(), code: z.enum(tokenRefusals) }),
  /** The token can only read, neither export nor import; replaces `never-backed-up`. */
  z.object({ kind: z.literal('token-read-only'), instance: z.string() }),
  z.object({ kind: z.literal('token-expires'), instance: z.string(), expiresOn: z.string() }),
  z.object({ kind: z.literal('never-backed-up'), ...projects }),
  /** Their newest archives lack records of the source. */
  z.object({ kind: z.literal('projects-incomplete'), ...projects }),
  /** Their newest archives hold data that no export should. */
  z.object({ kind: z.literal('projects-suspicious'), ...projects }),
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
  /** False: nothing can be backed up with its token, or imported; null: not known. */
  tokenCanWrite: z.boolean().nullable(),
  /** Used without an account; and set to be read only. Either way nothing can be backed up or imported. */
  anonymous: z.boolean(),
  readOnly: z.boolean(),
  /** When the project list was last refreshed; null: never. */
  refreshedAt: z.string().nullable(),
  projects: z.number().int(),
  /** Projects by backup status; every status is present. */
  statusCounts: z.record(z.enum(backupStatuses), z.number().int()),
  /** How many projects with the status `failed` still have an earlier readable archive. */
  failedHeld: z.number().int(),
  /** How many projects with the status `never` were imported within the last day from an archive that is still kept. */
  newCopies: z.number().int(),
  /** The oldest newest archive among projects that changed since, or whose newest backup failed. */
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
  /** False: another process runs the jobs, this one watches. */
  runsJobs: z.boolean(),
  attention: z.array(attentionSchema),
  /** The number of further items of kinds that have too many to list. */
  moreAttention: z.number().int(),
});
export type Overview = z.output<typeof overviewSchema>;
