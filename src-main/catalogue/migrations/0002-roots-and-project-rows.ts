import type { Migration } from './migration.ts';

/*
 * What is held of a project `p`: the archives `a` of its id; where there are none, those of its path that belong to no
 * other listed project, as after a project was deleted and imported again. The address tells instances apart: a name may
 * be given anew.
 */
export const ofId =
  'FROM archives a INDEXED BY archives_by_project WHERE a.instance_url = p.url AND a.project_id = p.id';
export const ofPath = `FROM archives a INDEXED BY archives_by_full_path
            WHERE a.instance_url = p.url AND a.full_path = p.path
              AND NOT EXISTS (SELECT 1 FROM project_rows q WHERE q.url = p.url AND q.id = a.project_id)`;
export const newestFirst = 'ORDER BY a.stored_at DESC, a.id DESC LIMIT 1';

const withId = (url: string, id: string): string =>
  `SELECT row FROM project_rows WHERE url = ${url} AND id = ${id}`;
const withPath = (url: string, path: string): string =>
  `SELECT row FROM project_rows WHERE url = ${url} AND path = ${path}`;
/** Rows whose path is one that archives of this id were stored under. */
export const withPathOfId = (url: string, id: string): string =>
  `SELECT row FROM project_rows WHERE url = ${url}
          AND path IN (SELECT full_path FROM archives WHERE instance_url = ${url} AND project_id = ${id})`;

/** Writes columns anew where they differ: each is part of many indexes. */
const renew = (columns: string, view: string, rows: string): string => {
  const now = `(SELECT ${columns} FROM ${view} v WHERE v.row = project_rows.row)`;
  return `
      UPDATE project_rows SET (${columns}) = ${now} WHERE row IN (${rows}) AND (${columns}) IS NOT ${now};`;
};

/** Settles how the projects of `rows` stand, from what is held of them. */
export const judge = (rows: string): string => renew('backup, standing', 'project_facts', rows);

/** Finds what is held of the projects of `rows`, and settles how they stand. */
export const hold = (rows: string): string =>
  renew('archives, newest', 'project_holdings', rows) + judge(rows);

/** Marks the newest of all archives of the project that this one is of. */
export const findNewest = (archive: 'NEW' | 'OLD'): string => {
  const sameProject = (name: string): string =>
    `${name}.instance_url = ${archive}.instance_url AND ${name}.project_id = ${archive}.project_id`;
  const isNewest = `(archives.id = (SELECT a.id FROM archives a INDEXED BY archives_by_project
          WHERE ${sameProject('a')} ${newestFirst}))`;
  return `
      UPDATE archives SET is_newest = ${isNewest} WHERE ${sameProject('archives')} AND is_newest <> ${isNewest};`;
};

export const ofArchive = (archive: 'NEW' | 'OLD'): string =>
  `${withId(`${archive}.instance_url`, `${archive}.project_id`)} UNION ${withPath(`${archive}.instance_url`, `${archive}.full_path`)}`;

/**
 * Archives may stand below several roots. `project_rows` holds what project lists are filtered and sorted by, in real
 * columns and kept up to date by triggers, whoever changes an archive or a job; `projects` keeps what the instance said.
 * `standing` is a position in the contract's `standings`.
 */
