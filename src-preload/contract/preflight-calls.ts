/** @file Calls about the checks before a migration. */
import { plannedWriteSchema, preflightFindingSchema, waveForecastSchema } from './migration.ts';
import { z } from './schema.ts';

/** By id or by name. */
const one = z.object({ migration: z.string() });

export const preflightCalls = {
  /** Asks both instances; changes nothing there. Tells progress. */
  'migration.check': {
    request: one,
    reply: z.object({
      findings: z.array(preflightFindingSchema),
      /** Groups that the target lacks, outermost first. */
      missingGroups: z.array(z.string()),
      writes: z.array(plannedWriteSchema),
      forecast: z.array(waveForecastSchema),
    }),
  },
  /** A null note takes the override back. */
  'migration.override': {
    request: one.extend({ finding: z.string(), note: z.string().trim().min(1).nullable() }),
    reply: preflightFindingSchema,
  },
} as const;
