/** @file Decides the next step of each project of a migration: pure rules over its stored jobs. */
import type { StoredMigrationJob } from '../../catalogue/migrations/migrating-rows.ts';
import { hasEnded as hasJobEnded } from '../../../src-contract/runs/job.ts';
import type { MigratingState, migrationStatuses } from '../../../src-contract/migrations/migration.ts';

/** The jobs of one project in order. `thaw` exists only if the project is not imported. */
export const migrationJobKinds = ['freeze', 'export', 'import', 'unmark', 'thaw'] as const;
export type MigrationJobKind = (typeof migrationJobKinds)[number];

export type MigrationJobStatus = Omit<StoredMigrationJob, 'waitsFor'>;

export interface ProjectMigration {
  sourceId: number;
  wave: number;
  isExcluded: boolean;
  jobs: Partial<Record<MigrationJobKind, MigrationJobStatus>>;
  /** True if the source may still be archived by an earlier job of ours, because the job to unarchive it failed. */
  mayBeArchivedByUs: boolean;
  /** True if all sides agreed in the last comparison; null if there was none yet. */
  reconciled: boolean | null;
  openFailures: number;
  isRetrying: boolean;
}

type Status = (typeof migrationStatuses)[number];

const hasEnded = (job: MigrationJobStatus | undefined): boolean => job !== undefined && hasJobEnded(job);
const movesOf = ({ jobs }: ProjectMigration): MigrationJobStatus[] =>
  migrationJobKinds.flatMap((move) => jobs[move] ?? []);
const succeeded = (job: MigrationJobStatus | undefined): boolean => job?.status === 'succeeded';
/** Returns whether the job ended without doing its work, for example because it was skipped. */
const ended = (job: MigrationJobStatus | undefined): boolean => hasEnded(job) && !succeeded(job);

/**
 * Returns whether this migration marked the source as archived, or may have. A source that was archived before stays
 * archived.
 */
const isOurs = ({ jobs, mayBeArchivedByUs }: ProjectMigration): boolean =>
  mayBeArchivedByUs || (jobs.freeze !== undefined && jobs.freeze.changed !== false);

/** Returns whether this migration archived the source, or may have. */
export function mayBeArchived(project: ProjectMigration): boolean {
  return isOurs(project) && !succeeded(project.jobs.thaw);
}

/** Returns `thaw` if the project's migration has stopped and its source may still be archived by us. */
const unarchivingJobKind = (project: ProjectMigration): 'thaw' | null =>
  mayBeArchived(project) && project.jobs.thaw === undefined && movesOf(project).every(hasEnded)
    ? 'thaw'
    : null;

/**
 * Returns the job to create now, if the wave has begun; null if the project waits or has ended. Users may edit an
 * unarchived source. No job follows until a resume creates all jobs again.
 */
export function nextJobKind(project: ProjectMigration, freeze: boolean): MigrationJobKind | null {
  const { jobs } = project;
  if (succeeded(jobs.import)) {
    // The imported project is archived, because its source was archived before the export.
    return isOurs(project) && !project.isExcluded && jobs.unmark === undefined ? 'unmark' : null;
  }
  const isOver = project.isExcluded || [jobs.freeze, jobs.export, jobs.import].some(ended);
  if (isOver || jobs.thaw !== undefined) return unarchivingJobKind(project);
  if (freeze && jobs.freeze === undefined) return 'freeze';
  if (freeze && !hasEnded(jobs.freeze)) return null;
  if (jobs.export === undefined) return 'export';
  return hasEnded(jobs.export) && jobs.import === undefined ? 'import' : null;
}

/**
 * Returns the jobs to create again on a resume: the failed job and all later jobs, or every job if the source was
 * unarchived.
 */
export function jobKindsToRepeat(project: ProjectMigration): MigrationJobKind[] {
  const { jobs } = project;
  if (jobs.thaw !== undefined && !succeeded(jobs.import)) return [...migrationJobKinds];
  const failed = failedJobKind(project);
  return failed === null ? [] : migrationJobKinds.slice(migrationJobKinds.indexOf(failed.move));
}