export const rootsAndProjectRows: Migration = {
  version: 2,
  sql: `
    CREATE TABLE archives_with_root (
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
      is_newest INTEGER NOT NULL DEFAULT 1 CHECK (is_newest IN (0, 1)),
      -- Long, so it stands last: the others are then read without it.
      manifest TEXT NOT NULL CHECK (json_valid(manifest)),
      UNIQUE (root, path)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO archives_with_root
      SELECT id, 0, path, instance_name, instance_url, project_id, full_path, sha256, size_bytes, stored_at, verdict,
          proof, damaged, findings, pinned,
          strftime('%Y-%m-%dT%H:%M:%fZ', manifest ->> '$.sourceCounts.before.lastActivityAt'), fold(full_path),
          row_number() OVER (PARTITION BY instance_url, project_id ORDER BY stored_at DESC, id DESC) = 1, manifest
        FROM archives;
    DROP TABLE archives;
    ALTER TABLE archives_with_root RENAME TO archives;
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

    CREATE TABLE project_rows (
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
      standing INTEGER NOT NULL DEFAULT 2 CHECK (standing BETWEEN 0 AND 5),
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

    CREATE VIEW project_holdings AS
      SELECT p.row AS row,
          coalesce(nullif((SELECT count(*) ${ofId}), 0), (SELECT count(*) ${ofPath})) AS archives,
          coalesce((SELECT a.id ${ofId} ${newestFirst}), (SELECT a.id ${ofPath} ${newestFirst})) AS newest
        FROM project_rows p;

    CREATE VIEW project_facts AS
      SELECT p.row AS row, a.stored_at AS backup,
          CASE
            WHEN a.damaged IS NOT NULL OR a.verdict = 'unusable' THEN 0
            WHEN a.id IS NULL AND NOT p.may_export THEN 5
            WHEN j.status = 'failed' AND (a.id IS NULL
              OR strftime('%Y-%m-%dT%H:%M:%fZ', j.updated_at / 1000.0, 'unixepoch') > a.stored_at) THEN 1
            WHEN a.id IS NULL THEN 2
            WHEN p.activity > coalesce(a.source_activity, a.stored_at) THEN 3
            ELSE 4
          END AS standing
        FROM project_rows p
        LEFT JOIN archives a ON a.id = p.newest
        LEFT JOIN jobs j ON j.id = (
          SELECT k.id FROM jobs k
            WHERE k.kind = 'export' AND k.instance = p.instance AND k.project = p.path COLLATE NOCASE
              AND k.status IN ('succeeded', 'failed')
            ORDER BY k.id DESC LIMIT 1);

    CREATE TRIGGER project_rows_added AFTER INSERT ON project_rows BEGIN
      ${hold(`SELECT NEW.row UNION ${withPathOfId('NEW.url', 'NEW.id')}`)}
    END;
    CREATE TRIGGER project_rows_moved AFTER UPDATE OF url, path ON project_rows BEGIN
      ${hold(`SELECT NEW.row UNION ${withPathOfId('NEW.url', 'NEW.id')} UNION ${withPathOfId('OLD.url', 'OLD.id')}`)}
    END;
    CREATE TRIGGER project_rows_changed AFTER UPDATE OF may_export, activity ON project_rows BEGIN
      ${judge('SELECT NEW.row')}
    END;
    CREATE TRIGGER project_rows_gone AFTER DELETE ON project_rows BEGIN
      ${hold(withPathOfId('OLD.url', 'OLD.id'))}
    END;
    CREATE TRIGGER archives_added AFTER INSERT ON archives BEGIN
      ${findNewest('NEW')}
      ${hold(ofArchive('NEW'))}
    END;
    CREATE TRIGGER archives_gone AFTER DELETE ON archives BEGIN
      ${findNewest('OLD')}
      ${hold(ofArchive('OLD'))}
    END;
    CREATE TRIGGER archives_changed AFTER UPDATE OF damaged, verdict ON archives BEGIN
      ${judge(ofArchive('NEW'))}
    END;
    CREATE TRIGGER jobs_ended AFTER UPDATE OF status ON jobs
      WHEN NEW.kind = 'export' AND NEW.status IN ('succeeded', 'failed') BEGIN
      ${judge('SELECT row FROM project_rows WHERE instance = NEW.instance AND path = NEW.project')}
    END;

    INSERT INTO project_rows (instance, id, url, path, path_key, name_key, archived, size, activity, may_export)
      SELECT instance, id,
          coalesce(substr(project ->> '$.webUrl', 1, length(project ->> '$.webUrl') - length(full_path) - 1), ''),
          full_path, fold(full_path), fold(name),
          coalesce(project ->> '$.archived', 0), project ->> '$.repositorySizeBytes',
          strftime('%Y-%m-%dT%H:%M:%fZ', project ->> '$.lastActivityAt'),
          coalesce(project ->> '$.accessLevel', 40) >= 40
        FROM projects;
  `,
};
