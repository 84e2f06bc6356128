import type { Migration } from './migration.ts';

/** Migrations of projects, with the jobs that move each; which run groups the jobs of a wave; what the checks found. */
export const projectMigrations: Migration = {
  version: 9,
  sql: `
    CREATE TABLE migrations (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL COLLATE NOCASE UNIQUE,
      draft TEXT NOT NULL CHECK (json_valid(draft)),
      -- That one has ended follows from its jobs.
      status TEXT NOT NULL CHECK (status IN ('draft', 'running', 'paused', 'cancelled')),
      created_at INTEGER NOT NULL,
      checked_at INTEGER,
      findings TEXT CHECK (json_valid(findings))
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE migration_projects (
      migration_id TEXT NOT NULL REFERENCES migrations (id),
      source_id INTEGER NOT NULL,
      source_path TEXT NOT NULL COLLATE NOCASE,
      wave INTEGER NOT NULL,
      placement TEXT NOT NULL CHECK (json_valid(placement)),
      left_out INTEGER NOT NULL DEFAULT 0 CHECK (left_out IN (0, 1)),
      freeze_job TEXT REFERENCES jobs (id),
      export_job TEXT REFERENCES jobs (id),
      import_job TEXT REFERENCES jobs (id),
      unmark_job TEXT REFERENCES jobs (id),
      thaw_job TEXT REFERENCES jobs (id),
      changed_since INTEGER,
      -- Source, archive and target as they were compared last, after the import.
      reconciliation TEXT CHECK (json_valid(reconciliation)),
      PRIMARY KEY (migration_id, source_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX migration_projects_by_import ON migration_projects (import_job) WHERE import_job IS NOT NULL;

    CREATE TABLE migration_retries (
      migration_id TEXT NOT NULL,
      source_id INTEGER NOT NULL,
      job_id TEXT NOT NULL REFERENCES jobs (id),
      PRIMARY KEY (migration_id, source_id, job_id),
      FOREIGN KEY (migration_id, source_id) REFERENCES migration_projects (migration_id, source_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE migration_runs (
      migration_id TEXT NOT NULL REFERENCES migrations (id),
      wave INTEGER NOT NULL,
      move TEXT NOT NULL,
      run_id TEXT NOT NULL REFERENCES runs (id),
      PRIMARY KEY (migration_id, wave, move)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE migration_overrides (
      migration_id TEXT NOT NULL REFERENCES migrations (id),
      finding TEXT NOT NULL,
      note TEXT NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (migration_id, finding)
    ) STRICT, WITHOUT ROWID;
  `,
};
