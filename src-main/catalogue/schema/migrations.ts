/** @file The tables of migrations, which move projects, and of the records that imports failed to create. */
import type { SubjectTables } from './tables.ts';

/** The last comparison of source, archive and target after the import. Lists read the generated columns, so they come first. */
const comparisonsTable = `CREATE TABLE migration_comparisons (
  ref INTEGER PRIMARY KEY AUTOINCREMENT,
  migration_id TEXT NOT NULL,
  source_id INTEGER NOT NULL,
  reconciled INTEGER NOT NULL GENERATED ALWAYS AS (reconciliation ->> '$.reconciled') STORED,
  -- Older versions stored no depth, and compared names at most.
  depth TEXT NOT NULL GENERATED ALWAYS AS (coalesce(reconciliation ->> '$.depth', 'names')) STORED,
  missing INTEGER NOT NULL GENERATED ALWAYS AS (reconciliation ->> '$.missingCount') STORED,
  settings INTEGER NOT NULL GENERATED ALWAYS AS (json_array_length(reconciliation, '$.settings')) STORED,
  reconciliation TEXT NOT NULL CHECK (json_valid(reconciliation)),
  UNIQUE (migration_id, source_id),
  FOREIGN KEY (migration_id, source_id) REFERENCES migration_projects (migration_id, source_id)
) STRICT;`;

