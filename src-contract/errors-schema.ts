/** @file The schemas of `errors.ts`. */
import { z } from './schema.ts';
import { errorCodes } from './errors.ts';

export const errorDataSchema = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  retry: z.union([z.enum(['never', 'later']), z.object({ afterMs: z.number() })]),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
