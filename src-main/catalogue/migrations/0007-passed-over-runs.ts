import type { Migration } from './migration.ts';

/** Due times that a plan passed over by wish, what it noticed when it chose its projects, and which it has met. */
export const passedOverRuns: Migration = {
  version: 7,
  sql: `
    -- 'paused' or 'once'; such a run has no jobs. One that was paused gives way to a firing that catches it up.
    ALTER TABLE runs ADD COLUMN skipped_why TEXT CHECK (skipped_why IS NULL OR plan_id IS NOT NULL);
    ALTER TABLE runs ADD COLUMN notes TEXT CHECK (json_valid(notes));

    CREATE TABLE plan_projects (
      plan_id TEXT NOT NULL,
      project_id INTEGER NOT NULL,
      PRIMARY KEY (plan_id, project_id)
    ) STRICT, WITHOUT ROWID;
  `,
};