export const migrationTables: SubjectTables = {
  create: `
CREATE TABLE migrations (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL COLLATE NOCASE UNIQUE,
  draft TEXT NOT NULL CHECK (json_valid(draft)),
  -- The jobs show whether a migration has ended.
  status TEXT NOT NULL CHECK (status IN ('draft', 'running', 'paused', 'cancelled')),
  created_at INTEGER NOT NULL,
  -- 1: nothing was left to do, and the migration has not changed since. Triggers reset it after every change.
  rests INTEGER NOT NULL DEFAULT 0 CHECK (rests IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE INDEX migrations_tended ON migrations (id) WHERE status <> 'draft' AND rests = 0;

-- The projects of a migration with the jobs that move each.
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
  -- 1: the source may still be archived by a freeze job that was reset.
  left_marked INTEGER NOT NULL DEFAULT 0 CHECK (left_marked IN (0, 1)),
  -- The newest check when the placement was last changed; 0: there was none.
  placed_after INTEGER NOT NULL DEFAULT 0,
  -- Why the last comparison failed; null once one succeeded.
  comparing_error TEXT CHECK (json_valid(comparing_error)),
  PRIMARY KEY (migration_id, source_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX migration_projects_by_import ON migration_projects (import_job) WHERE import_job IS NOT NULL;

${comparisonsTable}
-- Losses that a comparison found, that GitLab lists nowhere, and that a user accepted.
CREATE TABLE migration_acceptances (
  ref INTEGER PRIMARY KEY AUTOINCREMENT,
  migration_id TEXT NOT NULL,
  source_id INTEGER NOT NULL,
  -- Identifies a difference from one comparison to the next.
  difference TEXT NOT NULL,
  -- The missing number when it was accepted. Further missing records are open.
  missing INTEGER NOT NULL CHECK (missing > 0),
  note TEXT NOT NULL,
  at INTEGER NOT NULL,
  UNIQUE (migration_id, source_id, difference),
  FOREIGN KEY (migration_id, source_id) REFERENCES migration_projects (migration_id, source_id)
) STRICT;

CREATE TABLE migration_retries (
  migration_id TEXT NOT NULL,
  source_id INTEGER NOT NULL,
  job_id TEXT NOT NULL REFERENCES jobs (id),
  -- Whether the target was compared after the job ended.
  compared INTEGER NOT NULL DEFAULT 0 CHECK (compared IN (0, 1)),
  PRIMARY KEY (migration_id, source_id, job_id),
  FOREIGN KEY (migration_id, source_id) REFERENCES migration_projects (migration_id, source_id)
) STRICT, WITHOUT ROWID;

-- The runs that group the jobs of a wave.
CREATE TABLE migration_runs (
  migration_id TEXT NOT NULL REFERENCES migrations (id),
  wave INTEGER NOT NULL,
  move TEXT NOT NULL,
  run_id TEXT NOT NULL REFERENCES runs (id),
  PRIMARY KEY (migration_id, wave, move)
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

-- The runs that marked the sources as moved after the migration.
CREATE TABLE migration_finishes (
  migration_id TEXT NOT NULL REFERENCES migrations (id),
  run_id TEXT NOT NULL REFERENCES runs (id),
  PRIMARY KEY (migration_id, run_id)
) STRICT, WITHOUT ROWID;

-- The results of the checks before a migration. The check that a project was moved under is kept.
CREATE TABLE migration_checks (
  ref INTEGER PRIMARY KEY AUTOINCREMENT,
  migration_id TEXT NOT NULL REFERENCES migrations (id),
  at INTEGER NOT NULL,
  blockers TEXT NOT NULL CHECK (json_valid(blockers)),
  missing_groups TEXT NOT NULL CHECK (json_valid(missing_groups)),
  report TEXT NOT NULL CHECK (json_valid(report)),
  -- 1: nothing was changed or checked since, so the migration may be started with this check.
  holds INTEGER NOT NULL DEFAULT 1 CHECK (holds IN (0, 1))
) STRICT;
CREATE UNIQUE INDEX migration_checks_that_hold ON migration_checks (migration_id) WHERE holds = 1;
CREATE INDEX migration_checks_by_migration ON migration_checks (migration_id, ref);

-- Blockers that a user overrode. Rows are only added.
CREATE TABLE migration_overrides (
  ref INTEGER PRIMARY KEY AUTOINCREMENT,
  migration_id TEXT NOT NULL REFERENCES migrations (id),
  finding TEXT NOT NULL,
  -- Null if the override was withdrawn.
  note TEXT,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX migration_overrides_by_finding ON migration_overrides (migration_id, finding, ref);

-- The check that each project was moved under.
CREATE TABLE migration_project_checks (
  migration_id TEXT NOT NULL,
  source_id INTEGER NOT NULL,
  check_ref INTEGER NOT NULL REFERENCES migration_checks (ref),
  -- The newest override at that time; 0: there was none.
  overrides_ref INTEGER NOT NULL,
  -- Whether the placement was changed after that check.
  placed_since INTEGER NOT NULL CHECK (placed_since IN (0, 1)),
  PRIMARY KEY (migration_id, source_id),
  FOREIGN KEY (migration_id, source_id) REFERENCES migration_projects (migration_id, source_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX migration_project_checks_by_check ON migration_project_checks (check_ref);

CREATE TABLE import_failures (
  ref INTEGER PRIMARY KEY,
  import_job TEXT NOT NULL REFERENCES jobs (id),
  instance TEXT NOT NULL,
  project TEXT NOT NULL COLLATE NOCASE,
  project_id INTEGER NOT NULL,
  archive_id TEXT,
  archive_path TEXT,
  -- The server's id of the failure, unique on one instance.
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
  -- The identifying fields of the record, read from the archive.
  record TEXT CHECK (json_valid(record)),
  UNIQUE (import_job, server_id)
) STRICT;
CREATE INDEX import_failures_by_place ON import_failures (import_job, relation, line);
CREATE INDEX import_failures_by_state ON import_failures (import_job, state, changed_at);

-- Truncated lists of failures, and how many failures are missing from each; null: unknown.
CREATE TABLE import_failure_gaps (
  import_job TEXT NOT NULL REFERENCES jobs (id),
  oldest_listed INTEGER NOT NULL,
  unseen INTEGER,
  PRIMARY KEY (import_job, oldest_listed)
) STRICT, WITHOUT ROWID;
`,
  upgrades: {
    // SQLite cannot add a stored column to a table.
    23: `
ALTER TABLE migration_comparisons RENAME TO older_comparisons;
${comparisonsTable}
INSERT INTO migration_comparisons (ref, migration_id, source_id, reconciliation)
  SELECT ref, migration_id, source_id, reconciliation FROM older_comparisons;
DROP TABLE older_comparisons;
`,
  },
};

/** Resets `rests` of a migration when any part of the migration changes. */
export const migrationTriggers = `
CREATE TRIGGER migrations_status AFTER UPDATE OF status ON migrations BEGIN
  UPDATE migrations SET rests = 0 WHERE id = NEW.id;
END;
CREATE TRIGGER migration_projects_added AFTER INSERT ON migration_projects BEGIN
  UPDATE migrations SET rests = 0 WHERE id = NEW.migration_id AND rests = 1;
END;
CREATE TRIGGER migration_projects_changed AFTER UPDATE ON migration_projects BEGIN
  UPDATE migrations SET rests = 0 WHERE id = NEW.migration_id AND rests = 1;
END;
CREATE TRIGGER migration_retries_added AFTER INSERT ON migration_retries BEGIN
  UPDATE migrations SET rests = 0 WHERE id = NEW.migration_id AND rests = 1;
END;
CREATE TRIGGER migration_groups_added AFTER INSERT ON migration_groups BEGIN
  UPDATE migrations SET rests = 0 WHERE id = NEW.migration_id AND rests = 1;
END;
CREATE TRIGGER migration_groups_changed AFTER UPDATE ON migration_groups BEGIN
  UPDATE migrations SET rests = 0 WHERE id = NEW.migration_id AND rests = 1;
END;
`;
