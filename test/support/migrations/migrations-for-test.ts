/**
 * @file Migrations over a real catalogue, with no instance: nothing is selected, and the test sets the results of
 * comparisons.
 */
import type { MigrationGroups } from '../../../src-main/catalogue/migrations/migration-groups.ts';
import type { MigrationJobs } from '../../../src-main/catalogue/migrations/migration-jobs.ts';
import type { ProjectMigrations } from '../../../src-main/catalogue/migrations/project-migrations.ts';
import type { MigrationsPort } from '../../../src-main/jobs/migrations/migration-ports.ts';
import type { Clock } from '../../../src-main/platform/clock.ts';
import { CoordinatedMigrations } from '../../../src-main/services/migrations/coordinated-migrations.ts';
import { createGroupMaking } from '../../../src-main/services/migrations/group-making.ts';
import { createMigrationStatusReader } from '../../../src-main/services/migrations/migration-status.ts';
import { Migrations } from '../../../src-main/services/migrations/migrations.ts';

export function migrationsForTest(parts: {
  projectMigrations: ProjectMigrations;
  migrationJobs: MigrationJobs;
  groups: MigrationGroups;
  clock: Clock;
  compare?: MigrationsPort['compare'];
}): { migrations: Migrations; coordinated: CoordinatedMigrations } {
  const { projectMigrations, migrationJobs, clock, compare = () => Promise.resolve() } = parts;
  const groups = createGroupMaking({ groups: parts.groups, clock, firstStep: 'first' });
  const overriddenFindings = (): ReadonlySet<string> => new Set();
  const status = createMigrationStatusReader({
    projectMigrations,
    assessDifferences: () => [],
    earlierFailures: (id, importJob) => migrationJobs.earlierImportErrors(id, importJob),
    overriddenFindings,
    isCreatingGroups: (id) => groups.isInProgress(id),
    progress: { of: () => null },
  });
  const shared = { projectMigrations, migrationJobs, status, groups, clock, wake: () => undefined };
  return {
    migrations: new Migrations({
      ...shared,
      announce: () => undefined,
      choose: () => Promise.resolve([]),
      cancelJob: () => undefined,
      overriddenFindings,
    }),
    coordinated: new CoordinatedMigrations({
      ...shared,
      compare,
      checks: { projectBlockers: () => [] },
      overriddenFindings,
      firstStep: () => 'first',
    }),
  };
}
