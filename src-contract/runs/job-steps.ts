/** @file The steps of each kind of job in order, and the position of the current step. */
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
export interface StepPosition {
  position: number;
  total: number;
}

/**
 * Returns the position of a job's current step; null if the job has ended, or if this version does not know the step.
 */
export function stepPosition({ kind, step }: Pick<Job, 'kind' | 'step'>): StepPosition | null {
  const names: readonly (string | null)[] = jobSteps[kind];
  const position = names.indexOf(step) + 1;
  return position === 0 ? null : { position, total: names.length };
}

export const stepPositionText = ({ position, total }: StepPosition): string => `step ${position} of ${total}`;
