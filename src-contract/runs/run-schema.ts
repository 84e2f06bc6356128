/** @file The schemas of `run.ts`. */
import { changeKinds } from '../projects/change.ts';
import { errorDataSchema } from '../errors-schema.ts';
import { jobKinds } from './job.ts';
import { z } from '../schema.ts';
import { runOutcomes } from './run.ts';

export const runSchema = z.object({
  id: z.string(),
  kind: z.enum(jobKinds),
  /** The plan that fired, and the time for which it was due; null for a run that somebody asked for. */
  planId: z.string().nullable(),
  dueAt: z.string().nullable(),
  /** A person asked for this run of the plan; false where its schedule did, and for runs without a plan. */
  manual: z.boolean(),
  createdAt: z.string(),
  /** When its last job ended; null while a job is open. */
  endedAt: z.string().nullable(),
  /** Bytes of the archives that its jobs stored, or that its imports sent. */
  bytes: z.number(),
  outcome: z.enum(runOutcomes),
  /** Instances its jobs work on; without a job, the one it was asked for. */
  instances: z.array(z.string()),
  /** Number of jobs by status; statuses without a job are absent. */
  jobs: z.record(z.string(), z.number().int()),
  /** Path of the project where the run has one job only. */
  project: z.string().nullable(),
  /** The effect of its job on the project; null where it has several, or one that changes nothing. */
  deed: z.enum(changeKinds).nullable(),
  /** Projects that were left out, because an open job works on them with other settings; the first of them by path. */
  leftOut: z.object({ count: z.number().int(), projects: z.array(z.string()) }),
  /** Why a due time of a plan was skipped, as a sentence; null for a run that took place. */
  skippedWhy: z.string().nullable(),
  /** Findings of a plan when it chose its projects, and around its run; a warning is something that it could not do. */
  notes: z.array(
    z.object({
      severity: z.enum(['info', 'warning']),
      message: z.string(),
      /** The end of the output of a program before or after the run, redacted. */
      output: z.string().optional(),
      /** Why the run did not take place. */
      error: errorDataSchema.optional(),
      /** Present until the steps after the end of the run are done: its program, its heartbeat. */
      awaits: z.literal('end').optional(),
    }),
  ),
});

/** The estimate of a plan's run when it began, and the outcome. All times ISO 8601 UTC. */
export const runForecastSchema = z.object({
  startsAt: z.string(),
  endsAt: z.string(),
  /** Projects of the run, and the number of them with a known duration. */
  count: z.number().int(),
  known: z.number().int(),
  /** Null while it is in progress, where nothing was stored, and where a part of it was cancelled. */
  came: z
    .object({
      endedAt: z.string(),
      /** Projects furthest from the time before, from the request to the stored archive, in milliseconds. */
      furthestOff: z.array(
        z.object({ project: z.string(), expectedMs: z.number().int(), tookMs: z.number().int() }),
      ),
    })
    .nullable(),
});
