/** @file Lists the projects on the target that a start of the migration would replace now. Pure. */
import type { Destroyed } from '../../../src-contract/host.ts';
import type { MigratingProject } from '../../../src-contract/migrations/migration.ts';

/** Whether the import of a project may still be requested; `takesUp`: also for one that failed or was cancelled. */
function willBeSent(project: MigratingProject, takesUp: (project: MigratingProject) => boolean): boolean {
  switch (project.state) {
    case 'planned':
    case 'exporting':
      return true;
    case 'importing':
      return project.importJob === null;
    // In a migration that was cancelled, also those that had no job yet: they begin with any other.
    case 'cancelled':
      return project.error === null || takesUp(project);
    case 'failed':
      return takesUp(project);
    case 'left-out':
    case 'finishing':
    case 'arrived':
    case 'differs':
      return false;
  }
}

/** Projects whose import replaces a project, and is sent after a start or resume. */
export const replacedByStart = (projects: readonly MigratingProject[]): MigratingProject[] =>
  projects.filter(
    (project) =>
      project.placement.overwrite && willBeSent(project, ({ error }) => error?.code === 'interrupted'),
  );

/** The same after a new try of one project, by its id on the source, or, with null, of all that failed. */
export const replacedByAgain = (
  projects: readonly MigratingProject[],
  sourceId: number | null,
): MigratingProject[] =>
  projects.filter(
    (project) =>
      project.placement.overwrite &&
      willBeSent(project, (one) => sourceId === null || one.sourceId === sourceId),
  );

export const destroyedBy = (projects: readonly MigratingProject[]): Destroyed[] =>
  projects.map(({ placement }) => ({
    what: 'project',
    name: `${placement.namespace}/${placement.path}`,
    count: null,
  }));
