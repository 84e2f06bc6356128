/** @file The noun *run*: one request that groups jobs; its outcome is derived from theirs. */
import type { z } from '../schema.ts';
import type * as schemas from './run-schema.ts';
import { endedStatuses } from './job.ts';

export type Run = z.output<typeof schemas.runSchema>;
export type RunForecast = z.output<typeof schemas.runForecastSchema>;

/**
 * The outcome of a run. `running`: a job is open; `warnings`: no job failed or was cancelled, but jobs have warnings or
 * projects were left out; `incomplete`: like `warnings`, and a stored archive is incomplete or suspicious, so that its
 * project is not current;
 * `partly-failed`: some jobs failed, others did not; `cancelled`: no job failed, and some were cancelled, or a user
 * ended the program before the run; `skipped`: all jobs were skipped, or the due time was; `nothing`: the run had no
 * job and left no project out.
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

export type RunNote = Run['notes'][number];

/** Returns the number of jobs of a run, and how many of them have ended. */
export function countJobs({ jobs }: Pick<Run, 'jobs'>): { all: number; ended: number } {
  const sum = (counts: readonly (number | undefined)[]): number =>
    counts.reduce<number>((total, count) => total + (count ?? 0), 0);
  return { all: sum(Object.values(jobs)), ended: sum(endedStatuses.map((status) => jobs[status])) };
}
