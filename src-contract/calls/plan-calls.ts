/** @file Calls about plans: projects, schedule and retention, and previews of their effects. */
import { idSchema, referenceSchema } from '../ids-schema.ts';
import {
  planDaySchema,
  planDraftSchema,
  planStatusSchema,
  prunePreviewSchema,
  retentionSchema,
  scheduleDraftSchema,
  selectionSchema,
} from '../plans/plan-schema.ts';
import { z } from '../schema.ts';

const none = z.object({});
const onePlan = z.object({ id: idSchema });

export const planCalls = {
  'plan.list': { request: none, reply: z.object({ plans: z.array(planStatusSchema) }) },
  'plan.save': { request: planDraftSchema, reply: planStatusSchema },
  'plan.remove': { request: onePlan, reply: none },
  /**
   * Starts a run now, regardless of the schedule. The schedule counts it as a run. Joins a run of the plan that is in
   * progress. With `waits`, the call retries an unreachable instance as long as a job would. The progress reports the
   * start of the wait. Without `waits` the call fails at once. `keepsFailure`: if the run cannot begin, stores it as a
   * failed run. A caller that retries sets it for the last try only.
   */
  'plan.run': {
    request: onePlan.extend({ keepsFailure: z.boolean().default(true), waits: z.boolean().optional() }),
    reply: z.object({ runId: idSchema, jobs: z.number().int() }),
  },
  /** Stops the plan's program before a run, and cancels the run. Throws `job-ended` if no such program is running. */
  'plan.cancelBeginning': {
    request: z.object({ id: idSchema, by: idSchema }),
    reply: planStatusSchema,
  },
  /** Pauses a plan until a time. Null `id`: all plans. Null `until` ends the pause. */
  'plan.pause': {
    request: z.object({ id: idSchema.nullable(), until: z.iso.datetime().nullable() }),
    reply: z.object({ plans: z.array(planStatusSchema) }),
  },
  /** Skips the next due time, or no longer skips it. */
  'plan.skipNext': { request: z.object({ id: idSchema, skip: z.boolean() }), reply: planStatusSchema },
  /** Returns the next due times of any schedule, soonest first, in ISO 8601 UTC. */
  'plan.dueTimes': {
    request: z.object({ schedule: scheduleDraftSchema, count: z.number().int().min(1).max(20) }),
    reply: z.object({ times: z.array(z.string()), timeZone: z.string() }),
  },
  /**
   * Fetches the projects of a selection from the instance. Returns the first of them by path, and those left out with
   * the reason.
   */
  'plan.matches': {
    request: z.object({ instance: referenceSchema, selection: selectionSchema }),
    reply: z.object({
      count: z.number().int(),
      projects: z.array(z.string()),
      leftOut: z.array(z.object({ project: referenceSchema, why: z.string() })),
      leftOutCount: z.number().int(),
      /** The scope in words; null if the selection names its projects. */
      covers: z.string().nullable(),
      /** Number of visible projects outside the scope; null if the instance does not report it. */
      beyond: z.number().int().nullable(),
    }),
  },
  /**
   * Estimates when the export of each project of the plan's next run begins, and when its archive is stored. The
   * estimate uses the limits of the instance and the durations of earlier exports. Fetches the projects from the
   * instance. Null if no archive was stored yet.
   */
  'plan.forecast': {
    request: onePlan,
    reply: z.object({
      count: z.number().int(),
      forecast: z
        .object({
          startsAt: z.string(),
          endsAt: z.string(),
          /** Number of projects with a known duration. */
          known: z.number().int(),
          /** The first projects, in the order of their start. */
          projects: z.array(z.object({ project: referenceSchema, startsAt: z.string(), endsAt: z.string() })),
        })
        .nullable(),
    }),
  },
  /**
   * Lists the archives of the plan's projects, and which of them a retention would remove now and why. Changes nothing.
   */
  'plan.prunePreview': {
    request: z.object({ id: idSchema, retention: retentionSchema }),
    reply: z.object({
      projects: z.array(prunePreviewSchema),
      removedCount: z.number().int(),
      removedBytes: z.number().int(),
      /** Number of archives in folders that do not exist now. Retention skips them. */
      absentCount: z.number().int(),
    }),
  },
  /** Returns the last `days` days of each plan, oldest first, today included. */
  'plan.history': {
    request: z.object({ days: z.number().int().min(1).max(366) }),
    reply: z.object({ plans: z.array(z.object({ planId: idSchema, days: z.array(planDaySchema) })) }),
  },
};
