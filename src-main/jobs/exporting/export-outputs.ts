/** @file What the steps of an export store for those after them. */
import { projectCountsSchema } from '../../../src-contract/archive-schema.ts';
import type { ExportInput } from '../../../src-contract/job.ts';
import { exportInputSchema } from '../../../src-contract/job-schema.ts';
import { z } from '../../../src-contract/schema.ts';
import type { StepContext } from '../running/step.ts';

export const countedSchema = z.object({
  at: z.string(),
  counts: projectCountsSchema,
  lastActivityAt: z.string().nullable(),
});
export type Counted = z.infer<typeof countedSchema>;

export const preparedSchema = z.object({
  projectName: z.string(),
  /** Where the project is now, which may be elsewhere than when the job was made. */
  fullPath: z.string().optional(),
  serverVersion: z.string().nullable(),
  clockSkewMs: z.number(),
  /** Somebody else's finished export lies on the server; asking for a fresh one destroys it. */
  otherExport: z.boolean(),
  before: countedSchema,
});
export type Prepared = z.infer<typeof preparedSchema>;

/** `at`, epoch milliseconds: just before the request left; where its answer was lost, before the first one did. */
export const requestedSchema = z.object({ at: z.number() });
export type Requested = z.infer<typeof requestedSchema>;

export const inputOf = (context: StepContext): ExportInput => exportInputSchema.parse(context.job.input);
export const preparedOf = (context: StepContext): Prepared =>
  preparedSchema.parse(context.outputs['prepare']);
