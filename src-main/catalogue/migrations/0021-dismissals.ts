import type { Migration } from './migration.ts';

/** What somebody has seen in the overview and does not want to see there again. */
export const dismissals: Migration = {
  version: 21,
  sql: `
    CREATE TABLE dismissals (
      -- What happened once: a job that ended, or a project that left a scope at a time.
      subject TEXT PRIMARY KEY,
      -- The item of the overview that told of it. One item can tell of several jobs.
      item TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX dismissals_by_item ON dismissals (item);
  `,
};
