/** @file The steps of each kind of job in their order, and the present step of a job. */
import type { Job, JobKind } from './job.ts';

/** A test compares this with the definitions of jobs. */
export const jobSteps = {
  export: ['prepare', 'keep-existing', 'request', 'wait', 'count', 'store', 'prune'],
  import: ['prepare', 'send', 'wait', 'explain', 'compare'],
  change: ['prepare', 'send', 'follow'],
  'relation-import': ['prepare', 'send', 'wait', 'compare'],
  token: ['prepare', 'send'],
} as const satisfies Record<JobKind, readonly string[]>;

/** The place of a step among all steps of its job; both count from one. */
export interface StepPlace {
  at: number;
  of: number;
}

/** Null for a job that has ended, and for a step that only another version knows. */
export function stepPlace({ kind, step }: Pick<Job, 'kind' | 'step'>): StepPlace | null {
  const names: readonly (string | null)[] = jobSteps[kind];
  const at = names.indexOf(step) + 1;
  return at === 0 ? null : { at, of: names.length };
}

export const stepPlaceText = ({ at, of }: StepPlace): string => `step ${at} of ${of}`;
