/** @file Lists the projects on the target that a start of the migration would replace now. Pure. */
import type { DestroyedData } from '../../../src-contract/host.ts';
import type { MigratingProject } from '../../../src-contract/migrations/migration.ts';

/**
 * Returns whether the import of a project may still be sent. `isRetried` decides for projects that failed or were
 * cancelled.
 */
function willBeSent(project: MigratingProject, isRetried: (project: MigratingProject) => boolean): boolean {
  switch (project.state) {
    case 'planned':
    case 'exporting':
      return true;
    case 'importing':
      return project.importJob === null;
    // Starting any project of a cancelled migration also starts its projects that had no job yet.
    case 'cancelled':
      return project.error === null || isRetried(project);
    case 'failed':
      return isRetried(project);
    case 'left-out':
    case 'finishing':
    case 'arrived':
    case 'uncompared':
    case 'differs':
      return false;
  }
}

/** Returns the projects whose import replaces a project and is sent after a start or resume. */
export const replacedByStart = (projects: readonly MigratingProject[]): MigratingProject[] =>
  projects.filter(
    (project) =>
      project.placement.overwrite && willBeSent(project, ({ error }) => error?.code === 'interrupted'),
  );

/**
 * Like `replacedByStart`, for a retry of one project by its id on the source. With null, for a retry of all failed
 * projects.
 */
export const replacedByRetry = (
  projects: readonly MigratingProject[],
  sourceId: number | null,
): MigratingProject[] =>
  projects.filter(
    (project) =>
      project.placement.overwrite &&
      willBeSent(project, (one) => sourceId === null || one.sourceId === sourceId),
  );

export const destroyedProjects = (projects: readonly MigratingProject[]): DestroyedData[] =>
  projects.map(({ placement }) => ({
    what: 'project',
    name: `${placement.namespace}/${placement.path}`,
    count: null,
  }));
