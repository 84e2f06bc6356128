/** @file The schemas of `lint.ts`. */
import { preflightSeverities } from '../migrations/migration.ts';
import { z, schemaOf } from '../schema.ts';
import type { LintFinding, Lint } from './lint.ts';

export const lintFindingSchema = schemaOf<LintFinding>()(
  z.object({
    code: z.string(),
    severity: z.enum(preflightSeverities),
    place: z.string().nullable(),
    message: z.string(),
    fix: z.string(),
  }),
);

export const lintSchema = schemaOf<Lint>()(
  z.object({
    findings: z.array(lintFindingSchema),
    more: z.number().int(),
    recordsRead: z.boolean(),
  }),
);
