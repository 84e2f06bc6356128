/** @file The dependencies that services share: parts of the platform, and stores of the catalogue. Types only. */
import type { Catalogue } from '../catalogue/database.ts';
import type { ImportFailures } from '../catalogue/migrations/import-failures.ts';
import type { MigrationJobs } from '../catalogue/migrations/migration-jobs.ts';
import type { ProjectMigrations } from '../catalogue/migrations/project-migrations.ts';
import type { ProjectListStore } from '../catalogue/projects/projects.ts';
import type { ExportDurations } from '../catalogue/runs/export-durations.ts';
import type { JobSearch } from '../catalogue/runs/job-search.ts';
import type { JobStore } from '../catalogue/runs/jobs.ts';
import type { RunStore } from '../catalogue/runs/runs.ts';
import type { WriteRequests } from '../catalogue/runs/write-requests.ts';
import type { Clock } from '../platform/clock.ts';
import type { Credentials } from '../platform/credentials.ts';
import type { Log } from '../platform/log.ts';
import type { DataPaths } from '../platform/paths.ts';
import type { SettingsStore } from '../platform/settings.ts';
import type { Announce } from './events.ts';

export interface SharedDeps {
  paths: DataPaths;
  settings: SettingsStore;
  credentials: Credentials;
  clock: Clock;
  log: Log;
  announce: Announce;
  catalogue: Catalogue;
  jobs: JobStore;
  jobSearch: JobSearch;
  runs: RunStore;
  projectListStore: ProjectListStore;
  exportDurations: ExportDurations;
  writeRequests: WriteRequests;
  /** Migrations with their projects. */
  projectMigrations: ProjectMigrations;
  /** The jobs that move projects of migrations. */
  migrationJobs: MigrationJobs;
  /** The failures that GitLab listed for imports. */
  importFailures: ImportFailures;
}
