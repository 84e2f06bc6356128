/** @file What the open backup of a project does, in as few states as a cell of the table tells apart. */
import type { WaitReason } from '../../../src-preload/contract/job.ts';

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
