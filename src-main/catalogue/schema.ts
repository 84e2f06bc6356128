/** @file The schema of a new catalogue: what all migrations make. Written by its test, never by hand. */
export const schema = `
CREATE TABLE runs (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL,
      request TEXT NOT NULL CHECK (json_valid(request)),
      created_at INTEGER NOT NULL
    , plan_id TEXT, due_at INTEGER CHECK ((due_at IS NULL) = (plan_id IS NULL)), left_out TEXT CHECK (json_valid(left_out)), skipped_why TEXT CHECK (skipped_why IS NULL OR plan_id IS NOT NULL), notes TEXT CHECK (json_valid(notes)), forecast TEXT CHECK (json_valid(forecast))) STRICT, WITHOUT ROWID;
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
CREATE UNIQUE INDEX jobs_open ON jobs (kind, instance, project COLLATE NOCASE)
      WHERE status NOT IN ('succeeded', 'failed', 'cancelled', 'skipped');
CREATE INDEX jobs_by_status ON jobs (status, id);
CREATE INDEX jobs_open_by_id ON jobs (id) WHERE status NOT IN ('succeeded', 'failed', 'cancelled', 'skipped');
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
CREATE TABLE "archives" (
      id TEXT PRIMARY KEY,
      -- Position in the settings' list of roots.
      root INTEGER NOT NULL DEFAULT 0,
      path TEXT NOT NULL,
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
      -- The project's last activity when its source was counted, in UTC with milliseconds.
      source_activity TEXT,
      -- What the path is searched and sorted by, and whether the archive is the newest of its project.
      path_key TEXT NOT NULL DEFAULT '',
      is_newest INTEGER NOT NULL DEFAULT 1 CHECK (is_newest IN (0, 1)), incomplete INTEGER NOT NULL DEFAULT 0 CHECK (incomplete IN (0, 1)),
      UNIQUE (root, path)
    ) STRICT, WITHOUT ROWID;
CREATE INDEX archives_by_time ON archives (stored_at, id);
CREATE INDEX archives_by_name ON archives (instance_name, full_path, stored_at, id);
CREATE INDEX archives_by_project ON archives (instance_url, project_id, stored_at, id, size_bytes);
CREATE INDEX archives_by_full_path ON archives (instance_url, full_path, stored_at, id);
CREATE INDEX archives_by_sha256 ON archives (sha256);
CREATE INDEX archives_by_path ON archives (path);
CREATE INDEX archives_by_project_id ON archives (instance_name, project_id, stored_at, id);
CREATE INDEX archives_newest ON archives (path_key, instance_url, id) WHERE is_newest = 1;
CREATE INDEX archives_bad ON archives (stored_at, id) WHERE damaged IS NOT NULL OR verdict = 'unusable';
CREATE INDEX jobs_by_project ON jobs (kind, instance, project COLLATE NOCASE, id, status);
CREATE INDEX jobs_with_warnings ON jobs (id) WHERE status = 'succeeded' AND state -> '$.warnings' <> '[]';
CREATE UNIQUE INDEX runs_by_firing ON runs (plan_id, due_at) WHERE plan_id IS NOT NULL;
CREATE TABLE plan_failures (
      plan_id TEXT PRIMARY KEY,
      failed_at INTEGER NOT NULL,
      error TEXT NOT NULL CHECK (json_valid(error))
    ) STRICT, WITHOUT ROWID;
CREATE TABLE archive_manifests (
      archive TEXT PRIMARY KEY REFERENCES archives (id) ON DELETE CASCADE,
      manifest TEXT NOT NULL CHECK (json_valid(manifest))
    ) STRICT;
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
CREATE TABLE plan_projects (
      plan_id TEXT NOT NULL,
      project_id INTEGER NOT NULL, full_path TEXT, left_at INTEGER, left_reason TEXT, left_detail TEXT,
      PRIMARY KEY (plan_id, project_id)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE migrations (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL COLLATE NOCASE UNIQUE,
      draft TEXT NOT NULL CHECK (json_valid(draft)),
      -- That one has ended follows from its jobs.
      status TEXT NOT NULL CHECK (status IN ('draft', 'running', 'paused', 'cancelled')),
      created_at INTEGER NOT NULL
    , rests INTEGER NOT NULL DEFAULT 0 CHECK (rests IN (0, 1))) STRICT, WITHOUT ROWID;
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
      changed_since INTEGER, left_marked INTEGER NOT NULL DEFAULT 0 CHECK (left_marked IN (0, 1)), placed_after INTEGER NOT NULL DEFAULT 0, comparing_error TEXT CHECK (json_valid(comparing_error)),
      PRIMARY KEY (migration_id, source_id)
    ) STRICT, WITHOUT ROWID;
CREATE INDEX migration_projects_by_import ON migration_projects (import_job) WHERE import_job IS NOT NULL;
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
CREATE TABLE migration_groups (
      migration_id TEXT NOT NULL REFERENCES migrations (id),
      path TEXT NOT NULL COLLATE NOCASE,
      visibility TEXT NOT NULL,
      -- The order in which they are created.
      place INTEGER NOT NULL,
      job_id TEXT REFERENCES jobs (id),
      PRIMARY KEY (migration_id, path)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE migration_finishes (
      migration_id TEXT NOT NULL REFERENCES migrations (id),
      run_id TEXT NOT NULL REFERENCES runs (id),
      PRIMARY KEY (migration_id, run_id)
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
CREATE TABLE import_failure_gaps (
      import_job TEXT NOT NULL REFERENCES jobs (id),
      oldest_listed INTEGER NOT NULL,
      unseen INTEGER,
      PRIMARY KEY (import_job, oldest_listed)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE plan_beginnings (
      plan_id TEXT PRIMARY KEY,
      began_at INTEGER NOT NULL,
      boot_id TEXT NOT NULL,
      pid INTEGER NOT NULL,
      started_at TEXT NOT NULL,
      -- When that process was last heard of.
      seen_at INTEGER NOT NULL,
      -- Who asked that it be ended.
      cancelled_by TEXT
    ) STRICT, WITHOUT ROWID;
CREATE INDEX migrations_tended ON migrations (id) WHERE status <> 'draft' AND rests = 0;
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
CREATE TABLE migration_acceptances (
      ref INTEGER PRIMARY KEY AUTOINCREMENT,
      migration_id TEXT NOT NULL,
      source_id INTEGER NOT NULL,
      -- What a difference is known by from one comparison to the next.
      difference TEXT NOT NULL,
      -- How much was missing when it was accepted: what is missing beyond that is open.
      missing INTEGER NOT NULL CHECK (missing > 0),
      note TEXT NOT NULL,
      at INTEGER NOT NULL,
      UNIQUE (migration_id, source_id, difference),
      FOREIGN KEY (migration_id, source_id) REFERENCES migration_projects (migration_id, source_id)
    ) STRICT;
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
CREATE TABLE migration_overrides (
      ref INTEGER PRIMARY KEY AUTOINCREMENT,
      migration_id TEXT NOT NULL REFERENCES migrations (id),
      finding TEXT NOT NULL,
      -- Null: it was taken back.
      note TEXT,
      at INTEGER NOT NULL
    ) STRICT;
CREATE INDEX migration_overrides_by_finding ON migration_overrides (migration_id, finding, ref);
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
CREATE TABLE absent_roots (root INTEGER PRIMARY KEY) STRICT;
CREATE TABLE "project_rows" (
      row INTEGER PRIMARY KEY,
      instance TEXT NOT NULL,
      id INTEGER NOT NULL,
      url TEXT NOT NULL,
      path TEXT NOT NULL COLLATE NOCASE,
      path_key TEXT NOT NULL,
      name_key TEXT NOT NULL,
      archived INTEGER NOT NULL CHECK (archived IN (0, 1)),
      size INTEGER,
      activity TEXT,
      may_export INTEGER NOT NULL CHECK (may_export IN (0, 1)),
      archives INTEGER NOT NULL DEFAULT 0,
      newest TEXT,
      backup TEXT,
      -- A position in the contract's standings.
      standing INTEGER NOT NULL DEFAULT 4 CHECK (standing >= 0),
      UNIQUE (instance, id)
    ) STRICT;
CREATE INDEX project_rows_by_url_id ON project_rows (url, id);
CREATE INDEX project_rows_by_url_path ON project_rows (url, path);
CREATE INDEX project_rows_by_instance_path ON project_rows (instance, path);
CREATE INDEX project_rows_by_standing ON project_rows (instance, standing);
CREATE INDEX project_rows_sort_path ON project_rows (path_key, instance, archived, standing);
CREATE INDEX project_rows_sort_name ON project_rows (name_key, path_key, instance, archived, standing);
CREATE INDEX project_rows_sort_instance ON project_rows (instance, path_key, archived, standing);
CREATE INDEX project_rows_sort_activity ON project_rows (activity, path_key, instance, archived, standing);
CREATE INDEX project_rows_sort_size ON project_rows (size, path_key, instance, archived, standing);
CREATE INDEX project_rows_sort_standing ON project_rows (standing, path_key, instance, archived);
CREATE INDEX project_rows_sort_backup ON project_rows (backup, path_key, instance, archived, standing);
CREATE TRIGGER projects_added AFTER INSERT ON projects
      WHEN EXISTS (SELECT 1 FROM project_rows r WHERE r.instance = NEW.instance AND r.id = NEW.id AND (
          EXISTS (SELECT 1 FROM archives a INDEXED BY archives_by_project
            WHERE a.instance_url = r.url AND a.project_id = r.id)
          OR EXISTS (SELECT 1 FROM archives a INDEXED BY archives_by_full_path
            WHERE a.instance_url = r.url AND a.full_path = r.path)
          OR EXISTS (SELECT 1 FROM jobs j
            WHERE j.kind = 'export' AND j.instance = r.instance AND j.project = r.path COLLATE NOCASE))) BEGIN
      
      UPDATE project_rows SET (archives, newest) = (SELECT archives, newest FROM project_holdings v WHERE v.row = project_rows.row) WHERE row IN (SELECT r.row FROM project_rows r WHERE r.instance = NEW.instance AND r.id = NEW.id
          UNION SELECT o.row FROM project_rows r
            JOIN archives a ON a.instance_url = r.url AND a.project_id = r.id
            JOIN project_rows o ON o.url = r.url AND o.path = a.full_path
          WHERE r.instance = NEW.instance AND r.id = NEW.id) AND (archives, newest) IS NOT (SELECT archives, newest FROM project_holdings v WHERE v.row = project_rows.row);
      UPDATE project_rows SET (backup, standing) = (SELECT backup, standing FROM project_facts v WHERE v.row = project_rows.row) WHERE row IN (SELECT r.row FROM project_rows r WHERE r.instance = NEW.instance AND r.id = NEW.id
          UNION SELECT o.row FROM project_rows r
            JOIN archives a ON a.instance_url = r.url AND a.project_id = r.id
            JOIN project_rows o ON o.url = r.url AND o.path = a.full_path
          WHERE r.instance = NEW.instance AND r.id = NEW.id) AND (backup, standing) IS NOT (SELECT backup, standing FROM project_facts v WHERE v.row = project_rows.row);
    END;
CREATE TRIGGER project_rows_moved AFTER UPDATE OF url, path ON project_rows BEGIN
      
      UPDATE project_rows SET (archives, newest) = (SELECT archives, newest FROM project_holdings v WHERE v.row = project_rows.row) WHERE row IN (SELECT NEW.row UNION SELECT row FROM project_rows WHERE url = NEW.url
          AND path IN (SELECT full_path FROM archives WHERE instance_url = NEW.url AND project_id = NEW.id) UNION SELECT row FROM project_rows WHERE url = OLD.url
          AND path IN (SELECT full_path FROM archives WHERE instance_url = OLD.url AND project_id = OLD.id)) AND (archives, newest) IS NOT (SELECT archives, newest FROM project_holdings v WHERE v.row = project_rows.row);
      UPDATE project_rows SET (backup, standing) = (SELECT backup, standing FROM project_facts v WHERE v.row = project_rows.row) WHERE row IN (SELECT NEW.row UNION SELECT row FROM project_rows WHERE url = NEW.url
          AND path IN (SELECT full_path FROM archives WHERE instance_url = NEW.url AND project_id = NEW.id) UNION SELECT row FROM project_rows WHERE url = OLD.url
          AND path IN (SELECT full_path FROM archives WHERE instance_url = OLD.url AND project_id = OLD.id)) AND (backup, standing) IS NOT (SELECT backup, standing FROM project_facts v WHERE v.row = project_rows.row);
    END;
CREATE TRIGGER project_rows_changed AFTER UPDATE OF may_export, activity ON project_rows BEGIN
      
      UPDATE project_rows SET (backup, standing) = (SELECT backup, standing FROM project_facts v WHERE v.row = project_rows.row) WHERE row IN (SELECT NEW.row) AND (backup, standing) IS NOT (SELECT backup, standing FROM project_facts v WHERE v.row = project_rows.row);
    END;
CREATE TRIGGER project_rows_gone AFTER DELETE ON project_rows BEGIN
      
      UPDATE project_rows SET (archives, newest) = (SELECT archives, newest FROM project_holdings v WHERE v.row = project_rows.row) WHERE row IN (SELECT row FROM project_rows WHERE url = OLD.url
          AND path IN (SELECT full_path FROM archives WHERE instance_url = OLD.url AND project_id = OLD.id)) AND (archives, newest) IS NOT (SELECT archives, newest FROM project_holdings v WHERE v.row = project_rows.row);
      UPDATE project_rows SET (backup, standing) = (SELECT backup, standing FROM project_facts v WHERE v.row = project_rows.row) WHERE row IN (SELECT row FROM project_rows WHERE url = OLD.url
          AND path IN (SELECT full_path FROM archives WHERE instance_url = OLD.url AND project_id = OLD.id)) AND (backup, standing) IS NOT (SELECT backup, standing FROM project_facts v WHERE v.row = project_rows.row);
    END;
CREATE TRIGGER archives_added AFTER INSERT ON archives BEGIN
      
      UPDATE archives SET is_newest = (archives.id = (SELECT a.id FROM archives a INDEXED BY archives_by_project
          WHERE a.instance_url = NEW.instance_url AND a.project_id = NEW.project_id ORDER BY a.stored_at DESC, a.id DESC LIMIT 1)) WHERE archives.instance_url = NEW.instance_url AND archives.project_id = NEW.project_id AND is_newest <> (archives.id = (SELECT a.id FROM archives a INDEXED BY archives_by_project
          WHERE a.instance_url = NEW.instance_url AND a.project_id = NEW.project_id ORDER BY a.stored_at DESC, a.id DESC LIMIT 1));
      
      UPDATE project_rows SET (archives, newest) = (SELECT archives, newest FROM project_holdings v WHERE v.row = project_rows.row) WHERE row IN (SELECT row FROM project_rows WHERE url = NEW.instance_url AND id = NEW.project_id UNION SELECT row FROM project_rows WHERE url = NEW.instance_url AND path = NEW.full_path) AND (archives, newest) IS NOT (SELECT archives, newest FROM project_holdings v WHERE v.row = project_rows.row);
      UPDATE project_rows SET (backup, standing) = (SELECT backup, standing FROM project_facts v WHERE v.row = project_rows.row) WHERE row IN (SELECT row FROM project_rows WHERE url = NEW.instance_url AND id = NEW.project_id UNION SELECT row FROM project_rows WHERE url = NEW.instance_url AND path = NEW.full_path) AND (backup, standing) IS NOT (SELECT backup, standing FROM project_facts v WHERE v.row = project_rows.row);
    END;
CREATE TRIGGER archives_gone AFTER DELETE ON archives BEGIN
      
      UPDATE archives SET is_newest = (archives.id = (SELECT a.id FROM archives a INDEXED BY archives_by_project
          WHERE a.instance_url = OLD.instance_url AND a.project_id = OLD.project_id ORDER BY a.stored_at DESC, a.id DESC LIMIT 1)) WHERE archives.instance_url = OLD.instance_url AND archives.project_id = OLD.project_id AND is_newest <> (archives.id = (SELECT a.id FROM archives a INDEXED BY archives_by_project
          WHERE a.instance_url = OLD.instance_url AND a.project_id = OLD.project_id ORDER BY a.stored_at DESC, a.id DESC LIMIT 1));
      
      UPDATE project_rows SET (archives, newest) = (SELECT archives, newest FROM project_holdings v WHERE v.row = project_rows.row) WHERE row IN (SELECT row FROM project_rows WHERE url = OLD.instance_url AND id = OLD.project_id UNION SELECT row FROM project_rows WHERE url = OLD.instance_url AND path = OLD.full_path) AND (archives, newest) IS NOT (SELECT archives, newest FROM project_holdings v WHERE v.row = project_rows.row);
      UPDATE project_rows SET (backup, standing) = (SELECT backup, standing FROM project_facts v WHERE v.row = project_rows.row) WHERE row IN (SELECT row FROM project_rows WHERE url = OLD.instance_url AND id = OLD.project_id UNION SELECT row FROM project_rows WHERE url = OLD.instance_url AND path = OLD.full_path) AND (backup, standing) IS NOT (SELECT backup, standing FROM project_facts v WHERE v.row = project_rows.row);
    END;
CREATE TRIGGER archives_changed AFTER UPDATE OF damaged, verdict, incomplete ON archives BEGIN
      
      UPDATE project_rows SET (backup, standing) = (SELECT backup, standing FROM project_facts v WHERE v.row = project_rows.row) WHERE row IN (SELECT row FROM project_rows WHERE url = NEW.instance_url AND id = NEW.project_id UNION SELECT row FROM project_rows WHERE url = NEW.instance_url AND path = NEW.full_path) AND (backup, standing) IS NOT (SELECT backup, standing FROM project_facts v WHERE v.row = project_rows.row);
    END;
CREATE TRIGGER jobs_ended AFTER UPDATE OF status ON jobs
      WHEN NEW.kind = 'export' AND NEW.status IN ('succeeded', 'failed', 'skipped') BEGIN
      
      UPDATE project_rows SET (backup, standing) = (SELECT backup, standing FROM project_facts v WHERE v.row = project_rows.row) WHERE row IN (SELECT row FROM project_rows WHERE instance = NEW.instance AND path = NEW.project) AND (backup, standing) IS NOT (SELECT backup, standing FROM project_facts v WHERE v.row = project_rows.row);
    END;
CREATE TRIGGER root_went AFTER INSERT ON absent_roots BEGIN
      
      UPDATE project_rows SET (backup, standing) = (SELECT backup, standing FROM project_facts v WHERE v.row = project_rows.row) WHERE row IN (SELECT p.row FROM project_rows p JOIN archives a ON a.id = p.newest WHERE a.root = NEW.root) AND (backup, standing) IS NOT (SELECT backup, standing FROM project_facts v WHERE v.row = project_rows.row);
    END;
CREATE TRIGGER root_came AFTER DELETE ON absent_roots BEGIN
      
      UPDATE project_rows SET (backup, standing) = (SELECT backup, standing FROM project_facts v WHERE v.row = project_rows.row) WHERE row IN (SELECT p.row FROM project_rows p JOIN archives a ON a.id = p.newest WHERE a.root = OLD.root) AND (backup, standing) IS NOT (SELECT backup, standing FROM project_facts v WHERE v.row = project_rows.row);
    END;
CREATE TABLE awaited (
      boot_id TEXT NOT NULL,
      host TEXT NOT NULL,
      pid INTEGER NOT NULL,
      started_at TEXT NOT NULL,
      heartbeat_at INTEGER NOT NULL,
      -- The run or the project migration that is waited for; the process waits for all jobs where both are null.
      run_id TEXT,
      migration_id TEXT
    ) STRICT;
CREATE VIEW project_facts AS
      SELECT p.row AS row, a.stored_at AS backup, CASE
            WHEN a.root IN (SELECT root FROM absent_roots) THEN 0
            WHEN a.damaged IS NOT NULL OR a.verdict = 'unusable' THEN 1
            WHEN a.incomplete = 1 THEN 2
            WHEN a.verdict = 'suspicious' THEN 3
            WHEN a.id IS NULL AND NOT p.may_export THEN 8
            WHEN j.status = 'failed' AND (a.id IS NULL
              OR strftime('%Y-%m-%dT%H:%M:%fZ', j.updated_at / 1000.0, 'unixepoch') > a.stored_at) THEN 4
            WHEN a.id IS NULL THEN 5
            WHEN p.activity > coalesce(a.source_activity, a.stored_at) THEN 6
            ELSE 7
          END AS standing
        FROM project_rows p
        LEFT JOIN archives a ON a.id = p.newest
        LEFT JOIN jobs j ON j.id = (
          SELECT k.id FROM jobs k
            WHERE k.kind = 'export' AND k.instance = p.instance AND k.project = p.path COLLATE NOCASE
              AND k.status IN ('succeeded', 'failed', 'skipped')
            ORDER BY k.id DESC LIMIT 1);
CREATE TABLE dismissals (
      -- What happened once: a job that ended, or a project that left a scope at a time.
      subject TEXT PRIMARY KEY,
      -- The item of the overview that told of it. One item can tell of several jobs.
      item TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE INDEX dismissals_by_item ON dismissals (item);
CREATE VIEW project_holdings AS
      SELECT p.row AS row,
          coalesce(nullif((SELECT count(*) FROM archives a INDEXED BY archives_by_project WHERE a.instance_url = p.url AND a.project_id = p.id), 0), (SELECT count(*) FROM archives a INDEXED BY archives_by_full_path
            WHERE a.instance_url = p.url AND a.full_path = p.path AND a.project_id < 0)) AS archives,
          coalesce((SELECT a.id FROM archives a INDEXED BY archives_by_project WHERE a.instance_url = p.url AND a.project_id = p.id ORDER BY a.stored_at DESC, a.id DESC LIMIT 1), (SELECT a.id FROM archives a INDEXED BY archives_by_full_path
            WHERE a.instance_url = p.url AND a.full_path = p.path AND a.project_id < 0 ORDER BY a.stored_at DESC, a.id DESC LIMIT 1)) AS newest
        FROM project_rows p;
`;
