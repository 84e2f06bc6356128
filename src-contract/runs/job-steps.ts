/** @file The steps of each kind of job in order, and the position of the present step. */
import type { Job, JobKind } from './job.ts';

/** The steps by kind. A test compares them with the definitions of jobs. */
export const jobSteps = {
  export: ['prepare', 'keep-existing', 'request', 'wait', 'count', 'store', 'prune'],
  import: ['prepare', 'send', 'wait', 'explain', 'compare'],
  change: ['prepare', 'send', 'follow'],
  'relation-import': ['prepare', 'send', 'wait', 'compare'],
  token: ['prepare', 'send'],
} as const satisfies Record<JobKind, readonly string[]>;

/** The position of a step among all steps of its job, counted from one. */
export interface StepPlace {
  at: number;
  of: number;
}

/** Returns the position of a job's present step; null for an ended job, and for a step of another version. */
export function stepPlace({ kind, step }: Pick<Job, 'kind' | 'step'>): StepPlace | null {
  const names: readonly (string | null)[] = jobSteps[kind];
  const at = names.indexOf(step) + 1;
  return at === 0 ? null : { at, of: names.length };
}

export const stepPlaceText = ({ at, of }: StepPlace): string => `step ${at} of ${of}`;
