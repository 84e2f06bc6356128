/** @file Calls about plans: which projects to back up, when, how long to keep, and previews of the effects. */
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
   * Starts a run now, regardless of the schedule; counts as a firing. Joins a run of this plan that is in
   * progress.
   * `waits`: an instance that does not respond is asked again for as long as jobs wait for it; the progress
   * says since when it does not respond. Without `waits` the call fails at once, and the caller decides
   * whether to ask again. `keepsFailure`: whether a run that cannot begin is kept as one that failed. A
   * caller that asks again keeps the failure of its last try.
   */
  'plan.run': {
    request: onePlan.extend({ keepsFailure: z.boolean().default(true), waits: z.boolean().optional() }),
    reply: z.object({ runId: idSchema, jobs: z.number().int() }),
  },
  /** Ends the program before a run, which then does not take place. Fails with `job-ended` where none runs. */
  'plan.cancelBeginning': {
    request: z.object({ id: idSchema, by: idSchema }),
    reply: planStatusSchema,
  },
  /** `id` null is all plans; `until` null ends the pause. */
  'plan.pause': {
    request: z.object({ id: idSchema.nullable(), until: z.iso.datetime().nullable() }),
    reply: z.object({ plans: z.array(planStatusSchema) }),
  },
  /** Skips the next due time, or no longer skips it. */
  'plan.skipNext': { request: z.object({ id: idSchema, skip: z.boolean() }), reply: planStatusSchema },
  /** The next due times of a schedule, soonest first, whether or not a plan has it. ISO 8601 UTC. */
  'plan.dueTimes': {
    request: z.object({ schedule: scheduleDraftSchema, count: z.number().int().min(1).max(20) }),
    reply: z.object({ times: z.array(z.string()), timeZone: z.string() }),
  },
  /** Asks the instance for a selection's projects: the first of them by path, and those left out with the reason. */
  'plan.matches': {
    request: z.object({ instance: referenceSchema, selection: selectionSchema }),
    reply: z.object({
      count: z.number().int(),
      projects: z.array(z.string()),
      leftOut: z.array(z.object({ project: referenceSchema, why: z.string() })),
      leftOutCount: z.number().int(),
      /** The scope in words; null for projects that are named. */
      covers: z.string().nullable(),
      /** How many more projects the account sees outside the scope; null where the instance does not say. */
      beyond: z.number().int().nullable(),
    }),
  },
  /**
   * When each project of the plan's next run is expected to begin and to be stored: from the limits of the
   * instance, and from earlier exports. Asks the instance for these projects. Null where nothing was stored
   * yet.
   */
  'plan.forecast': {
    request: onePlan,
    reply: z.object({
      count: z.number().int(),
      forecast: z
        .object({
          startsAt: z.string(),
          endsAt: z.string(),
          /** Number of projects whose duration is known. */
          known: z.number().int(),
          /** The first of them, in the order in which they begin. */
          projects: z.array(z.object({ project: referenceSchema, startsAt: z.string(), endsAt: z.string() })),
        })
        .nullable(),
    }),
  },
  /** Lists the archives of the plan's projects that a retention would remove now, and why; changes nothing. */
  'plan.prunePreview': {
    request: z.object({ id: idSchema, retention: retentionSchema }),
    reply: z.object({
      projects: z.array(prunePreviewSchema),
      removedCount: z.number().int(),
      removedBytes: z.number().int(),
      /** In archive folders that are not there: nothing is decided about them. */
      absentCount: z.number().int(),
    }),
  },
  /** Each plan with so many days, oldest first, today last. */
  'plan.history': {
    request: z.object({ days: z.number().int().min(1).max(366) }),
    reply: z.object({ plans: z.array(z.object({ planId: idSchema, days: z.array(planDaySchema) })) }),
  },
};
