import type { Migration } from './migration.ts';

/** Under which path a scope met a project, and when and why the project left that scope. */
export const departedProjects: Migration = {
  version: 19,
  sql: `
    -- Null for projects that were met before this column.
    ALTER TABLE plan_projects ADD COLUMN full_path TEXT;
    -- Null while the project is in scope.
    ALTER TABLE plan_projects ADD COLUMN left_at INTEGER;
    ALTER TABLE plan_projects ADD COLUMN left_reason TEXT;
    ALTER TABLE plan_projects ADD COLUMN left_detail TEXT;
  `,
};
