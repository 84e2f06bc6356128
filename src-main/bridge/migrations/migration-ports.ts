/** @file What the handlers of migrations need, fitted by `compose/compose.ts`. Types only. */
import type {
  MigratingProject,
  Migration,
  MigrationDraft,
  Placement,
} from '../../../src-contract/migrations/migration.ts';

/** A migration is named by its id or name; every method throws `migration-missing`. */
export interface MigrationsPort {
  /** Newest first. */
  list(): Migration[];
  show(migration: string): Migration;
  /** All of them, by path on the source. */
  projects(migration: string): MigratingProject[];
  /** Asks the source. Throws `already-exists`, and what asking throws. */
  create(draft: MigrationDraft, signal: AbortSignal): Promise<Migration>;
  /** Throws `migration-started`. A new selection is asked for at the source. */
  change(migration: string, changes: Partial<MigrationDraft>, signal: AbortSignal): Promise<Migration>;
  /** Throws `migration-started` while it is under way. */
  remove(migration: string): void;
  /** All or, when it throws, none. Throws `project-missing`, and `migration-started` for what has been imported or is on its way. */
  place(
    migration: string,
    wanted: readonly {
      project: string;
      placement?: { [Part in keyof Placement]?: Placement[Part] | undefined } | undefined;
      wave?: number | undefined;
      leftOut?: boolean | undefined;
    }[],
  ): void;
  /** Also goes on after a pause. Throws `migration-blocked`. */
  start(migration: string, createGroups: boolean): Migration;
  /** Throws `invalid-input` for one that is not under way. */
  pause(migration: string): Migration;
  cancel(migration: string, by: string): Migration;
  /** Null: every project that failed or was cancelled. Throws `project-missing`. */
  again(migration: string, project: string | null): Migration;
}
