/** @file The noun *write request*: one request that may have changed something on an instance, kept for ever. */
import { z } from '../schema.ts';

/** Free of secrets: a path below `/api/v4` without query, no headers, no body. */
export const writeRequestSchema = z.object({
  /** Grows by one per request, over all instances. */
  id: z.number().int(),
  instance: z.string(),
  /** The job that sent it; null: a call did. */
  job: z.string().nullable(),
  /** Epoch milliseconds, when its outcome was known. */
  at: z.number(),
  method: z.string(),
  path: z.string(),
  /** Null: no answer came. */
  status: z.number().int().nullable(),
});
export type WriteRequest = z.output<typeof writeRequestSchema>;
