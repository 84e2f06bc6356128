import type { Migration } from './migration.ts';

/** Which plan made a run, for which due time, and what it left out; why a plan could not fire. */
export const planRuns: Migration = {
  version: 3,
  sql: `
    ALTER TABLE runs ADD COLUMN plan_id TEXT;
    ALTER TABLE runs ADD COLUMN due_at INTEGER CHECK ((due_at IS NULL) = (plan_id IS NULL));
    ALTER TABLE runs ADD COLUMN left_out TEXT CHECK (json_valid(left_out));
    -- At most one run for each due time of a plan, whoever makes it.
    CREATE UNIQUE INDEX runs_by_firing ON runs (plan_id, due_at) WHERE plan_id IS NOT NULL;

    -- Gone once the plan has fired.
    CREATE TABLE plan_failures (
      plan_id TEXT PRIMARY KEY,
      failed_at INTEGER NOT NULL,
      error TEXT NOT NULL CHECK (json_valid(error))
    ) STRICT, WITHOUT ROWID;
  `,
};
