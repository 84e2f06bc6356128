import type { Migration } from './migration.ts';

/** Migrations of projects, with the jobs that move each; which run groups the jobs of a wave; what the checks found; failures of imports. */
export const projectMigrations: Migration = {
  version: 9,
  sql: `
    CREATE TABLE migrations (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL COLLATE NOCASE UNIQUE,
      draft TEXT NOT NULL CHECK (json_valid(draft)),
      -- That one has ended follows from its jobs.
      status TEXT NOT NULL CHECK (status IN ('draft', 'running', 'paused', 'cancelled')),
      created_at INTEGER NOT NULL
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
      PRIMARY KEY (migration_id, source_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX migration_projects_by_import ON migration_projects (import_job) WHERE import_job IS NOT NULL;

    -- Source, archive and target as they were compared last, after the import. Lists read what is short of it, and stand first.
    CREATE TABLE migration_comparisons (
      ref INTEGER PRIMARY KEY AUTOINCREMENT,
      migration_id TEXT NOT NULL,
      source_id INTEGER NOT NULL,
      reconciled INTEGER NOT NULL GENERATED ALWAYS AS (reconciliation ->> '$.reconciled') STORED,
      missing INTEGER NOT NULL GENERATED ALWAYS AS (reconciliation ->> '$.missingCount') STORED,
      settings INTEGER NOT NULL GENERATED ALWAYS AS (json_array_length(reconciliation, '$.settings')) STORED,
      reconciliation TEXT NOT NULL CHECK (json_valid(reconciliation)),
      UNIQUE (migration_id, source_id),
      FOREIGN KEY (migration_id, source_id) REFERENCES migration_projects (migration_id, source_id)
    ) STRICT;

    CREATE TABLE migration_retries (
      migration_id TEXT NOT NULL,
      source_id INTEGER NOT NULL,
      job_id TEXT NOT NULL REFERENCES jobs (id),
      -- What arrived was compared since it ended.
      compared INTEGER NOT NULL DEFAULT 0 CHECK (compared IN (0, 1)),
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

    -- What the last check of a migration found; a change of the migration forgets it.
    CREATE TABLE migration_checks (
      migration_id TEXT PRIMARY KEY REFERENCES migrations (id),
      at INTEGER NOT NULL,
      blockers TEXT NOT NULL CHECK (json_valid(blockers)),
      missing_groups TEXT NOT NULL CHECK (json_valid(missing_groups)),
      report TEXT NOT NULL CHECK (json_valid(report))
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE migration_groups (
      migration_id TEXT NOT NULL REFERENCES migrations (id),
      path TEXT NOT NULL COLLATE NOCASE,
      visibility TEXT NOT NULL,
      -- The order in which they are created.
      place INTEGER NOT NULL,
      job_id TEXT REFERENCES jobs (id),
      PRIMARY KEY (migration_id, path)
    ) STRICT, WITHOUT ROWID;

    -- Runs that said on sources, afterwards, that they were moved.
    CREATE TABLE migration_finishes (
      migration_id TEXT NOT NULL REFERENCES migrations (id),
      run_id TEXT NOT NULL REFERENCES runs (id),
      PRIMARY KEY (migration_id, run_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE migration_overrides (
      migration_id TEXT NOT NULL REFERENCES migrations (id),
      finding TEXT NOT NULL,
      note TEXT NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (migration_id, finding)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE import_failures (
      ref INTEGER PRIMARY KEY,
      import_job TEXT NOT NULL REFERENCES jobs (id),
      instance TEXT NOT NULL,
      project TEXT NOT NULL COLLATE NOCASE,
      project_id INTEGER NOT NULL,
      archive_id TEXT,
      archive_path TEXT,
      -- As the server lists it; its ids are unique on one instance.
      server_id INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      exception_class TEXT NOT NULL,
      exception_message TEXT,
      source TEXT NOT NULL,
      relation TEXT,
      line INTEGER,
      first_seen INTEGER NOT NULL,
      state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'retried', 'resolved', 'accepted')),
      note TEXT,
      changed_at INTEGER NOT NULL,
      -- What names the record, read out of the archive.
      record TEXT CHECK (json_valid(record)),
      UNIQUE (import_job, server_id)
    ) STRICT;
    CREATE INDEX import_failures_by_place ON import_failures (import_job, relation, line);
    CREATE INDEX import_failures_by_state ON import_failures (import_job, state, changed_at);

    -- Lists of failures that were cut, and how many are thought to have been in the gap; null: nobody can tell.
    CREATE TABLE import_failure_gaps (
      import_job TEXT NOT NULL REFERENCES jobs (id),
      oldest_listed INTEGER NOT NULL,
      unseen INTEGER,
      PRIMARY KEY (import_job, oldest_listed)
    ) STRICT, WITHOUT ROWID;
  `,
};
