/** @file One job for one request. */
import { AppError } from '../../../src-contract/errors.ts';
import type { StoredJob, JobKind } from '../../../src-contract/job.ts';
import type { Services } from '../../services/services.ts';

/**
 * Makes the job, joins an open one that does the same work, or goes on with that of an equal request. Throws `job-busy`.
 * `request` is stored: there is no secret and no confirmation in it.
 */
export function enqueueOne(
  services: Pick<Services, 'jobs'>,
  kind: JobKind,
  request: unknown,
  draft: { instance: string; project: string; input: unknown },
): { runId: string; job: StoredJob } {
  const { runId, jobs, refused } = services.jobs.enqueue({ kind, request, jobs: [draft] });
  const [busy] = refused;
  if (busy !== undefined) throw busy.error;
  const [job] = jobs;
  if (job === undefined) throw new AppError('internal', 'Nothing was enqueued.');
  return { runId, job };
}
