/** @file Reports the results of a migration, and changes its sources afterwards. */
import { conflictsOf } from '../../jobs/migrations/placing.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { Change } from '../../../src-contract/projects/change.ts';
import type { ChosenDepth } from '../../../src-contract/transfers/import.ts';
import type { MigratingProject } from '../../../src-contract/migrations/migration.ts';
import type { Migrations } from './migrations.ts';
import type { JobService } from '../runs/job-service.ts';
import { checkFinishPermissions } from './finish-outlook.ts';
import type { Differences } from './comparing/differences.ts';
import { placementTable, readPlacementTable } from './placement/placement-table.ts';
import { describeDifferences } from './comparing/what-differs.ts';
import type { SavePassports } from './passport/making.ts';
import { findMigrationProject } from './placement/find-migration-project.ts';
import type { SharedDeps } from '../shared-deps.ts';
import type { Connections } from '../instances/connections.ts';
import type { CoordinatedMigrations } from './coordinated-migrations.ts';

export interface MigrationResultsDeps extends Pick<
  SharedDeps,
  'announce' | 'catalogue' | 'migrationJobs' | 'projectMigrations'
> {
  migrations: Migrations;
  jobService: JobService;
  coordinated: CoordinatedMigrations;
  differences: Differences;
  savePassports: SavePassports;
  connections: Connections;
}

/**
 * Callers name a migration by id or name, and its projects by path or id on the source. Throws `migration-missing`,
 * `project-missing`.
 */
export function createMigrationResults(deps: MigrationResultsDeps) {
  const { projectMigrations, migrations } = deps;

  const resolveProjects = (id: string, projectReference: string | null): MigratingProject[] => {
    const all = migrations.projects(id);
    if (projectReference === null) {
      const arrived = all.filter(({ state }) => state === 'arrived');
      if (arrived.length > 0) return arrived;
      throw new AppError('invalid-input', 'No project of the migration has arrived.', {
        details: { wrong: 'state' },
      });
    }
    const { sourceId } = findMigrationProject(projectMigrations, id, projectReference);
    const imported = all.filter((project) => project.sourceId === sourceId && project.targetUrl !== null);
    if (imported.length > 0) return imported;
    throw notImported(findMigrationProject(projectMigrations, id, projectReference).sourcePath);
  };

  return {
    table: (reference: string) => placementTable(migrations.projects(projectMigrations.get(reference).id)),
    /**
     * Changes placements from a table. @returns the number of changed projects. Throws `invalid-input` for wrong rows;
     * then nothing is changed.
     */
    fill(reference: string, csv: string) {
      const { id } = projectMigrations.get(reference);
      const places = readPlacementTable(csv, migrations.projects(id), conflictsOf);
      if (places.length > 0) migrations.place(id, places);
      return places.length;
    },
    reconciliation(reference: string, projectReference: string) {
      const { id } = projectMigrations.get(reference);
      const { sourceId } = findMigrationProject(projectMigrations, id, projectReference);
      return {
        reconciliation: projectMigrations.reconciliation(id, sourceId),
        differences: deps.differences.list(id, sourceId),
      };
    },
    /** Throws `invalid-input` for a project that was not imported, and the errors of the requests. */
    async reconcile(
      reference: string,
      projectReference: string,
      signal: AbortSignal,
      depth: ChosenDepth | undefined,
    ) {
      const { id } = projectMigrations.get(reference);
      const { sourceId, sourcePath, target } = findMigrationProject(projectMigrations, id, projectReference);
      if (target === null) throw notImported(sourcePath);
      // With `true`, a source that cannot be read is left out at once, and the result says why.
      await deps.coordinated.compare(id, sourceId, signal, true, depth);
      deps.announce('migration.changed', { migrationId: id });
      const reconciliation = projectMigrations.reconciliation(id, sourceId);
      if (reconciliation === null) throw new AppError('internal', `${sourcePath} was not compared.`);
      return { reconciliation, differences: deps.differences.list(id, sourceId) };
    },
    /**
     * Checks the projects that `finish` would change. Throws the errors of `finish`, and of the request for the
     * account.
     */
    async finishOutlook(
      reference: string,
      projectReference: string | null,
      signal: AbortSignal,
      onProgress: (done: number, total: number) => void,
    ) {
      const { id, draft } = projectMigrations.get(reference);
      return checkFinishPermissions(
        deps.connections.forInstance(draft.source),
        resolveProjects(id, projectReference),
        signal,
        onProgress,
      );
    },
    /**
     * Marks sources as archived, adds the note, or both. A null `projectReference` selects all arrived projects. Throws
     * `invalid-input` if there is none, or the project was not imported. Throws `migration-differs` for a project with
     * differences, unless `despiteDifferences` is true.
     */
    finish(
      reference: string,
      projectReference: string | null,
      {
        markSource,
        noteNewPlace,
        despiteDifferences,
      }: { markSource: boolean; noteNewPlace: boolean; despiteDifferences: boolean },
    ) {
      const { id, draft } = projectMigrations.get(reference);
      const projects = resolveProjects(id, projectReference);
      const differing = projects.find(({ state }) => state !== 'arrived');
      if (differing !== undefined && !despiteDifferences) {
        const { sourceId, sourcePath } = differing;
        const why = describeDifferences(differing, projectMigrations.reconciliation(id, sourceId));
        throw new AppError('migration-differs', `${sourcePath} differs: ${why}.`, {
          details: { project: sourcePath },
        });
      }
      const drafts = projects.map(({ sourceId, sourcePath, targetUrl }) => {
        const change: Change = {
          kind: 'mark-as-moved',
          archive: markSource,
          newPlace: noteNewPlace ? targetUrl : null,
        };
        return {
          instance: draft.source,
          project: sourcePath,
          input: { change, projectId: sourceId, secret: null },
        };
      });
      const request = {
        migration: id,
        project: projectReference,
        markSource,
        noteNewPlace,
        despiteDifferences,
      };
      const { runId, jobs, refused } = deps.catalogue.transaction(() => {
        const enqueued = deps.jobService.enqueue({ kind: 'change', request, jobs: drafts });
        const [busy] = enqueued.refused;
        if (busy !== undefined && enqueued.jobs.length === 0) throw busy.error;
        deps.migrationJobs.addFinish(
          id,
          enqueued.runId,
          enqueued.refused.map((one) => one.project),
        );
        return enqueued;
      });
      return {
        runId,
        jobs: jobs.length,
        refused: refused.map(({ project, error }) => ({ project, error: error.toData() })),
      };
    },
    passport: deps.savePassports,
  };
}

const notImported = (sourcePath: string): AppError =>
  new AppError('invalid-input', `${sourcePath} was not imported.`, { details: { wrong: 'state' } });
