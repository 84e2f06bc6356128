/** @file The outputs that steps of an export store for later steps. */
import { projectCountsSchema } from '../../../src-contract/archives/archive-schema.ts';
import { exportInputSchema } from '../../../src-contract/runs/job-schema.ts';
import type { ExportInput } from '../../../src-contract/runs/job.ts';
import { z } from '../../../src-contract/schema.ts';
import type { StepContext } from '../running/step.ts';

export const countedSchema = z.object({
  at: z.string(),
  counts: projectCountsSchema,
  lastActivityAt: z.string().nullable(),
  /** The highest id of the project's labels, 0 without labels. Absent in outputs of versions that did not store it. */
  newestLabelId: z.number().optional(),
});
export type CountOutput = z.infer<typeof countedSchema>;

export const preparedSchema = z.object({
  projectName: z.string(),
  /** The current path of the project, which may differ from the path when the job was created. */
  fullPath: z.string().optional(),
  serverVersion: z.string().nullable(),
  clockSkewMs: z.number(),
  /** True if a finished export that this job did not request is on the server. A new request removes it. */
  foreignExport: z.boolean(),
  before: countedSchema,
});
export type PrepareOutput = z.infer<typeof preparedSchema>;

/** `at` is the time just before the request was first sent, in epoch milliseconds. */
export const requestedSchema = z.object({ at: z.number() });
export type RequestOutput = z.infer<typeof requestedSchema>;

export const inputOf = (context: StepContext): ExportInput => exportInputSchema.parse(context.job.input);
export const preparedOf = (context: StepContext): PrepareOutput =>
  preparedSchema.parse(context.outputs['prepare']);
