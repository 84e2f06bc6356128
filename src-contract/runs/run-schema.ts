/** @file The schemas of `run.ts`. */
import { changeKinds } from '../projects/change.ts';
import { errorDataSchema } from '../errors-schema.ts';
import { jobKinds } from './job.ts';
import { z } from '../schema.ts';
import { runOutcomes } from './run.ts';

export const runSchema = z.object({
  id: z.string(),
  kind: z.enum(jobKinds),
  /** The plan of this run, and its due time; null for a run that a user requested without a plan. */
  planId: z.string().nullable(),
  dueAt: z.string().nullable(),
  /** True if a user started this run of the plan; false if its schedule did, and for runs without a plan. */
  manual: z.boolean(),
  createdAt: z.string(),
  /** When its last job ended; null while a job is open. */
  endedAt: z.string().nullable(),
  /** Total bytes of the archives that its jobs stored or sent. */
  bytes: z.number(),
  outcome: z.enum(runOutcomes),
  /** The instances of its jobs; without a job, the requested instance. */
  instances: z.array(z.string()),
  /** Number of jobs by status; statuses without a job are absent. */
  jobs: z.record(z.string(), z.number().int()),
  /** Path of the project if the run has only one job, else null. */
  project: z.string().nullable(),
  /** The kind of change of its only job; null if the run has several jobs, or a job of another kind. */
  deed: z.enum(changeKinds).nullable(),
  /**
   * Projects that were left out because an open job works on them with other settings. `projects` lists the first of
   * them by path.
   */
  leftOut: z.object({ count: z.number().int(), projects: z.array(z.string()) }),
  /** Why a due time of a plan was skipped, as a sentence; null for a run that took place. */
  skippedWhy: z.string().nullable(),
  /**
   * Notes from choosing the plan's projects, and from the steps before and after its run. A warning reports a failed
   * step.
   */
  notes: z.array(
    z.object({
      severity: z.enum(['info', 'warning']),
      message: z.string(),
      /** The last part of the output of the program that ran before or after the run, redacted. */
      output: z.string().optional(),
      /**
       * Number of projects that the run did not back up for the reason in `message`: the plan names them, or they left
       * its scope although it did not exclude them.
       */
      notBackedUp: z.number().int().optional(),
      /** Why the run did not start. */
      error: errorDataSchema.optional(),
      /** Present until the steps after the end of the run are done: the program after the run, and the heartbeat. */
      awaits: z.literal('end').optional(),
    }),
  ),
});

/** The forecast of a plan's run at its start, and the actual result. All times are ISO 8601 UTC. */
export const runForecastSchema = z.object({
  startsAt: z.string(),
  endsAt: z.string(),
  /** Number of projects of the run; `known` counts those with a known duration. */
  count: z.number().int(),
  known: z.number().int(),
  /** The actual result. Null while the run is in progress, if no archive was stored, and if a job was cancelled. */
  came: z
    .object({
      endedAt: z.string(),
      /**
       * The projects whose duration, from request to stored archive, differs most from the previous one. Durations are
       * in milliseconds.
       */
      furthestOff: z.array(
        z.object({ project: z.string(), expectedMs: z.number().int(), tookMs: z.number().int() }),
      ),
    })
    .nullable(),
});
