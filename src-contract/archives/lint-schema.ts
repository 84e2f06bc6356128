/** @file The noun *lint*: problems that an import of an archive will have, as far as reading the archive shows them. */
import { preflightSeverities } from '../migrations/migration.ts';
import { z } from '../schema.ts';

export const lintFindingSchema = z.object({
  code: z.string(),
  /** `blocker`: the import fails as a whole; `warning`: something may be lost, or needs to be reviewed. */
  severity: z.enum(preflightSeverities),
  /** A tar member, a relation, or `relation:line`, zero-based like GitLab's; null for the archive as a whole. */
  place: z.string().nullable(),
  message: z.string(),
  fix: z.string(),
});
export type LintFinding = z.output<typeof lintFindingSchema>;

export const lintSchema = z.object({
  /** Blockers first, then warnings; at most a thousand. The least severe are left out first. */
  findings: z.array(lintFindingSchema),
  /** Number of findings beyond those listed. */
  more: z.number().int(),
  /** True if every record was read; false if the archive cannot be read. */
  recordsRead: z.boolean(),
});
export type Lint = z.output<typeof lintSchema>;
