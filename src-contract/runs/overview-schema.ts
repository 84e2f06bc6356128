/** @file The schemas of `overview.ts`. */
import { errorDataSchema } from '../errors-schema.ts';
import { tokenRefusals } from '../instances/instance.ts';
import { jobKinds } from './job.ts';
import { planStatusSchema } from '../plans/plan-schema.ts';
import { departureReasons } from '../projects/scope.ts';
import { backupStatuses } from '../projects/project.ts';
import { z, schemaOf } from '../schema.ts';
import type { Attention, InstanceOverview, Overview } from './overview.ts';

/**
 * Names an item about something that is over, so that a person can dismiss it. Absent where it cannot be
 * dismissed, as where data is not protected now. The same thing again has another name.
 */
const dismissal = z.string().optional();

export const attentionSchema = schemaOf<Attention>()(
  z.discriminatedUnion('kind', [
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
      messages: z.array(z.string()),
      dismissal,
    }),
    z.object({
      kind: z.literal('plan-overdue'),
      planId: z.string(),
      plan: z.string(),
      instance: z.string(),
      since: z.string(),
      error: errorDataSchema.nullable(),
    }),
    z.object({
      kind: z.literal('plan-failed'),
      planId: z.string(),
      plan: z.string(),
      instance: z.string(),
      runId: z.string(),
      error: errorDataSchema,
    }),
    z.object({
      kind: z.literal('plan-empty'),
      planId: z.string(),
      plan: z.string(),
      instance: z.string(),
      runId: z.string(),
    }),
    z.object({
      kind: z.literal('left-scope'),
      instance: z.string(),
      project: z.string(),
      projectId: z.number().int(),
      reason: z.enum(departureReasons),
      detail: z.string().nullable(),
      archives: z.number().int(),
      plan: z.string().nullable(),
      leftAt: z.string(),
      dismissal,
    }),
    z.object({ kind: z.literal('token-missing'), instance: z.string() }),
    z.object({ kind: z.literal('token-refused'), instance: z.string(), code: z.enum(tokenRefusals) }),
    z.object({ kind: z.literal('token-read-only'), instance: z.string() }),
    z.object({ kind: z.literal('token-expires'), instance: z.string(), expiresOn: z.string() }),
    z.object({ kind: z.literal('never-backed-up'), instance: z.string(), projects: z.number().int() }),
    z.object({ kind: z.literal('projects-incomplete'), instance: z.string(), projects: z.number().int() }),
    z.object({ kind: z.literal('projects-suspicious'), instance: z.string(), projects: z.number().int() }),
    z.object({ kind: z.literal('list-old'), instance: z.string(), refreshedAt: z.string().nullable() }),
    z.object({ kind: z.literal('disk-low'), path: z.string(), freeBytes: z.number() }),
    z.object({ kind: z.literal('jobs-stuck'), error: errorDataSchema }),
    z.object({ kind: z.literal('notice'), text: z.string() }),
  ]),
);

export const instanceOverviewSchema = schemaOf<InstanceOverview>()(
  z.object({
    name: z.string(),
    url: z.string(),
    username: z.string().nullable(),
    tokenCanWrite: z.boolean().nullable(),
    anonymous: z.boolean(),
    readOnly: z.boolean(),
    refreshedAt: z.string().nullable(),
    projects: z.number().int(),
    statusCounts: z.record(z.enum(backupStatuses), z.number().int()),
    failedHeld: z.number().int(),
    newCopies: z.number().int(),
    oldestArchive: z.string().nullable(),
    plan: planStatusSchema.nullable(),
  }),
);

export const overviewSchema = schemaOf<Overview>()(
  z.object({
    instances: z.array(instanceOverviewSchema),
    archives: z.object({
      count: z.number().int(),
      bytes: z.number(),
      absent: z.number().int(),
      freeBytes: z.number().nullable(),
    }),
    openJobs: z.record(z.string(), z.number().int()),
    runsJobs: z.boolean(),
    attention: z.array(attentionSchema),
    moreAttention: z.number().int(),
  }),
);
