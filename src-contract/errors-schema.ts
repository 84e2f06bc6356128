/** @file The schemas of `errors.ts`. */
import { z, schemaOf } from './schema.ts';
import { type ErrorData, errorCodes } from './errors.ts';

export const errorDataSchema = schemaOf<ErrorData>()(
  z.object({
    code: z.enum(errorCodes),
    message: z.string(),
    retry: z.union([z.enum(['never', 'later']), z.object({ afterMs: z.number() })]),
    details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  }),
);
