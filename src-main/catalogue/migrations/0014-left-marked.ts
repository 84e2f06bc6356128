import type { Migration } from './migration.ts';

/** Marks on sources that outlive the jobs that put them there, as those jobs are made anew. */
export const leftMarked: Migration = {
  version: 14,
  sql: `
    ALTER TABLE migration_projects ADD COLUMN left_marked INTEGER NOT NULL DEFAULT 0 CHECK (left_marked IN (0, 1));
  `,
};
