/** @file Finds a project of a migration by its full path on the source, or its id there. */
import { AppError } from '../../../../src-contract/errors.ts';
import type { StoredProject } from '../../../catalogue/migrations/migrating-rows.ts';
import type { ProjectMigrations } from '../../../catalogue/migrations/project-migrations.ts';

/** Throws `project-missing` with the name of the migration: the search was in the migration, not on an instance. */
export function findMigrationProject(
  projectMigrations: Pick<ProjectMigrations, 'get' | 'project'>,
  id: string,
  projectReference: string,
): StoredProject {
  try {
    return projectMigrations.project(id, projectReference);
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'project-missing') throw thrown;
    throw thrown.withDetails({ migration: projectMigrations.get(id).draft.name });
  }
}
