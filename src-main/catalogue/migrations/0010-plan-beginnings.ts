import type { Migration } from './migration.ts';

/** Plans whose program before a run is under way, and in which process. */
export const planBeginnings: Migration = {
  version: 10,
  sql: `
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
  `,
};
