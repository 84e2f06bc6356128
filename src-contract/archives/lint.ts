/**
 * @file The noun *lint*: obstacles to importing an archive, as far as reading the archive shows them.
 */
import type { PreflightSeverity } from '../migrations/migration.ts';

export interface LintFinding {
  code: string;
  /** `blocker`: the import fails as a whole; `warning`: something may be lost, or needs to be reviewed. */
  severity: PreflightSeverity;
  /** A member, a relation, or `relation:line`, zero-based as GitLab counts; null: the archive as a whole. */
  place: string | null;
  message: string;
  fix: string;
}

export interface Lint {
  /** Blockers first; at most a thousand. */
  findings: LintFinding[];
  /** How many more there are. */
  more: number;
  /** Whether each record was read; false where the archive cannot be read. */
  recordsRead: boolean;
}
