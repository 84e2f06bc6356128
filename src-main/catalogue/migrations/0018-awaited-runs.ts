import type { Migration } from './migration.ts';

/** Which processes wait for which work, so that the one that runs jobs runs theirs too. */
export const awaitedRuns: Migration = {
  version: 18,
  sql: `
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
  `,
};
