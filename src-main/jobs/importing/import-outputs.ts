/** @file What the steps of an import store for those after them. */
import { inspectionSchema } from '../../../src-contract/archive-schema.ts';
import { failureSchema, reconciliationSchema } from '../../../src-contract/import-schema.ts';
import type { ImportInput } from '../../../src-contract/job.ts';
import { importInputSchema } from '../../../src-contract/job-schema.ts';
import { notTakenSchema } from '../../../src-contract/projects/not-taken-schema.ts';
import { z } from '../../../src-contract/schema.ts';
import { intentSchema } from '../running/ambiguity.ts';
import type { StepContext } from '../running/step.ts';

export const sentSchema = z.object({ projectId: z.number(), at: z.number() });
export type Sent = z.infer<typeof sentSchema>;

export const preparedSchema = z.object({
  watermark: z.number(),
  userId: z.number(),
  clockSkewMs: z.number(),
  /** What the archive holds, kept so that it can be compared even when the file is gone by then; null without one. */
  inspection: inspectionSchema.nullable(),
  /** Id of the project that an overwriting import replaces; null when the path was free. */
  replaces: z.number().nullable(),
  /** What an earlier job for the same import left when its answer was lost; the facts above are then those from before that. */
  lost: intentSchema.nullable().default(null),
  /** The import of an earlier job that is followed to its end; nothing is sent. */
  takenUp: sentSchema.nullable().default(null),
});
export type Prepared = z.infer<typeof preparedSchema>;

export const finishedSchema = z.object({
  correlationId: z.string().nullable(),
  fullPath: z.string(),
  failures: z.array(failureSchema),
});

export const comparedSchema = z.object({
  webUrl: z.string(),
  reconciliation: reconciliationSchema,
  /** Null: the new project could not be asked. */
  notTaken: z.array(notTakenSchema).nullable().default([]),
});

export const inputOf = (context: StepContext): ImportInput => importInputSchema.parse(context.job.input);
export const preparedOf = (context: StepContext): Prepared =>
  preparedSchema.parse(context.outputs['prepare']);
