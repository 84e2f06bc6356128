/** @file Composes the parts for migrations. `compose.ts` provides the parts and uses the result. */
import { join } from 'node:path';
import type { JobKind } from '../../src-contract/runs/job.ts';
import type { Services } from '../services/services.ts';
import type { Catalogue } from '../catalogue/database.ts';
import type { ExportTimes } from '../catalogue/runs/export-times.ts';
import type { ImportFailures } from '../catalogue/migrations/import-failures.ts';
import type { JobStore } from '../catalogue/runs/jobs.ts';
import { AcceptedDifferences } from '../catalogue/migrations/accepted-differences.ts';
import { MigrationChecks } from '../catalogue/migrations/migration-checks.ts';
import { MigrationGroups } from '../catalogue/migrations/migration-groups.ts';
import { MigrationJobs } from '../catalogue/migrations/migration-jobs.ts';
import { ProjectMigrations } from '../catalogue/migrations/project-migrations.ts';
import type { WriteRequests } from '../catalogue/runs/write-requests.ts';
import { MigrationCoordinator } from '../jobs/migrations/migration-coordinator.ts';
import type { JobRunner } from '../jobs/running/runner.ts';
import { selectProjects } from '../jobs/plans/selection.ts';
import type { Clock } from '../platform/clock.ts';
import type { SettingsStore } from '../platform/settings.ts';
import { createChecking } from '../services/migrations/checking.ts';
import { createComparing } from '../services/migrations/comparing/comparing.ts';
import { createDifferences } from '../services/migrations/comparing/differences.ts';
import { createMigrationPassports } from '../services/migrations/passports.ts';
import { createFailureAccess } from '../services/migrations/failures.ts';
import { createGroupMaking } from '../services/migrations/group-making.ts';
import { lintFile, lintOf, lintTarget } from '../services/archives/linting.ts';
import { CoordinatedMigrations } from '../services/migrations/coordinated-migrations.ts';
import { createMigrationStatus } from '../services/migrations/migration-status.ts';
import { Migrations } from '../services/migrations/migrations.ts';
import { createPassports } from '../services/migrations/passport/making.ts';
import { proving } from '../services/migrations/comparing/proving.ts';
import { createRetrying } from '../services/migrations/retrying.ts';
import { createRelationArchives, type RelationArchives } from '../services/transfers/relation-archives.ts';
import { appVersion } from '../services/version.ts';
import type { ComposedArchives } from './compose-archives.ts';
import type { Connections } from '../services/instances/connections.ts';
import type { JobAccess } from '../services/runs/job-access.ts';
import type { Log } from '../platform/log.ts';
import type { DataPaths } from '../platform/paths.ts';
import type { Announce } from '../services/events.ts';

export interface MigrationParts {
  paths: DataPaths;
  settings: SettingsStore;
  catalogue: Catalogue;
  jobs: JobStore;
  jobAccess: JobAccess;
  importFailures: ImportFailures;
  writeRequests: WriteRequests;
  exportTimes: ExportTimes;
  archives: Pick<ComposedArchives, 'roots' | 'index' | 'records' | 'forJobs' | 'stored' | 'contents'>;
  connections: Connections;
  runner: JobRunner;
  /** Name of the first step of jobs of that kind. */
  firstStep: (kind: JobKind) => string;
  clock: Clock;
  log: Log;
  announce: Announce;
}

export interface ComposedMigrations {
  ports: Pick<Services, 'migrations' | 'retrying' | 'evidence' | 'failures' | 'lint' | 'preflight'>;
  relationArchives: RelationArchives;
  tender: MigrationCoordinator;
  /** Whether the job moves a project of the migration with this id. */
  owns(migration: string, jobId: string): boolean;
  acceptedImports: Migrations['acceptedImports'];
}

