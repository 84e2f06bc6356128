/**
 * @file What comes next for each project of a migration: pure rules over its jobs. Nothing is remembered here, so whoever looks
 * again, after a crash or in another process, comes to the same answer.
 */
import type { ErrorData } from '../../../src-preload/contract/errors.ts';
import { endedStatuses, type JobStatus } from '../../../src-preload/contract/job.ts';
import type {
  MigratingState,
  migrationStatuses,
} from '../../../src-preload/contract/migrations/migration.ts';

/** The jobs of one project, in the order in which they follow each other; `thaw` only where one before it failed. */
export const moves = ['freeze', 'export', 'import', 'unmark', 'thaw'] as const;
export type Move = (typeof moves)[number];

/** A job of it as it stands. */
export interface MoveStanding {
  jobId: string;
  status: JobStatus;
  error: ErrorData | null;
  /** Of a change: whether the project was not so already. */
  changed: boolean;
}

/** All that is known here of one project. */
export interface Migrating {
  sourceId: number;
  wave: number;
  leftOut: boolean;
  jobs: Partial<Record<Move, MoveStanding>>;
  /** Whether source, archive and target agreed when they were compared after its import or the last retry; null: they were not yet. */
  reconciled: boolean | null;
  openFailures: number;
  /** One of its relations is imported again. */
  retrying: boolean;
}

type Status = (typeof migrationStatuses)[number];

const hasEnded = (job: MoveStanding | undefined): boolean =>
  job !== undefined && (endedStatuses as readonly JobStatus[]).includes(job.status);
const movesOf = ({ jobs }: Migrating): MoveStanding[] => moves.flatMap((move) => jobs[move] ?? []);
const succeeded = (job: MoveStanding | undefined): boolean => job?.status === 'succeeded';
/** It came to an end without doing its work; one that was skipped did none either. */
const ended = (job: MoveStanding | undefined): boolean => hasEnded(job) && !succeeded(job);

/** Whether we put the mark on the source: one that had it before keeps it. */
export function isFrozen({ jobs }: Migrating): boolean {
  return jobs.freeze?.changed === true && !succeeded(jobs.thaw);
}

/** The job that is to be made now for a project whose turn it is; null: none, it waits for one or has come to its end. */
export function nextMove(project: Migrating, freeze: boolean): Move | null {
  const { jobs } = project;
  if (project.leftOut) return null;
  if (freeze && jobs.freeze === undefined) return 'freeze';
  if (freeze && !hasEnded(jobs.freeze)) return null;
  if (!ended(jobs.freeze)) {
    if (jobs.export === undefined) return 'export';
    if (!hasEnded(jobs.export)) return null;
    if (succeeded(jobs.export)) {
      if (jobs.import === undefined) return 'import';
      if (!hasEnded(jobs.import)) return null;
      if (succeeded(jobs.import)) {
        // The archive carries the mark that we put on its source.
        return jobs.freeze?.changed === true && jobs.unmark === undefined ? 'unmark' : null;
      }
    }
  }
  return jobs.freeze?.changed === true && jobs.thaw === undefined ? 'thaw' : null;
}

/** The one that stopped it; null where none did. */
export function failedMove({ jobs }: Migrating): (MoveStanding & { move: Move }) | null {
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
  if (project.leftOut) return true;
  return nextMove(project, freeze) === null && movesOf(project).every(hasEnded);
}

/** The first wave in which something is left to do; null: none. A wave begins when the one before has come to its end. */
export function currentWave(projects: readonly Migrating[], freeze: boolean): number | null {
  const open = projects.filter((project) => !isSettled(project, freeze)).map(({ wave }) => wave);
  return open.length === 0 ? null : Math.min(...open);
}

/**
 * What is to be made now. A migration that rests begins nothing, but the mark on a source whose project failed is taken away
 * whatever happened to the migration.
 */
export function movesNow(
  status: Status,
  projects: readonly Migrating[],
  freeze: boolean,
): { project: Migrating; move: Move }[] {
  const wave = currentWave(projects, freeze);
  return projects.flatMap((project) => {
    const move = nextMove(project, freeze);
    if (move === null || status === 'draft') return [];
    if (move === 'thaw') return [{ project, move }];
    if (status === 'cancelled') return givenUp(project);
    return status === 'running' && project.wave === wave ? [{ project, move }] : [];
  });
}

/** Nothing is under way, and nothing to be made or compared: none of its jobs will change that, only somebody who asks for more. */
export function isAtRest(status: Status, projects: readonly Migrating[], freeze: boolean): boolean {
  const rests = (project: Migrating): boolean =>
    movesOf(project).every(hasEnded) && !project.retrying && !isToCompare(project, freeze);
  return projects.every(rests) && movesNow(status, projects, freeze).length === 0;
}

/** Of a migration that was cancelled: what was frozen and will not move any more is given back. */
function givenUp(project: Migrating): { project: Migrating; move: Move }[] {
  const { jobs } = project;
  if (!movesOf(project).every(hasEnded) || succeeded(jobs.import)) return [];
  return isFrozen(project) && jobs.thaw === undefined ? [{ project, move: 'thaw' }] : [];
}
