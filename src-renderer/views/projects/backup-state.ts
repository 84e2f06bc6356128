/** @file The state of a project's open backup, reduced to the few states that a table cell shows. */
import type { Job } from '../../../src-contract/runs/job.ts';
import type { WaitReason } from '../../../src-contract/runs/wait-reasons.ts';

/** True if the open backup of a project has not started, as far as the open jobs are known. */
export function isQueued(
  row: { openJob: string | null; waitsFor: WaitReason | null },
  { jobs, hasMore }: { jobs: readonly Pick<Job, 'id' | 'state'>[] | null; hasMore: boolean },
): boolean {
  if (row.openJob === null || row.waitsFor !== null || jobs === null) return false;
  const job = jobs.find(({ id }) => id === row.openJob);
  // All running jobs are loaded. Queued jobs may be missing.
  return job === undefined ? hasMore : job.state.status === 'queued';
}

/** `runs` also covers waiting for GitLab's work or for a rate limit, which needs no action. */
export function backupStateOf(waitsFor: WaitReason | null): 'runs' | 'token' | 'network' {
  switch (waitsFor) {
    case 'token-missing':
    case 'keychain':
      return 'token';
    case 'network':
    case 'server-unavailable':
      return 'network';
    default:
      return 'runs';
  }
}