/** No migration advances before the coordinator is started. */
export function composeMigrations(parts: MigrationParts): ComposedMigrations {
  const {
    settings,
    catalogue,
    jobs,
    jobAccess,
    importFailures,
    archives,
    connections,
    runner,
    clock,
    announce,
  } = parts;
  const { index, records } = archives;
  const projectMigrations = new ProjectMigrations(catalogue, jobs);
  const migrationJobs = new MigrationJobs(catalogue, jobs);
  const migrationChecks = new MigrationChecks(catalogue);
  const migrationGroups = new MigrationGroups(catalogue, jobs);
  const differences = createDifferences({
    store: projectMigrations,
    acceptances: new AcceptedDifferences(catalogue),
    ledger: importFailures,
  });
  const relationArchives = createRelationArchives({
    folder: join(parts.paths.dataFolder, 'retries'),
    jobs,
    withIndex: (path, signal, use) => records.withIndex(path, signal, use),
    clock,
  });
  const retrying = createRetrying({
    archives: relationArchives,
    target: (name, projectId, signal) => connections.to(name).relationTarget(projectId, signal),
    store: projectMigrations,
    moves: migrationJobs,
    ledger: importFailures,
    differences,
    enqueue: (request) => jobAccess.enqueue(request),
    atOnce: (work) => catalogue.transaction(work),
    manifest: (archiveId) => index.manifest(archiveId),
    clock,
    announce,
  });
  const groups = createGroupMaking({
    groups: migrationGroups,
    clock,
    firstStep: parts.firstStep('change'),
  });
  const overridden = (id: string) => new Set(migrationChecks.overrides(id).keys());
  const status = createMigrationStatus({
    store: projectMigrations,
    differences: (id, project, reconciliation) => differences.judged(id, project, reconciliation),
    earlierFailures: (id, importJob) => migrationJobs.earlierFailures(id, importJob),
    overridden,
    makesGroups: (id) => groups.isInProgress(id),
  });
  const shared = {
    ...{ store: projectMigrations, moves: migrationJobs, status, groups, clock, announce },
    wake() {
      runner.wake();
      tender.wake();
    },
  };
  const migrations = new Migrations({
    ...shared,
    async choose(source, selection, signal) {
      return (await selectProjects(connections.to(source), selection, clock.now(), signal)).chosen;
    },
    cancelJob: (jobId, by) => runner.cancel(jobId, by),
    overridden,
  });
  const coordinated = new CoordinatedMigrations({
    ...shared,
    firstStep: parts.firstStep,
    compare: proving(
      {
        store: projectMigrations,
        addProof: (archiveId, proof) => archives.forJobs.addProof(archiveId, proof),
        troubled: (error) => {
          parts.log.warn({ err: error }, 'a proof was not stored');
        },
      },
      retrying.comparing(
        createComparing({
          store: projectMigrations,
          jobs,
          connect: (name) => connections.to(name),
          reconcile: (path, target, failures, signal) =>
            archives.contents.reconcile(path, target, failures, signal),
          withIndex: (path, signal, use) => records.withIndex(path, signal, use),
          inspectionOf: (archiveId) => index.manifest(archiveId).inspection,
          openFailures: (importJob) => importFailures.open(importJob),
        }),
      ),
    ),
  });
  const tender = new MigrationCoordinator({
    migrations: coordinated,
    mayRun: () => runner.runsJobs,
    clock,
    observer: {
      onMoved: (migrationId) => {
        announce('migration.changed', { migrationId });
      },
      onError(error) {
        parts.log.error({ err: error }, 'migrations could not be tended');
      },
    },
  });

  const ports: ComposedMigrations['ports'] = {
    migrations,
    retrying,
    evidence: createMigrationPassports({
      store: projectMigrations,
      moves: migrationJobs,
      migrations,
      jobs: jobAccess,
      atOnce: (work) => catalogue.transaction(work),
      connect: (name) => connections.to(name),
      compare: (...asked) => coordinated.compare(...asked),
      differences,
      passport: createPassports({
        store: projectMigrations,
        moves: migrationJobs,
        checks: migrationChecks,
        jobs,
        ledger: importFailures,
        differences,
        writeRequests: parts.writeRequests,
        archives: archives.stored,
        contents: archives.contents,
        instance: (name) => settings.instance(name),
        clock,
        appVersion,
        downloads: parts.paths.downloads,
        show: (migration) => migrations.show(migration),
        projects: (migration) => migrations.projects(migration),
      }),
      announce,
    }),
    failures: createFailureAccess({
      ledger: importFailures,
      differences,
      store: projectMigrations,
      atOnce: (work) => catalogue.transaction(work),
      clock,
      announce,
    }),
    lint: {
      async lint(path, instance, signal, onProgress) {
        const side = instance === null ? null : await connections.connect(instance).checks.side(signal);
        const target = side === null || instance === null ? null : lintTarget(instance.name, side);
        return lintFile(path, target, signal, onProgress);
      },
    },
    preflight: createChecking({
      store: projectMigrations,
      checks: migrationChecks,
      archives: archives.forJobs,
      clock,
      announce,
      instance: (name) => settings.instance(name),
      connect: (instance) => connections.connect(instance),
      exportTimes: (instance) => parts.exportTimes.of(instance),
      exportsHere: (instance, fullPath) =>
        jobs
          .open()
          .some((job) => job.kind === 'export' && job.instance === instance && job.project === fullPath),
      freeBytes: () => archives.roots.freeBytes(),
      async lint(archiveId, target, signal) {
        const { absolutePath } = index.get(archiveId);
        const { inspection } = index.manifest(archiveId);
        return records.withIndex(absolutePath, signal, (recordIndex) =>
          lintOf(inspection, recordIndex, target, signal),
        );
      },
    }),
  };
  return {
    ports,
    relationArchives,
    tender,
    owns: (migration, jobId) => migrationJobs.owns(migration, jobId),
    acceptedImports: () => migrations.acceptedImports(),
  };
}
