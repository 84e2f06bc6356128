/** @file The schemas of `run.ts`. */
import { changeKinds } from '../projects/change.ts';
import { errorDataSchema } from '../errors-schema.ts';
import { jobKinds } from './job.ts';
import { z, schemaOf } from '../schema.ts';
import { type Run, type RunForecast, runOutcomes } from './run.ts';

export const runSchema = schemaOf<Run>()(
  z.object({
    id: z.string(),
    kind: z.enum(jobKinds),
    planId: z.string().nullable(),
    dueAt: z.string().nullable(),
    manual: z.boolean(),
    createdAt: z.string(),
    endedAt: z.string().nullable(),
    bytes: z.number(),
    outcome: z.enum(runOutcomes),
    instances: z.array(z.string()),
    jobs: z.record(z.string(), z.number().int()),
    project: z.string().nullable(),
    deed: z.enum(changeKinds).nullable(),
    leftOut: z.object({ count: z.number().int(), projects: z.array(z.string()) }),
    skippedWhy: z.string().nullable(),
    notes: z.array(
      z.object({
        severity: z.enum(['info', 'warning']),
        message: z.string(),
        output: z.string().optional(),
        error: errorDataSchema.optional(),
        awaits: z.literal('end').optional(),
      }),
    ),
  }),
);

export const runForecastSchema = schemaOf<RunForecast>()(
  z.object({
    startsAt: z.string(),
    endsAt: z.string(),
    count: z.number().int(),
    known: z.number().int(),
    came: z
      .object({
        endedAt: z.string(),
        furthestOff: z.array(
          z.object({ project: z.string(), expectedMs: z.number().int(), tookMs: z.number().int() }),
        ),
      })
      .nullable(),
  }),
);
