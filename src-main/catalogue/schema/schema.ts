/** @file The schema of the catalogue: its version, the SQL for a new catalogue, and the changes from older versions. */
import { archiveTables } from './archives.ts';
import { jobTables, jobTriggers } from './jobs.ts';
import { migrationTables, migrationTriggers } from './migrations.ts';
import { planTables } from './plans.ts';
import { projectStatusTriggers } from './project-status.ts';
import { projectTables } from './projects.ts';

export interface Schema {
  /** Stored as `user_version`. Rises with every change of the schema. */
  version: number;
  /** SQL that creates the tables and their indexes. */
  tables: string;
  /** SQL that creates the views and triggers. They hold no data: every upgrade replaces all of them. */
  viewsAndTriggers: string;
  /**
   * By version: SQL that upgrades the tables and rows of that version to the next one. A version without an entry
   * cannot be opened.
   */
  upgrades: Readonly<Record<number, string>>;
}

export const schema: Schema = {
  version: 23,
  tables: jobTables + planTables + archiveTables + projectTables + migrationTables,
  viewsAndTriggers: jobTriggers + projectStatusTriggers + migrationTriggers,
  upgrades: {
    // Version 23 replaces the views and triggers only.
    22: '',
  },
};
