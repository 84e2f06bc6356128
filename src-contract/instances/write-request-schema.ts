/** @file The noun *write request*: one request that may have changed something on an instance, stored permanently. */
import { z } from '../schema.ts';

/** Contains no secret: a path below `/api/v4` without its query, no headers and no body. */
export const writeRequestSchema = z.object({
  /** Increases by one with each request, over all instances. */
  id: z.number().int(),
  instance: z.string(),
  /** The job that sent the request; null if a call sent it. */
  job: z.string().nullable(),
  /** When the outcome was known; epoch milliseconds. */
  at: z.number(),
  method: z.string(),
  path: z.string(),
  /** The status of the response; null if no response arrived. */
  status: z.number().int().nullable(),
});
export type WriteRequest = z.output<typeof writeRequestSchema>;
