/** @file The schemas of `write-request.ts`. */
import { z, schemaOf } from '../schema.ts';
import type { WriteRequest } from './write-request.ts';

export const writeRequestSchema = schemaOf<WriteRequest>()(
  z.object({
    id: z.number().int(),
    instance: z.string(),
    job: z.string().nullable(),
    at: z.number(),
    method: z.string(),
    path: z.string(),
    status: z.number().int().nullable(),
  }),
);
