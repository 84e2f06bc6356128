/** @file The noun *run*: one request that groups jobs; its outcome is derived from theirs. */
import { endedStatuses, type JobKind } from './job.ts';
import type { ErrorData } from '../errors.ts';
import type { ChangeKind } from '../projects/change.ts';

/**
 * `running` while a job of it is open; `warnings`: none failed or was cancelled, but some have warnings or projects were left
 * out; `incomplete`: likewise, and an archive that was stored is known to lack what its source had; `partly-failed`: some failed, some did not; `cancelled`: none failed, some were cancelled, or the program before the run was ended by a person; `nothing`: it had no job to
 * run and left none out.
 */
export const runOutcomes = [
  'running',
  'succeeded',
  'warnings',
  'incomplete',
  'partly-failed',
  'failed',
  'cancelled',
  'skipped',
  'nothing',
] as const;
export type RunOutcome = (typeof runOutcomes)[number];

export interface Run {
  id: string;
  kind: JobKind;
  /** The plan that fired, and the time for which it was due; null for a run that somebody asked for. */
  planId: string | null;
  dueAt: string | null;
  /** A person asked for this run of the plan; false where its schedule did, and for runs without a plan. */
  manual: boolean;
  createdAt: string;
  /** When its last job ended; null while a job is open. */
  endedAt: string | null;
  /** Bytes of the archives that its jobs stored, or that its imports sent. */
  bytes: number;
  outcome: RunOutcome;
  /** Instances its jobs work on; without a job, the one it was asked for. */
  instances: string[];
  /** Number of jobs by status; statuses without a job are absent. */
  jobs: Record<string, number>;
  /** Path of the project where the run has one job only. */
  project: string | null;
  /** The effect of its job on the project; null where it has several, or one that changes nothing. */
  deed: ChangeKind | null;
  /** Projects that were left out, because an open job works on them with other settings; the first of them by path. */
  leftOut: { count: number; projects: string[] };
  /** Why a due time of a plan was skipped, as a sentence; null for a run that took place. */
  skippedWhy: string | null;
  /**
   * Findings of a plan when it chose its projects, and around its run; a warning is something that it could
   * not do.
   */
  notes: {
    severity: 'info' | 'warning';
    message: string;
    /** The end of the output of a program before or after the run, redacted. */
    output?: string | undefined;
    /** Why the run did not take place. */
    error?: ErrorData | undefined;
    /** Present until the steps after the end of the run are done: its program, its heartbeat. */
    awaits?: 'end' | undefined;
  }[];
}
export type RunNote = Run['notes'][number];

/** How many jobs a run has, and how many of them have ended. */
export function countJobs({ jobs }: Pick<Run, 'jobs'>): { all: number; ended: number } {
  const sum = (counts: readonly (number | undefined)[]): number =>
    counts.reduce<number>((total, count) => total + (count ?? 0), 0);
  return { all: sum(Object.values(jobs)), ended: sum(endedStatuses.map((status) => jobs[status])) };
}

/** The estimate of a plan's run when it began, and the outcome. All times ISO 8601 UTC. */
export interface RunForecast {
  startsAt: string;
  endsAt: string;
  /** Projects of the run, and the number of them with a known duration. */
  count: number;
  known: number;
  /** Null while it is in progress, where nothing was stored, and where a part of it was cancelled. */
  came: {
    endedAt: string;
    /**
     * Projects that took longer or shorter than the time before, the largest difference first: from the
     * request of the export to the stored archive, in milliseconds.
     */
    furthestOff: { project: string; expectedMs: number; tookMs: number }[];
  } | null;
}
