/** @file The noun *overview*: whether everything is backed up, what runs and what needs attention, in one reply. */
import { errorDataSchema } from './errors.ts';
import { tokenRefusals } from './instance.ts';
import { jobKinds } from './job.ts';
import { planStatusSchema } from './plans/plan.ts';
import { departureReasons } from './projects/scope.ts';
import { backupStatuses } from './projects/project.ts';
import { z } from './schema.ts';

/**
 * Names an item that tells of something that is over, so that a person can dismiss it. Absent where it cannot be dismissed, as where
 * it says that data is not protected now. The same thing again has another name.
 */
const dismissal = z.string().optional();

/** What a person should look at, worst first. Ids and names only; the window has the words. */
export const attentionSchema = z.discriminatedUnion('kind', [
  /** An archive folder is not there, or something else is in its place (`replaced`): an empty mount point, a new folder. */
  z.object({
    kind: z.literal('archives-absent'),
    path: z.string(),
    replaced: z.boolean(),
    archives: z.number().int(),
    projects: z.number().int(),
  }),
  z.object({
    kind: z.literal('archive-damaged'),
    archiveId: z.string(),
    instance: z.string(),
    project: z.string(),
    reason: z.string(),
  }),
  /** Likewise, where a newer archive of the project is readable. */
  z.object({
    kind: z.literal('older-archive-damaged'),
    archiveId: z.string(),
    instance: z.string(),
    project: z.string(),
    reason: z.string(),
  }),
  z.object({
    kind: z.literal('job-failed'),
    jobKind: z.enum(jobKinds),
    jobId: z.string(),
    instance: z.string(),
    project: z.string(),
    error: errorDataSchema,
    dismissal,
  }),
  /** Several that failed in the same way on one instance: the newest of them, its error, and how many there are in all. */
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
    jobKind: z.enum(jobKinds),
    jobId: z.string(),
    instance: z.string(),
    project: z.string(),
    warnings: z.number().int(),
    /** What the first of them say. */
    messages: z.array(z.string()),
    dismissal,
  }),
  z.object({
    kind: z.literal('plan-overdue'),
    planId: z.string(),
    /** Its name. */
    plan: z.string(),
    instance: z.string(),
    since: z.string(),
    error: errorDataSchema.nullable(),
  }),
  /** The newest run of a plan, which could not begin. */
  z.object({
    kind: z.literal('plan-failed'),
    planId: z.string(),
    plan: z.string(),
    instance: z.string(),
    runId: z.string(),
    error: errorDataSchema,
  }),
  /** Likewise, which backed nothing up, as the plan covers no project. */
  z.object({
    kind: z.literal('plan-empty'),
    planId: z.string(),
    plan: z.string(),
    instance: z.string(),
    runId: z.string(),
  }),
  /** It left what a plan backs up (`plan`: its name), or "back up all" (null), so that no new archive of it is made. */
  z.object({
    kind: z.literal('left-scope'),
    instance: z.string(),
    project: z.string(),
    projectId: z.number().int(),
    reason: z.enum(departureReasons),
    /** The day of the mark for deletion, or the new path. */
    detail: z.string().nullable(),
    /** How many archives of it are kept. */
    archives: z.number().int(),
    plan: z.string().nullable(),
    leftAt: z.string(),
    dismissal,
  }),
  z.object({ kind: z.literal('token-missing'), instance: z.string() }),
  /** The instance refuses the token, or the day on which it expires has come. */
  z.object({ kind: z.literal('token-refused'), instance: z.string(), code: z.enum(tokenRefusals) }),
  /** It can look, but neither export nor import; stands in the place of `never-backed-up`. */
  z.object({ kind: z.literal('token-read-only'), instance: z.string() }),
  z.object({ kind: z.literal('token-expires'), instance: z.string(), expiresOn: z.string() }),
  z.object({ kind: z.literal('never-backed-up'), instance: z.string(), projects: z.number().int() }),
  /** Their newest archives lack records that they had. */
  z.object({ kind: z.literal('projects-incomplete'), instance: z.string(), projects: z.number().int() }),
  /** Their newest archives hold what no export should. */
  z.object({ kind: z.literal('projects-suspicious'), instance: z.string(), projects: z.number().int() }),
  z.object({ kind: z.literal('list-old'), instance: z.string(), refreshedAt: z.string().nullable() }),
  z.object({ kind: z.literal('disk-low'), path: z.string(), freeBytes: z.number() }),
  z.object({ kind: z.literal('jobs-stuck'), error: errorDataSchema }),
  z.object({ kind: z.literal('notice'), text: z.string() }),
]);
export type Attention = z.infer<typeof attentionSchema>;

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
  /** Projects by standing; every standing is present. */
  standings: z.record(z.enum(backupStatuses), z.number().int()),
  /** How many projects with the status `failed` still have an earlier readable archive. */
  failedHeld: z.number().int(),
  /** How many projects with the status `never` were imported within the last day from an archive that is still kept. */
  newCopies: z.number().int(),
  /** When the oldest newest archive of a project was stored that changed since, or whose newest backup failed. */
  oldestArchive: z.string().nullable(),
  plan: planStatusSchema.nullable(),
});
export type InstanceOverview = z.infer<typeof instanceOverviewSchema>;

export const overviewSchema = z.object({
  instances: z.array(instanceOverviewSchema),
  /** Those whose folders are there; `absent` counts the others. */
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
  /** How many more there are of kinds of which too many are listed already. */
  moreAttention: z.number().int(),
});
export type Overview = z.infer<typeof overviewSchema>;
