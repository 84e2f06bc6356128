/** @file Returns the progress of a job: the steps of its kind in order, with the state of each. Pure. */
import type { StartedStep } from '../../catalogue/runs/jobs.ts';
import { hasEnded, type StoredJob, type JobStep } from '../../../src-contract/runs/job.ts';

/**
 * `names` has all steps in order. A job that went back to an earlier step repeats the later steps. A job that succeeded
 * does not list skipped steps.
 */
export function stepsOf(
  job: StoredJob,
  names: readonly string[],
  started: readonly StartedStep[],
): JobStep[] {
  const rows = new Map(started.map((row) => [row.name, row]));
  // A step that began again after it had finished is not finished.
  const isDone = (name: string): boolean => {
    const row = rows.get(name);
    return row !== undefined && row.finishedAt !== null && row.finishedAt >= row.startedAt;
  };
  const unfinished = names.findLast((name) => rows.has(name) && !isDone(name));
  const currentIndex =
    job.state.status === 'succeeded' ? names.length : names.indexOf(job.step ?? unfinished ?? '');
  const isRunning = job.state.status === 'running' || job.state.status === 'cancelling';
  return names.flatMap((name, index): JobStep[] => {
    const row = rows.get(name);
    const later: JobStep = { name, state: 'later', attempt: 0, startedAt: null, finishedAt: null };
    if (index === currentIndex) {
      const state = hasEnded(job.state) ? 'stopped' : isRunning ? 'running' : 'next';
      return [{ ...later, ...row, state, finishedAt: null }];
    }
    const isPast = currentIndex === -1 ? isDone(name) : index < currentIndex;
    if (!isPast) return [later];
    return row === undefined ? [] : [{ ...row, state: 'done' }];
  });
}
