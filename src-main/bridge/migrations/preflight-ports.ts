/** @file What the handlers of the checks before a migration need, fitted by `compose/compose.ts`. Types only. */
import type { Instance } from '../../../src-contract/instance.ts';
import type { Lint } from '../../../src-contract/migrations/lint.ts';
import type { MigrationCheck, PreflightFinding } from '../../../src-contract/migrations/migration.ts';

export interface LintPort {
  /** Of a file or a stored archive, by its absolute path; `target`: whose rules count. */
  lint(
    path: string,
    target: Instance | null,
    signal: AbortSignal,
    onProgress: (done: number, total: number) => void,
  ): Promise<Lint>;
}

/** A migration is named by its id or name; every method throws `migration-missing`. */
export interface PreflightPort {
  /** Asks both instances, and keeps what was found. `progress` counts projects. */
  check(
    migration: string,
    signal: AbortSignal,
    progress: (done: number, total: number) => void,
  ): Promise<MigrationCheck>;
  /** Null: none was made since the migration was changed. */
  last(migration: string): MigrationCheck | null;
  /** By the finding's id; a null note takes the override back. Throws `not-found`. */
  override(migration: string, finding: string, note: string | null): PreflightFinding;
}
