/** @file Predicts the outcome of deleting a project, as far as it can be known before (gitlab-facts 2.2). Pure. */
import { dayMs } from '../../../src-contract/bounds.ts';
import { usualDeletionDays } from '../../../src-contract/projects/change.ts';
import type { DeletionOutlook } from '../../../src-contract/host.ts';

/** Since then every subscription marks first. */
const alwaysDelayed = 18;

/** @param markedOn the day on which it was marked already; a deletion then is final. `now` in epoch milliseconds. */
export function predictDeletion(
  markedOn: string | null,
  serverVersion: string | null,
  now: number,
): DeletionOutlook {
  if (markedOn !== null) return { delayed: false, finalOn: null };
  const major = Number(/^v?(\d{1,4})\./.exec(serverVersion ?? '')?.[1] ?? 0);
  if (major < alwaysDelayed) return { delayed: null, finalOn: null };
  return {
    delayed: true,
    finalOn: new Date(now + usualDeletionDays * dayMs).toISOString().slice(0, 10),
  };
}
