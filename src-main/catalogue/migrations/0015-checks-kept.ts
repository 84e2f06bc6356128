import type { Migration } from './migration.ts';

/** Checks and overrides are only ever added, and each project keeps which of them it began to move under. */
export const checksKept: Migration = {
  version: 15,
  sql: `
    ALTER TABLE migration_checks RENAME TO checks_before;
    ALTER TABLE migration_overrides RENAME TO overrides_before;

    CREATE TABLE migration_checks (
      ref INTEGER PRIMARY KEY AUTOINCREMENT,
      migration_id TEXT NOT NULL REFERENCES migrations (id),
      at INTEGER NOT NULL,
      blockers TEXT NOT NULL CHECK (json_valid(blockers)),
      missing_groups TEXT NOT NULL CHECK (json_valid(missing_groups)),
      report TEXT NOT NULL CHECK (json_valid(report)),
      -- Nothing was changed or checked since: the migration may be started on it.
      holds INTEGER NOT NULL DEFAULT 1 CHECK (holds IN (0, 1))
    ) STRICT;
    CREATE UNIQUE INDEX migration_checks_that_hold ON migration_checks (migration_id) WHERE holds = 1;
    CREATE INDEX migration_checks_by_migration ON migration_checks (migration_id, ref);
    INSERT INTO migration_checks (migration_id, at, blockers, missing_groups, report)
      SELECT migration_id, at, blockers, missing_groups, report FROM checks_before ORDER BY at;

    CREATE TABLE migration_overrides (
      ref INTEGER PRIMARY KEY AUTOINCREMENT,
      migration_id TEXT NOT NULL REFERENCES migrations (id),
      finding TEXT NOT NULL,
      -- Null: it was taken back.
      note TEXT,
      at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX migration_overrides_by_finding ON migration_overrides (migration_id, finding, ref);
    INSERT INTO migration_overrides (migration_id, finding, note, at)
      SELECT migration_id, finding, note, at FROM overrides_before ORDER BY at;

    -- The newest check when its place was changed last; 0: there was none.
    ALTER TABLE migration_projects ADD COLUMN placed_after INTEGER NOT NULL DEFAULT 0;

    CREATE TABLE migration_project_checks (
      migration_id TEXT NOT NULL,
      source_id INTEGER NOT NULL,
      check_ref INTEGER NOT NULL REFERENCES migration_checks (ref),
      -- The newest override then; 0: there was none.
      overrides_ref INTEGER NOT NULL,
      -- Its place was changed after that check.
      placed_since INTEGER NOT NULL CHECK (placed_since IN (0, 1)),
      PRIMARY KEY (migration_id, source_id),
      FOREIGN KEY (migration_id, source_id) REFERENCES migration_projects (migration_id, source_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX migration_project_checks_by_check ON migration_project_checks (check_ref);
    -- Of projects that moved before this was kept: a check that is older than their import is the one they moved under.
    INSERT INTO migration_project_checks (migration_id, source_id, check_ref, overrides_ref, placed_since)
      SELECT m.migration_id, m.source_id, c.ref, coalesce((SELECT max(o.ref) FROM migration_overrides o
          WHERE o.migration_id = m.migration_id AND o.at <= j.created_at), 0), 0
        FROM migration_projects m
        JOIN migration_checks c ON c.migration_id = m.migration_id
        JOIN jobs j ON j.id = coalesce(m.import_job, m.export_job, m.freeze_job)
        WHERE c.at <= j.created_at;

    DROP TABLE checks_before;
    DROP TABLE overrides_before;
  `,
};
