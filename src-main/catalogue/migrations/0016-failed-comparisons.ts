import type { Migration } from './migration.ts';

/** Why what arrived of a project could not be compared when that was last tried. */
export const failedComparisons: Migration = {
  version: 16,
  sql: `
    -- Null since something was compared.
    ALTER TABLE migration_projects ADD COLUMN comparing_error TEXT CHECK (json_valid(comparing_error));
  `,
};
