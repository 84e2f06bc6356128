/** @file Decides the next step of each project of a migration: pure rules over its stored jobs. */
import type { StoredMigrationJob } from '../../catalogue/migrations/migrating-rows.ts';
import { hasEnded as hasJobEnded } from '../../../src-contract/runs/job.ts';
import type { MigratingState, migrationStatuses } from '../../../src-contract/migrations/migration.ts';

/** In order. `freeze` archives the source; `unmark` unarchives the target; `thaw` unarchives an unimported source. */
export const migrationJobKinds = ['freeze', 'export', 'import', 'unmark', 'thaw'] as const;
export type MigrationJobKind = (typeof migrationJobKinds)[number];

export type MigrationJobState = Omit<StoredMigrationJob, 'waitsFor'>;

export interface ProjectMigration {
  sourceId: number;
  wave: number;
  isExcluded: boolean;
  jobs: Partial<Record<MigrationJobKind, MigrationJobState>>;
  /** True if an earlier job of ours might have left the source archived, because the job to unarchive it failed. */
  isPossiblyArchivedByUs: boolean;
  /** True if all sides agreed in the last comparison; null if there was none yet. */
  reconciled: boolean | null;
  /** True if nothing differed in the last comparison, but it did not cover contents. `reconciled` is false then. */
  isUncompared?: boolean;
  openFailures: number;
  hasOpenRetries: boolean;
}

type Status = (typeof migrationStatuses)[number];

const hasEnded = (job: MigrationJobState | undefined): boolean => job !== undefined && hasJobEnded(job);
const jobsOf = ({ jobs }: ProjectMigration): MigrationJobState[] =>
  migrationJobKinds.flatMap((kind) => jobs[kind] ?? []);
const hasSucceeded = (job: MigrationJobState | undefined): boolean => job?.status === 'succeeded';
/** Returns whether the job ended without doing its work, for example because it was skipped. */
const hasEndedUnsuccessfully = (job: MigrationJobState | undefined): boolean =>
  hasEnded(job) && !hasSucceeded(job);

/**
 * Returns whether this migration marked the source as archived, or may have. A source that was archived before stays
 * archived.
 */
const mightHaveArchived = ({ jobs, isPossiblyArchivedByUs: mayBeArchivedByUs }: ProjectMigration): boolean =>
  mayBeArchivedByUs || (jobs.freeze !== undefined && jobs.freeze.changed !== false);

/** Returns whether this migration might have archived the source and has not unarchived it since. */
export function isPossiblyArchived(project: ProjectMigration): boolean {
  return mightHaveArchived(project) && !hasSucceeded(project.jobs.thaw);
}

/** Returns `thaw` if the project's migration has stopped and might have left its source archived. */
const unarchivingJobKind = (project: ProjectMigration): 'thaw' | null =>
  isPossiblyArchived(project) && project.jobs.thaw === undefined && jobsOf(project).every(hasEnded)
    ? 'thaw'
    : null;

/**
 * Returns the job to create now, if the wave has begun; null if the project waits or has ended. Users may edit an
 * unarchived source, so after `thaw` no job follows until a resume creates all jobs again.
 */
export function nextJobKind(project: ProjectMigration, freeze: boolean): MigrationJobKind | null {
  const { jobs } = project;
  if (hasSucceeded(jobs.import)) {
    // The imported project is archived, because its source was archived before the export.
    return mightHaveArchived(project) && !project.isExcluded && jobs.unmark === undefined ? 'unmark' : null;
  }
  const isOver = project.isExcluded || [jobs.freeze, jobs.export, jobs.import].some(hasEndedUnsuccessfully);
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
  if (jobs.thaw !== undefined && !hasSucceeded(jobs.import)) return [...migrationJobKinds];
  const failedJob = findFailedJob(project);
  return failedJob === null ? [] : migrationJobKinds.slice(migrationJobKinds.indexOf(failedJob.kind));
}

/** Returns whether this migration must still unarchive a source that it archived or is about to archive. */
export function needsUnarchiving(project: ProjectMigration): boolean {
  const { jobs } = project;
  if (hasSucceeded(jobs.import)) return false;
  const isOrMayBecomeArchived =
    isPossiblyArchived(project) || (jobs.freeze !== undefined && !hasEnded(jobs.freeze));
  return isOrMayBecomeArchived && !hasEndedUnsuccessfully(jobs.thaw);
}

