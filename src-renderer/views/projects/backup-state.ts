/** @file What the open backup of a project does, in as few states as a cell of the table tells apart. */
import type { Job } from '../../../src-contract/job.ts';
import type { WaitReason } from '../../../src-contract/wait-reasons.ts';

/** Whether the open backup of a project has not begun, as far as the open jobs are known. */
export function isQueued(
  row: { openJob: string | null; waitsFor: WaitReason | null },
  { jobs, more }: { jobs: readonly Pick<Job, 'id' | 'state'>[] | null; more: boolean },
): boolean {
  if (row.openJob === null || row.waitsFor !== null || jobs === null) return false;
  const job = jobs.find(({ id }) => id === row.openJob);
  // All that run are loaded; a queue is not, where it is long.
  return job === undefined ? more : job.state.status === 'queued';
}

/** `runs`: also while it waits for GitLab's work or keeps to a limit, which needs nobody. */
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
