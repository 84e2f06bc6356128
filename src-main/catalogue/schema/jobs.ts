/** @file The tables of runs and jobs, of the processes that run them, and of dismissed items. */
import type { SubjectTables } from './tables.ts';

export const jobTables: SubjectTables = {
  create: `
CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  request TEXT NOT NULL CHECK (json_valid(request)),
  created_at INTEGER NOT NULL,
  -- The plan that started the run, and the due time; null for a run that a user started.
  plan_id TEXT,
  due_at INTEGER CHECK ((due_at IS NULL) = (plan_id IS NULL)),
  left_out TEXT CHECK (json_valid(left_out)),
  -- 'paused' or 'once'; such a run has no jobs. A later start for the same due time replaces a 'paused' run.
  skipped_why TEXT CHECK (skipped_why IS NULL OR plan_id IS NOT NULL),
  notes TEXT CHECK (json_valid(notes)),
  -- {"endsAt", "count", "known"}; null if nothing was known, and for a run that a user started.
  forecast TEXT CHECK (json_valid(forecast))
) STRICT, WITHOUT ROWID;
-- Each due time of a plan has at most one run, whichever process makes it.
CREATE UNIQUE INDEX runs_by_firing ON runs (plan_id, due_at) WHERE plan_id IS NOT NULL;

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
CREATE INDEX jobs_by_project ON jobs (kind, instance, project COLLATE NOCASE, id, status);
CREATE INDEX jobs_with_warnings ON jobs (id) WHERE status = 'succeeded' AND state -> '$.warnings' <> '[]';

-- The jobs that a run waits for: those it enqueued and those it joined.
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

-- Each request that may have changed something on an instance. Rows outlive their job and their instance, and never change.
CREATE TABLE write_requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  instance TEXT NOT NULL,
  job TEXT,
  at INTEGER NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  status INTEGER
) STRICT;
CREATE INDEX write_requests_by_instance ON write_requests (instance, id);
CREATE INDEX write_requests_by_job ON write_requests (job, id) WHERE job IS NOT NULL;

-- The process that runs the jobs of this data folder.
CREATE TABLE lease (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  boot_id TEXT NOT NULL,
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  started_at TEXT NOT NULL,
  heartbeat_at INTEGER NOT NULL
) STRICT;

-- The processes that wait for work, so that the process with the lease runs their jobs too.
CREATE TABLE awaited (
  boot_id TEXT NOT NULL,
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  started_at TEXT NOT NULL,
  heartbeat_at INTEGER NOT NULL,
  -- The awaited run or project migration. If both are null, the process waits for all jobs.
  run_id TEXT,
  migration_id TEXT
) STRICT;

-- Items that a user dismissed from the overview.
CREATE TABLE dismissals (
  -- The event: a job that ended, or a project that left a scope at a certain time.
  subject TEXT PRIMARY KEY,
  -- The item of the overview that reported it. One item can report several jobs.
  item TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX dismissals_by_item ON dismissals (item);
`,
};

export const jobTriggers = `
CREATE TRIGGER job_events_keep_text BEFORE UPDATE ON job_events BEGIN
  SELECT RAISE(ABORT, 'job events are append-only');
END;
CREATE TRIGGER job_events_keep_rows BEFORE DELETE ON job_events BEGIN
  SELECT RAISE(ABORT, 'job events are append-only');
END;
`;
