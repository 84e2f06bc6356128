/** @file What arrived of a migrated project, compared once its import is over, with the source as it is then. */
import { AppError } from '../../src-preload/contract/errors.ts';
import { importResultSchema } from '../../src-preload/contract/job.ts';
import type { JobStore } from '../catalogue/jobs.ts';
import type { ProjectMigrations } from '../catalogue/project-migrations.ts';
import type { MigrationsPort as TenderPort } from '../jobs/migration-ports.ts';
import type { ProjectSource } from '../jobs/ports.ts';

export interface ComparingParts {
  store: ProjectMigrations;
  jobs: JobStore;
  connect(instance: string): ProjectSource;
}

/** Keeps the comparison of an imported project, and whether anybody worked on its source after the export had begun. */
export function createComparing(parts: ComparingParts): TenderPort['compare'] {
  const { store, jobs } = parts;
  return async (id, sourceId, signal) => {
    const { draft } = store.get(id);
    const project = store.project(id, String(sourceId));
    const [made, sent] = [project.jobs.export, project.jobs.import].map((move) =>
      move === undefined ? null : jobs.get(move.jobId),
    );
    const result = importResultSchema.safeParse(sent?.result).data;
    if (result === undefined || made === null || made === undefined) {
      throw new AppError('internal', `${project.sourcePath} was not imported.`);
    }
    const { lastActivityAt } = await parts.connect(draft.source).project(sourceId, signal);
    const activeAt = lastActivityAt === null ? null : Date.parse(lastActivityAt);
    store.noteChangedSince(id, sourceId, activeAt !== null && activeAt > made.createdAt ? activeAt : null);
    store.keepReconciliation(id, sourceId, result.reconciliation);
  };
}
