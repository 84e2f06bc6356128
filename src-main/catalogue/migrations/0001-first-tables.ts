import type { Migration } from './migration.ts';

export const firstTables: Migration = {
  version: 1,
  sql: `
    CREATE TABLE runs (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL,
      request TEXT NOT NULL CHECK (json_valid(request)),
      created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE jobs (
      id TEXT PRIMARY KEY,
      run_id TEXT NOT NULL REFERENCES runs (id),
      kind TEXT NOT NULL,
      instance TEXT NOT NULL,
      project TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN
        ('queued', 'running', 'waiting', 'cancelling', 'succeeded', 'failed', 'cancelled', 'skipped')),
      state TEXT NOT NULL CHECK (state ->> 'status' = status),
      step TEXT,
      attempt INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      revision INTEGER NOT NULL DEFAULT 1,
      input TEXT NOT NULL CHECK (json_valid(input)),
      result TEXT CHECK (json_valid(result))
    ) STRICT, WITHOUT ROWID;

    -- GitLab compares paths without regard to case, so two spellings are one project.
    CREATE UNIQUE INDEX jobs_open ON jobs (kind, instance, project COLLATE NOCASE)
      WHERE status NOT IN ('succeeded', 'failed', 'cancelled', 'skipped');
    CREATE INDEX jobs_by_status ON jobs (status, id);
    CREATE INDEX jobs_open_by_id ON jobs (id) WHERE status NOT IN ('succeeded', 'failed', 'cancelled', 'skipped');

    -- Which jobs a run waits for: those it enqueued and those it joined.
    CREATE TABLE run_jobs (
      run_id TEXT NOT NULL REFERENCES runs (id),
      job_id TEXT NOT NULL REFERENCES jobs (id),
      PRIMARY KEY (run_id, job_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE job_steps (
      job_id TEXT NOT NULL REFERENCES jobs (id),
      step TEXT NOT NULL,
      attempt INTEGER NOT NULL,
      started_at INTEGER NOT NULL,
      memo TEXT CHECK (json_valid(memo)),
      finished_at INTEGER,
      output TEXT CHECK (json_valid(output)),
      PRIMARY KEY (job_id, step)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE job_events (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      job_id TEXT NOT NULL REFERENCES jobs (id),
      at INTEGER NOT NULL,
      type TEXT NOT NULL,
      message TEXT NOT NULL
    ) STRICT;
    CREATE INDEX job_events_by_job ON job_events (job_id, id);
    CREATE TRIGGER job_events_keep_text BEFORE UPDATE ON job_events
      BEGIN SELECT RAISE(ABORT, 'job events are append-only'); END;
    CREATE TRIGGER job_events_keep_rows BEFORE DELETE ON job_events
      BEGIN SELECT RAISE(ABORT, 'job events are append-only'); END;

    CREATE TABLE lease (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      boot_id TEXT NOT NULL,
      host TEXT NOT NULL,
      pid INTEGER NOT NULL,
      started_at TEXT NOT NULL,
      heartbeat_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE archives (
      id TEXT PRIMARY KEY,
      path TEXT NOT NULL UNIQUE,
      instance_name TEXT NOT NULL,
      instance_url TEXT NOT NULL,
      project_id INTEGER NOT NULL,
      full_path TEXT NOT NULL COLLATE NOCASE,
      sha256 TEXT NOT NULL,
      size_bytes INTEGER NOT NULL,
      stored_at TEXT NOT NULL,
      verdict TEXT NOT NULL CHECK (verdict IN ('sound', 'suspicious', 'unusable')),
      proof TEXT CHECK (json_valid(proof)),
      damaged TEXT CHECK (json_valid(damaged)),
      findings INTEGER NOT NULL,
      pinned INTEGER NOT NULL CHECK (pinned IN (0, 1)),
      manifest TEXT NOT NULL CHECK (json_valid(manifest))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX archives_by_time ON archives (stored_at, id);
    CREATE INDEX archives_by_project ON archives (instance_name, full_path, stored_at, id);
    CREATE INDEX archives_by_sha256 ON archives (sha256);

    CREATE TABLE projects (
      instance TEXT NOT NULL,
      id INTEGER NOT NULL,
      full_path TEXT NOT NULL COLLATE NOCASE,
      name TEXT NOT NULL,
      project TEXT NOT NULL CHECK (json_valid(project)),
      seen_at INTEGER NOT NULL,
      PRIMARY KEY (instance, id),
      UNIQUE (instance, full_path)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE project_lists (
      instance TEXT PRIMARY KEY,
      refreshed_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
};
