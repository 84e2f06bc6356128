/** @file Predicts the outcome of deleting a project, as far as possible (gitlab-facts 2.2). Pure. */
import { dayMs } from '../../../src-contract/bounds.ts';
import { defaultDeletionDelayDays } from '../../../src-contract/projects/change.ts';
import type { DeletionForecast } from '../../../src-contract/host.ts';

/** The major version since which GitLab delays deletions in every subscription. */
const alwaysDelayedSince = 18;

/**
 * @param markedOn the day on which the project was marked for deletion, or null. Deleting a marked project is final.
 * @param now epoch milliseconds.
 */
export function predictDeletion(
  markedOn: string | null,
  serverVersion: string | null,
  now: number,
): DeletionForecast {
  if (markedOn !== null) return { delayed: false, finalOn: null };
  const major = Number(/^v?(\d{1,4})\./.exec(serverVersion ?? '')?.[1] ?? 0);
  if (major < alwaysDelayedSince) return { delayed: null, finalOn: null };
  return {
    delayed: true,
    finalOn: new Date(now + defaultDeletionDelayDays * dayMs).toISOString().slice(0, 10),
  };
}
