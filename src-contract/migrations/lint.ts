/** @file What stands against importing an archive, as far as reading it tells. */
import { preflightSeverities } from './migration.ts';
import { z } from '../schema.ts';

export const lintFindingSchema = z.object({
  code: z.string(),
  /** `blocker`: the import fails as a whole; `warning`: something may be lost, or has to be looked at. */
  severity: z.enum(preflightSeverities),
  /** A member, a relation, or `relation:line`, zero-based as GitLab counts; null: the archive as a whole. */
  place: z.string().nullable(),
  message: z.string(),
  fix: z.string(),
});
export type LintFinding = z.infer<typeof lintFindingSchema>;

export const lintSchema = z.object({
  /** Blockers first; at most a thousand. */
  findings: z.array(lintFindingSchema),
  /** How many more there are. */
  more: z.number().int(),
  /** Whether each record was looked at; not where the archive cannot be read. */
  recordsRead: z.boolean(),
});
export type Lint = z.infer<typeof lintSchema>;
