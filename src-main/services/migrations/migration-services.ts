/** @file Builds the services for migrations. */
import { AcceptedDifferences } from '../../catalogue/migrations/accepted-differences.ts';
import { MigrationChecks } from '../../catalogue/migrations/migration-checks.ts';
import { MigrationGroups } from '../../catalogue/migrations/migration-groups.ts';
import { MigrationCoordinator } from '../../jobs/migrations/migration-coordinator.ts';
import type { JobRunner } from '../../jobs/running/runner.ts';
import { selectProjects } from '../../jobs/plans/selection.ts';
import { createChecking } from './checking.ts';
import { createCompare } from './comparing/comparing.ts';
import { ComparisonProgress } from './comparing/comparison-progress.ts';
import { createDifferences } from './comparing/differences.ts';
import { createMigrationResults } from './migration-results.ts';
import { createFailureAccess } from './failures.ts';
import { createGroupMaking } from './group-making.ts';
import { CoordinatedMigrations } from './coordinated-migrations.ts';
import { createMigrationStatusReader } from './migration-status.ts';
import { Migrations } from './migrations.ts';
import { createPassportSaver } from './passport/making.ts';
import { withArchiveProof } from './comparing/proving.ts';
import { createRepairing } from './repairing.ts';
import { createRelationRetries } from './retrying.ts';
import type { JobService } from '../runs/job-service.ts';
import type { SharedDeps } from '../shared-deps.ts';
import { createRelationArchives } from '../transfers/relation-archives.ts';
import type { Connections } from '../instances/connections.ts';
import type { ArchiveServices } from '../archives/archive-services.ts';

interface Deps extends SharedDeps, ArchiveServices {
  jobService: JobService;
  connections: Connections;
  runner: JobRunner;
}

export type MigrationServices = ReturnType<typeof createMigrationServices>;

/** No migration advances before the coordinator is started. */
export function createMigrationServices(all: Deps) {
  const {
    catalogue,
    jobs,
    projectMigrations,
    migrationJobs,
    jobService,
    connections,
    runner,
    clock,
    log,
    announce,
  } = all;
  const checks = new MigrationChecks(catalogue);
  const differences = createDifferences({ ...all, acceptances: new AcceptedDifferences(catalogue) });
  const deps = { ...all, checks, differences };
  const relationArchives = createRelationArchives(deps);
  const retrying = createRelationRetries({
    ...deps,
    archives: relationArchives,
    readRelationTarget: (name, projectId, signal) =>
      connections.forInstance(name).targetSnapshot(projectId, signal),
    enqueue: (request) => jobService.enqueue(request),
    inTransaction: (work) => catalogue.transaction(work),
    manifest: (archiveId) => all.index.manifest(archiveId),
  });
  const repairing = createRepairing({
    ...deps,
    records: all.records,
    changesOf: (name) => connections.forInstance(name).changes,
    enqueue: (request) => jobService.enqueue(request),
    inTransaction: (work) => catalogue.transaction(work),
  });
  const groups = createGroupMaking({
    groups: new MigrationGroups(catalogue, jobs),
    clock,
    firstStep: jobService.firstStepOf('change'),
  });
  const progress = new ComparisonProgress(clock, (migrationId) => {
    announce('migration.changed', { migrationId });
  });
  const overriddenFindings = (id: string) => new Set(checks.overrides(id).keys());
  const status = createMigrationStatusReader({
    projectMigrations,
    overriddenFindings,
    assessDifferences: (id, project, reconciliation) => differences.assess(id, project, reconciliation),
    earlierFailures: (id, importJob) => migrationJobs.earlierImportErrors(id, importJob),
    isCreatingGroups: (id) => groups.isInProgress(id),
    progress,
  });
  const sharedDeps = {
    ...{ projectMigrations, migrationJobs, status, groups, clock, announce, overriddenFindings },
    wake() {
      runner.wake();
      coordinator.wake();
    },
  };
  const migrations = new Migrations({
    ...sharedDeps,
    async choose(source, selection, signal) {
      return (await selectProjects(connections.forInstance(source), selection, clock.now(), signal)).chosen;
    },
    cancelJob: (jobId, cancelledBy) => runner.cancel(jobId, cancelledBy),
  });
  const coordinatedMigrations = new CoordinatedMigrations({
    ...sharedDeps,
    checks,
    firstStep: (kind) => jobService.firstStepOf(kind),
    compare: withArchiveProof(deps, retrying.wrapCompare(createCompare({ ...deps, progress }))),
  });
  const coordinator = new MigrationCoordinator({
    migrations: coordinatedMigrations,
    mayRun: () => runner.holdsLease,
    clock,
    observer: {
      onMigrationChanged: (migrationId) => {
        announce('migration.changed', { migrationId });
      },
      onError(error) {
        log.error({ err: error }, 'advancing the migrations failed');
      },
    },
  });
  const passport = createPassportSaver({ ...deps, migrations });
  return {
    ...{ migrations, retrying, repairing, relationArchives, coordinator },
    passports: createMigrationResults({
      ...deps,
      migrations,
      coordinated: coordinatedMigrations,
      savePassports: passport,
    }),
    failures: createFailureAccess(deps),
    preflight: createChecking(deps),
  };
}
