/** @file The newest attempt of the same work as a job that did not succeed. Pure. */
import { hasEnded, type Job } from '../../../src-contract/runs/job.ts';

/** Distinguishes work of one kind on one project: by the relation to import, or the change to make. */
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

/** Null: none is newer. Ids of later jobs sort after those of earlier ones. */
export const newerTry = (job: Job, others: readonly Job[]): Job | null =>
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
 * The `job.list` request that finds it: the newest jobs of its project. Null while the job may still succeed or has
 * succeeded.
 */
export const newerTryRequest = (job: Job | null) =>
  job === null || !hasEnded(job.state) || job.state.status === 'succeeded'
    ? null
    : {
        ...{ runId: null, status: null, before: null, limit: 100 },
        ...{ instance: job.instance, project: job.project },
      };
