/** @file The outputs that steps of an import store for later steps. */
import { inspectionSchema } from '../../../src-contract/archives/archive-schema.ts';
import { failureSchema, reconciliationSchema } from '../../../src-contract/transfers/import-schema.ts';
import { importInputSchema } from '../../../src-contract/runs/job-schema.ts';
import type { ImportInput } from '../../../src-contract/runs/job.ts';
import { ignoredAttributeSchema } from '../../../src-contract/projects/ignored-attribute-schema.ts';
import { z } from '../../../src-contract/schema.ts';
import { intentSchema } from '../running/ambiguity.ts';
import type { StepContext } from '../running/step.ts';

export const sentSchema = z.object({ projectId: z.number(), at: z.number() });
export type SentImport = z.infer<typeof sentSchema>;

export const preparedSchema = z.object({
  watermark: z.number(),
  userId: z.number(),
  clockSkewMs: z.number(),
  /** Stored so that the comparison works without the file. Null if there is no archive. */
  inspection: inspectionSchema.nullable(),
  replaces: z.number().nullable(),
  /**
   * The intent of an earlier job that sent the same import and lost the response. The facts above are from before that
   * request.
   */
  lost: intentSchema.nullable().default(null),
  /** The import of an earlier job. This job follows it to its end and sends nothing. */
  takenUp: sentSchema.nullable().default(null),
});
export type PreparedImport = z.infer<typeof preparedSchema>;

export const finishedSchema = z.object({
  correlationId: z.string().nullable(),
  fullPath: z.string(),
  failures: z.array(failureSchema),
  /**
   * The last time at which the import was not finished, in epoch milliseconds. Absent in outputs of versions that did not
   * store it.
   */
  unfinishedAt: z.number().optional(),
});

export const comparedSchema = z.object({
  webUrl: z.string(),
  reconciliation: reconciliationSchema,
  /** Null if the new project could not be read. */
  notTaken: z.array(ignoredAttributeSchema).nullable().default([]),
  /** True if the target could not be read, so that nothing was compared. */
  isTargetUnread: z.boolean().default(false),
  /** True if a migration compares the imported project afterwards. */
  comparedLater: z.boolean().default(false),
});

export const inputOf = (context: StepContext): ImportInput => importInputSchema.parse(context.job.input);
export const preparedOf = (context: StepContext): PreparedImport =>
  preparedSchema.parse(context.outputs['prepare']);

/**
 * Returns a time at which the import had not ended yet, by the clock of its instance. A person may have edited a record
 * that changed later. Servers report whole seconds, so the time is up to a second too early.
 */
export function importEnd(outputs: Record<string, unknown>): number {
  const { at } = sentSchema.parse(outputs['send']);
  const { clockSkewMs } = preparedSchema.parse(outputs['prepare']);
  const { unfinishedAt = at } = finishedSchema.parse(outputs['wait']);
  return unfinishedAt + clockSkewMs;
}
