/** @file The tables of stored archives and of the folders they are in. */
import type { SubjectTables } from './tables.ts';

export const archiveTables: SubjectTables = {
  create: `
CREATE TABLE archives (
  id TEXT PRIMARY KEY,
  -- Position in the settings' list of archive folders.
  root INTEGER NOT NULL DEFAULT 0,
  path TEXT NOT NULL,
  instance_name TEXT NOT NULL,
  instance_url TEXT NOT NULL,
  -- Negative if it is unknown.
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
  -- The project's last activity when the records of the source were counted, in UTC with milliseconds.
  source_activity TEXT,
  -- The form of the path that searching and sorting use.
  path_key TEXT NOT NULL DEFAULT '',
  -- Whether the archive is the newest of its project.
  is_newest INTEGER NOT NULL DEFAULT 1 CHECK (is_newest IN (0, 1)),
  -- Whether it is known to lack what its source had.
  incomplete INTEGER NOT NULL DEFAULT 0 CHECK (incomplete IN (0, 1)),
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

-- The table archives has no row ids, so each manifest in it would take a whole page of the file. Here, one page holds several manifests.
CREATE TABLE archive_manifests (
  archive TEXT PRIMARY KEY REFERENCES archives (id) ON DELETE CASCADE,
  manifest TEXT NOT NULL CHECK (json_valid(manifest))
) STRICT;

-- The archive folders that did not exist at the last check, as positions in the settings’ list.
CREATE TABLE absent_roots (root INTEGER PRIMARY KEY) STRICT;
`,
};