/** Returns the job that stopped the project; null if none did. */
export function findFailedJob({
  jobs,
}: ProjectMigration): (MigrationJobState & { kind: MigrationJobKind }) | null {
  const kind = migrationJobKinds.find((candidate) => hasEndedUnsuccessfully(jobs[candidate]));
  const job = kind === undefined ? undefined : jobs[kind];
  return kind === undefined || job === undefined ? null : { ...job, kind };
}

export function projectState(project: ProjectMigration, freeze: boolean, status: Status): MigratingState {
  const { jobs } = project;
  if (project.isExcluded) return 'left-out';
  const isImported = hasSucceeded(jobs.import);
  const failedJob = findFailedJob(project);
  if (!isImported && failedJob !== null) return failedJob.status === 'cancelled' ? 'cancelled' : 'failed';
  if (isImported) {
    if (nextJobKind(project, freeze) !== null || (jobs.unmark !== undefined && !hasEnded(jobs.unmark))) {
      return 'finishing';
    }
    if (project.reconciled === null) return 'finishing';
    if (project.openFailures > 0 || hasEndedUnsuccessfully(jobs.unmark)) return 'differs';
    return project.reconciled ? 'arrived' : project.isUncompared === true ? 'uncompared' : 'differs';
  }
  if (jobs.thaw !== undefined) return 'cancelled';
  if (status === 'cancelled' && jobsOf(project).every(hasEnded)) return 'cancelled';
  if (jobs.import !== undefined || hasSucceeded(jobs.export)) return 'importing';
  return jobs.export === undefined && jobs.freeze === undefined ? 'planned' : 'exporting';
}

/** Returns whether the project was imported, no job of it is open, and the result was not yet compared. */
export function isComparisonDue(project: ProjectMigration, freeze: boolean): boolean {
  if (project.isExcluded || project.hasOpenRetries || project.reconciled !== null) return false;
  if (!hasSucceeded(project.jobs.import)) return false;
  return nextJobKind(project, freeze) === null && jobsOf(project).every(hasEnded);
}

/** Returns whether every job has ended and no other job follows. A comparison may still be due. */
export function isSettled(project: ProjectMigration, freeze: boolean): boolean {
  return nextJobKind(project, freeze) === null && jobsOf(project).every(hasEnded);
}

/** Returns the first wave with work left; null if there is none. A wave begins when the previous wave has ended. */
export function currentWave(projects: readonly ProjectMigration[], freeze: boolean): number | null {
  const openWaves = projects
    .filter((project) => !project.isExcluded && !isSettled(project, freeze))
    .map(({ wave }) => wave);
  return openWaves.length === 0 ? null : Math.min(...openWaves);
}

/**
 * Returns the jobs to create now. A paused or cancelled migration creates only jobs that unarchive the
 * source of a project that will not be imported.
 */
export function jobKindsDue(
  status: Status,
  projects: readonly ProjectMigration[],
  freeze: boolean,
): { project: ProjectMigration; kind: MigrationJobKind }[] {
  const wave = currentWave(projects, freeze);
  return projects.flatMap((project): { project: ProjectMigration; kind: MigrationJobKind }[] => {
    const kind = nextJobKind(project, freeze);
    if (kind === null || status === 'draft') return [];
    if (kind === 'thaw') return [{ project, kind }];
    if (status === 'cancelled') {
      const unarchiveKind = hasSucceeded(project.jobs.import) ? null : unarchivingJobKind(project);
      return unarchiveKind === null ? [] : [{ project, kind: unarchiveKind }];
    }
    return status === 'running' && project.wave === wave ? [{ project, kind }] : [];
  });
}

/** Returns whether no job is open and nothing is left to create or compare. */
export function isIdle(status: Status, projects: readonly ProjectMigration[], freeze: boolean): boolean {
  const isProjectIdle = (project: ProjectMigration): boolean =>
    jobsOf(project).every(hasEnded) && !project.hasOpenRetries && !isComparisonDue(project, freeze);
  return projects.every(isProjectIdle) && jobKindsDue(status, projects, freeze).length === 0;
}
