/** @file Decides the next step of each project of a migration: pure rules over its stored jobs. */
import type { StoredMove } from '../../catalogue/migrations/migrating-rows.ts';
import { endedStatuses, type JobStatus } from '../../../src-contract/runs/job.ts';
import type { MigratingState, migrationStatuses } from '../../../src-contract/migrations/migration.ts';

/** The jobs of one project in order. `thaw` exists only if the project is not imported. */
export const moves = ['freeze', 'export', 'import', 'unmark', 'thaw'] as const;
export type Move = (typeof moves)[number];

export type MoveStatus = Omit<StoredMove, 'waitsFor'>;

export interface Migrating {
  sourceId: number;
  wave: number;
  leftOut: boolean;
  jobs: Partial<Record<Move, MoveStatus>>;
  /** True if the source may still be archived by an earlier job of ours, because the job to unarchive it failed. */
  leftMarked: boolean;
  /** True if all sides agreed in the last comparison; null if there was none yet. */
  reconciled: boolean | null;
  openFailures: number;
  retrying: boolean;
}

type Status = (typeof migrationStatuses)[number];

const hasEnded = (job: MoveStatus | undefined): boolean =>
  job !== undefined && (endedStatuses as readonly JobStatus[]).includes(job.status);
const movesOf = ({ jobs }: Migrating): MoveStatus[] => moves.flatMap((move) => jobs[move] ?? []);
const succeeded = (job: MoveStatus | undefined): boolean => job?.status === 'succeeded';
/** Returns whether the job ended without doing its work, for example because it was skipped. */
const ended = (job: MoveStatus | undefined): boolean => hasEnded(job) && !succeeded(job);

/**
 * Returns whether this migration marked the source as archived, or may have. A source that was archived before stays
 * archived.
 */
const isOurs = ({ jobs, leftMarked }: Migrating): boolean =>
  leftMarked || (jobs.freeze !== undefined && jobs.freeze.changed !== false);

/** Returns whether the source has a mark of ours, or may have one. */
export function isFrozen(project: Migrating): boolean {
  return isOurs(project) && !succeeded(project.jobs.thaw);
}

/** Returns `thaw` if the project will not move any more and its source has, or may have, a mark of ours. */
const markToRemove = (project: Migrating): 'thaw' | null =>
  isFrozen(project) && project.jobs.thaw === undefined && movesOf(project).every(hasEnded) ? 'thaw' : null;

/**
 * Returns the job to create now, if the wave has begun; null if the project waits or has ended. After the mark is
 * removed, users may edit the source. No job then follows until all jobs are created again.
 */
export function nextMove(project: Migrating, freeze: boolean): Move | null {
  const { jobs } = project;
  if (succeeded(jobs.import)) {
    // The imported project is archived, because its source was archived before the export.
    return isOurs(project) && !project.leftOut && jobs.unmark === undefined ? 'unmark' : null;
  }
  const isOver = project.leftOut || [jobs.freeze, jobs.export, jobs.import].some(ended);
  if (isOver || jobs.thaw !== undefined) return markToRemove(project);
  if (freeze && jobs.freeze === undefined) return 'freeze';
  if (freeze && !hasEnded(jobs.freeze)) return null;
  if (jobs.export === undefined) return 'export';
  return hasEnded(jobs.export) && jobs.import === undefined ? 'import' : null;
}

/**
 * Returns the jobs to create again on a resume: the failed job and all later jobs, or every job if the mark was removed
 * from the source.
 */
export function movesToRepeat(project: Migrating): Move[] {
  const { jobs } = project;
  if (jobs.thaw !== undefined && !succeeded(jobs.import)) return [...moves];
  const failed = failedMove(project);
  return failed === null ? [] : moves.slice(moves.indexOf(failed.move));
}

/** Returns whether a mark of ours on the source, existing or about to be set, still has to be removed. */
export function isRemovingMark(project: Migrating): boolean {
  const { jobs } = project;
  if (succeeded(jobs.import)) return false;
  const mayBeMarked = isFrozen(project) || (jobs.freeze !== undefined && !hasEnded(jobs.freeze));
  return mayBeMarked && !ended(jobs.thaw);
}

/** Returns the job that stopped the project; null if none did. */
export function failedMove({ jobs }: Migrating): (MoveStatus & { move: Move }) | null {
  const move = moves.find((one) => ended(jobs[one]));
  const job = move === undefined ? undefined : jobs[move];
  return move === undefined || job === undefined ? null : { ...job, move };
}

export function stateOf(project: Migrating, freeze: boolean, status: Status): MigratingState {
  const { jobs } = project;
  if (project.leftOut) return 'left-out';
  const imported = succeeded(jobs.import);
  const failed = failedMove(project);
  if (!imported && failed !== null) return failed.status === 'cancelled' ? 'cancelled' : 'failed';
  if (imported) {
    if (nextMove(project, freeze) !== null || (jobs.unmark !== undefined && !hasEnded(jobs.unmark))) {
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
export function isToCompare(project: Migrating, freeze: boolean): boolean {
  if (project.leftOut || project.retrying || project.reconciled !== null) return false;
  if (!succeeded(project.jobs.import)) return false;
  return nextMove(project, freeze) === null && movesOf(project).every(hasEnded);
}

/**
 * Returns whether no job is open and no job follows unless the user requests it. Only the comparison may still follow.
 */
export function isSettled(project: Migrating, freeze: boolean): boolean {
  return nextMove(project, freeze) === null && movesOf(project).every(hasEnded);
}

/** Returns the first wave with work left; null if there is none. A wave begins when the previous wave has ended. */
export function currentWave(projects: readonly Migrating[], freeze: boolean): number | null {
  const open = projects
    .filter((project) => !project.leftOut && !isSettled(project, freeze))
    .map(({ wave }) => wave);
  return open.length === 0 ? null : Math.min(...open);
}

/**
 * Returns the jobs to create now. A paused or cancelled migration creates only jobs that remove the mark from the
 * source of a project that will not move.
 */
export function movesNow(
  status: Status,
  projects: readonly Migrating[],
  freeze: boolean,
): { project: Migrating; move: Move }[] {
  const wave = currentWave(projects, freeze);
  return projects.flatMap((project): { project: Migrating; move: Move }[] => {
    const move = nextMove(project, freeze);
    if (move === null || status === 'draft') return [];
    if (move === 'thaw') return [{ project, move }];
    if (status === 'cancelled') {
      const given = succeeded(project.jobs.import) ? null : markToRemove(project);
      return given === null ? [] : [{ project, move: given }];
    }
    return status === 'running' && project.wave === wave ? [{ project, move }] : [];
  });
}

/** Returns whether no job is open and nothing is left to create or compare. */
export function isIdle(status: Status, projects: readonly Migrating[], freeze: boolean): boolean {
  const rests = (project: Migrating): boolean =>
    movesOf(project).every(hasEnded) && !project.retrying && !isToCompare(project, freeze);
  return projects.every(rests) && movesNow(status, projects, freeze).length === 0;
}
