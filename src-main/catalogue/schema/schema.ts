/** @file The schema of the catalogue: its version, the SQL for a new catalogue, and the changes from older versions. */
import { archiveTables } from './archives.ts';
import { jobTables, jobTriggers } from './jobs.ts';
import { migrationTables, migrationTriggers } from './migrations.ts';
import { planTables } from './plans.ts';
import { projectStatusTriggers } from './project-status.ts';
import { projectTables } from './projects.ts';
import { joinUpgrades, type Upgrades } from './tables.ts';

export interface Schema {
  /** Stored as `user_version`. Follows from the upgrades: every change of the schema has one. */
  version: number;
  /** SQL that creates the tables and their indexes. */
  tables: string;
  /** SQL that creates the views and triggers. They hold no data: every upgrade replaces all of them. */
  viewsAndTriggers: string;
  /**
   * By version: SQL that upgrades the tables and rows of that version to the next one. A version without an entry
   * cannot be opened.
   */
  upgrades: Upgrades;
}

const subjects = [jobTables, planTables, archiveTables, projectTables, migrationTables];

/** Upgrades that replace the views and triggers only. */
const upgradesOfViewsAndTriggers: Upgrades = { 22: '' };

const upgrades = joinUpgrades([
  upgradesOfViewsAndTriggers,
  ...subjects.map((subject) => subject.upgrades ?? {}),
]);

export const schema: Schema = {
  version: Math.max(...Object.keys(upgrades).map(Number)) + 1,
  tables: subjects.map(({ create }) => create).join(''),
  viewsAndTriggers: jobTriggers + projectStatusTriggers + migrationTriggers,
  upgrades,
};
