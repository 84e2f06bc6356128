/**
 * @file What comes next for each project of a migration: pure rules over its jobs. Nothing is remembered here, so whoever looks
 * again, after a crash or in another process, comes to the same answer.
 */
import type { ErrorData } from '../../../src-contract/errors.ts';
import { endedStatuses, type JobStatus } from '../../../src-contract/job.ts';
import type { MigratingState, migrationStatuses } from '../../../src-contract/migrations/migration.ts';

/** The jobs of one project, in the order in which they follow each other; `thaw` only where it does not arrive. */
export const moves = ['freeze', 'export', 'import', 'unmark', 'thaw'] as const;
export type Move = (typeof moves)[number];

/** A job of it as it stands. */
export interface MoveStatus {
  jobId: string;
  status: JobStatus;
  error: ErrorData | null;
  /** Of a change: whether it made the project so; null: it was sent, and what came of it is not known. */
  changed: boolean | null;
}

/** All that is known here of one project. */
export interface Migrating {
  sourceId: number;
  wave: number;
  leftOut: boolean;
  jobs: Partial<Record<Move, MoveStatus>>;
  /** A mark of ours may be on the source from before these jobs: one that took it away did not come to a good end. */
  leftMarked: boolean;
  /** Whether source, archive and target agreed when they were compared after its import or the last retry; null: they were not yet. */
  reconciled: boolean | null;
  openFailures: number;
  /** One of its relations is imported again. */
  retrying: boolean;
}

type Status = (typeof migrationStatuses)[number];

const hasEnded = (job: MoveStatus | undefined): boolean =>
  job !== undefined && (endedStatuses as readonly JobStatus[]).includes(job.status);
const movesOf = ({ jobs }: Migrating): MoveStatus[] => moves.flatMap((move) => jobs[move] ?? []);
const succeeded = (job: MoveStatus | undefined): boolean => job?.status === 'succeeded';
/** It came to an end without doing its work; one that was skipped did none either. */
const ended = (job: MoveStatus | undefined): boolean => hasEnded(job) && !succeeded(job);

/** The mark on the source is ours, or may be: one that had it before us keeps it, and so does its target. */
const isOurs = ({ jobs, leftMarked }: Migrating): boolean =>
  leftMarked || (jobs.freeze !== undefined && jobs.freeze.changed !== false);

/** Whether a mark of ours is on the source, or may be. */
export function isFrozen(project: Migrating): boolean {
  return isOurs(project) && !succeeded(project.jobs.thaw);
}

/** A mark of ours that is there, or may be, on the source of a project that will not move any more. */
const toGiveBack = (project: Migrating): 'thaw' | null =>
  isFrozen(project) && project.jobs.thaw === undefined && movesOf(project).every(hasEnded) ? 'thaw' : null;

/**
 * The job that is to be made now for a project whose turn it is; null: none, it waits for one or has come to its end. Once a mark
 * was given back, anybody may have worked on the source: nothing follows until all of it is made anew.
 */
export function nextMove(project: Migrating, freeze: boolean): Move | null {
  const { jobs } = project;
  if (succeeded(jobs.import)) {
    // The archive carries the mark that we put on its source.
    return isOurs(project) && !project.leftOut && jobs.unmark === undefined ? 'unmark' : null;
  }
  const isOver = project.leftOut || [jobs.freeze, jobs.export, jobs.import].some(ended);
  if (isOver || jobs.thaw !== undefined) return toGiveBack(project);
  if (freeze && jobs.freeze === undefined) return 'freeze';
  if (freeze && !hasEnded(jobs.freeze)) return null;
  if (jobs.export === undefined) return 'export';
  return hasEnded(jobs.export) && jobs.import === undefined ? 'import' : null;
}

/**
 * The jobs that are made anew where a project is taken up again: those from the one that failed on, or, where its source was open
 * meanwhile, all of them.
 */
export function movesToMakeAnew(project: Migrating): Move[] {
  const { jobs } = project;
  if (jobs.thaw !== undefined && !succeeded(jobs.import)) return [...moves];
  const failed = failedMove(project);
  return failed === null ? [] : moves.slice(moves.indexOf(failed.move));
}

/** Whether a mark of ours on its source, or one that is about to be put there, is still to be taken away. */
export function isGivingBack(project: Migrating): boolean {
  const { jobs } = project;
  if (succeeded(jobs.import)) return false;
  const mayBeMarked = isFrozen(project) || (jobs.freeze !== undefined && !hasEnded(jobs.freeze));
  return mayBeMarked && !ended(jobs.thaw);
}

/** The one that stopped it; null where none did. */
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

/** It was imported, nothing works on it any more, and nobody looked yet at what arrived. */
export function isToCompare(project: Migrating, freeze: boolean): boolean {
  if (project.leftOut || project.retrying || project.reconciled !== null) return false;
  if (!succeeded(project.jobs.import)) return false;
  return nextMove(project, freeze) === null && movesOf(project).every(hasEnded);
}

/** Nothing more will follow by itself, but for a look at what arrived. */
export function isSettled(project: Migrating, freeze: boolean): boolean {
  return nextMove(project, freeze) === null && movesOf(project).every(hasEnded);
}

/** The first wave in which something is left to do; null: none. A wave begins when the one before has come to its end. */
export function currentWave(projects: readonly Migrating[], freeze: boolean): number | null {
  const open = projects
    .filter((project) => !project.leftOut && !isSettled(project, freeze))
    .map(({ wave }) => wave);
  return open.length === 0 ? null : Math.min(...open);
}

/**
 * What is to be made now. A migration that rests begins nothing, but the mark on a source whose project will not move any more is
 * taken away whatever happened to the migration.
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
      const given = succeeded(project.jobs.import) ? null : toGiveBack(project);
      return given === null ? [] : [{ project, move: given }];
    }
    return status === 'running' && project.wave === wave ? [{ project, move }] : [];
  });
}

/** Nothing is under way, and nothing to be made or compared: none of its jobs will change that, only somebody who asks for more. */
export function isAtRest(status: Status, projects: readonly Migrating[], freeze: boolean): boolean {
  const rests = (project: Migrating): boolean =>
    movesOf(project).every(hasEnded) && !project.retrying && !isToCompare(project, freeze);
  return projects.every(rests) && movesNow(status, projects, freeze).length === 0;
}
