/** @file Finds the newest attempt at the work of a job that did not succeed. Pure. */
import { hasEnded, type Job } from '../../../src-contract/runs/job.ts';

function workOf(job: Job): string {
  switch (job.kind) {
    case 'change':
      return job.input?.change.kind ?? '';
    case 'relation-import':
      return job.input?.relation ?? '';
    case 'token':
      return job.input?.action ?? '';
    default:
      return '';
  }
}

/** Returns null if no job is newer. Ids of later jobs sort after ids of earlier jobs. */
export const newerAttempt = (job: Job, others: readonly Job[]): Job | null =>
  others
    .filter(
      (one) =>
        one.kind === job.kind &&
        one.instance === job.instance &&
        one.project.toLowerCase() === job.project.toLowerCase() &&
        one.id > job.id &&
        workOf(one) === workOf(job),
    )
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))[0] ?? null;

/**
 * The `job.list` request for the newest jobs of its project. Null while the job may still succeed, or if it has
 * succeeded.
 */
export const newerAttemptRequest = (job: Job | null) =>
  job === null || !hasEnded(job.state) || job.state.status === 'succeeded'
    ? null
    : { instance: job.instance, project: job.project, limit: 100 };
