/** @file The noun *run*: one request that groups jobs; its outcome is derived from theirs. */
import type { z } from '../schema.ts';
import type * as schemas from './run-schema.ts';
import { endedStatuses } from './job.ts';

export type Run = z.output<typeof schemas.runSchema>;
export type RunForecast = z.output<typeof schemas.runForecastSchema>;

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

export type RunNote = Run['notes'][number];

/** How many jobs a run has, and how many of them have ended. */
export function countJobs({ jobs }: Pick<Run, 'jobs'>): { all: number; ended: number } {
  const sum = (counts: readonly (number | undefined)[]): number =>
    counts.reduce<number>((total, count) => total + (count ?? 0), 0);
  return { all: sum(Object.values(jobs)), ended: sum(endedStatuses.map((status) => jobs[status])) };
}