/** Returns whether this migration must still unarchive a source that it archived or is about to archive. */
export function needsUnarchiving(project: ProjectMigration): boolean {
  const { jobs } = project;
  if (succeeded(jobs.import)) return false;
  const isOrMayBecomeArchived =
    mayBeArchived(project) || (jobs.freeze !== undefined && !hasEnded(jobs.freeze));
  return isOrMayBecomeArchived && !ended(jobs.thaw);
}

/** Returns the job that stopped the project; null if none did. */
export function failedJobKind({
  jobs,
}: ProjectMigration): (MigrationJobStatus & { move: MigrationJobKind }) | null {
  const move = migrationJobKinds.find((one) => ended(jobs[one]));
  const job = move === undefined ? undefined : jobs[move];
  return move === undefined || job === undefined ? null : { ...job, move };
}

export function projectState(project: ProjectMigration, freeze: boolean, status: Status): MigratingState {
  const { jobs } = project;
  if (project.isExcluded) return 'left-out';
  const imported = succeeded(jobs.import);
  const failed = failedJobKind(project);
  if (!imported && failed !== null) return failed.status === 'cancelled' ? 'cancelled' : 'failed';
  if (imported) {
    if (nextJobKind(project, freeze) !== null || (jobs.unmark !== undefined && !hasEnded(jobs.unmark))) {
      return 'finishing';
    }
    if (project.reconciled === null) return 'finishing';
    return project.reconciled && project.openFailures === 0 && !ended(jobs.unmark) ? 'arrived' : 'differs';
  }
  if (jobs.thaw !== undefined) return 'cancelled';
  if (status === 'cancelled' && movesOf(project).every(hasEnded)) return 'cancelled';
  if (jobs.import !== undefined || succeeded(jobs.export)) return 'importing';
  return jobs.export === undefined && jobs.freeze === undefined ? 'planned' : 'exporting';
}

/** Returns whether the project was imported, no job of it is open, and the result was not yet compared. */
export function isComparisonDue(project: ProjectMigration, freeze: boolean): boolean {
  if (project.isExcluded || project.isRetrying || project.reconciled !== null) return false;
  if (!succeeded(project.jobs.import)) return false;
  return nextJobKind(project, freeze) === null && movesOf(project).every(hasEnded);
}

/** Returns whether every job has ended and none follows by itself. A comparison may still be due. */
export function isSettled(project: ProjectMigration, freeze: boolean): boolean {
  return nextJobKind(project, freeze) === null && movesOf(project).every(hasEnded);
}

/** Returns the first wave with work left; null if there is none. A wave begins when the previous wave has ended. */
export function currentWave(projects: readonly ProjectMigration[], freeze: boolean): number | null {
  const open = projects
    .filter((project) => !project.isExcluded && !isSettled(project, freeze))
    .map(({ wave }) => wave);
  return open.length === 0 ? null : Math.min(...open);
}

/**
 * Returns the jobs to create now. A paused or cancelled migration creates only jobs that unarchive the
 * source of a project that will not move.
 */
export function jobKindsDue(
  status: Status,
  projects: readonly ProjectMigration[],
  freeze: boolean,
): { project: ProjectMigration; move: MigrationJobKind }[] {
  const wave = currentWave(projects, freeze);
  return projects.flatMap((project): { project: ProjectMigration; move: MigrationJobKind }[] => {
    const move = nextJobKind(project, freeze);
    if (move === null || status === 'draft') return [];
    if (move === 'thaw') return [{ project, move }];
    if (status === 'cancelled') {
      const given = succeeded(project.jobs.import) ? null : unarchivingJobKind(project);
      return given === null ? [] : [{ project, move: given }];
    }
    return status === 'running' && project.wave === wave ? [{ project, move }] : [];
  });
}

/** Returns whether no job is open and nothing is left to create or compare. */
export function isIdle(status: Status, projects: readonly ProjectMigration[], freeze: boolean): boolean {
  const rests = (project: ProjectMigration): boolean =>
    movesOf(project).every(hasEnded) && !project.isRetrying && !isComparisonDue(project, freeze);
  return projects.every(rests) && jobKindsDue(status, projects, freeze).length === 0;
}
