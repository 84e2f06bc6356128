/** @file The tables of the projects that instances list. */
import type { SubjectTables } from './tables.ts';

export const projectTables: SubjectTables = {
  create: `
-- The projects as the instance describes them.
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

-- The columns for filtering and sorting project lists. A row is written before the row in projects.
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
  -- Triggers write the following columns from archives and jobs.
  archives INTEGER NOT NULL DEFAULT 0,
  newest TEXT,
  backup TEXT,
  -- The backup status: a position in the contract's backupStatuses.
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
`,
};
