/** @file The tables of plans. The plans themselves are in the settings, their runs in the table `runs`. */
import type { SubjectTables } from './tables.ts';

export const planTables: SubjectTables = {
  create: `
-- Why a plan could not fire. The row is deleted once the plan has fired.
CREATE TABLE plan_failures (
  plan_id TEXT PRIMARY KEY,
  failed_at INTEGER NOT NULL,
  error TEXT NOT NULL CHECK (json_valid(error))
) STRICT, WITHOUT ROWID;

-- The projects that a scope covered, and when and why each left it.
CREATE TABLE plan_projects (
  plan_id TEXT NOT NULL,
  project_id INTEGER NOT NULL,
  -- Null for projects that were recorded before this column existed.
  full_path TEXT,
  -- Null while the project is in scope.
  left_at INTEGER,
  left_reason TEXT,
  left_detail TEXT,
  PRIMARY KEY (plan_id, project_id)
) STRICT, WITHOUT ROWID;

-- The plans whose pre-run program is running, and the process that runs it.
CREATE TABLE plan_beginnings (
  plan_id TEXT PRIMARY KEY,
  began_at INTEGER NOT NULL,
  boot_id TEXT NOT NULL,
  pid INTEGER NOT NULL,
  started_at TEXT NOT NULL,
  -- The time of the last heartbeat of that process.
  seen_at INTEGER NOT NULL,
  -- The first requester of the program's cancellation.
  cancelled_by TEXT
) STRICT, WITHOUT ROWID;
`,
};
