import type { Migration } from './migration.ts';

/** Losses that a comparison found and no list of GitLab named, and that somebody accepted to be without. */
export const acceptedDifferences: Migration = {
  version: 13,
  sql: `
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
  `,
};
