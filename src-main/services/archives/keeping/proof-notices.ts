/** @file The notice that the proofs in the background are behind. */
import { isoTime } from '../../../platform/clock.ts';
import type { ProofsBehind } from '../../../jobs/plans/proofing.ts';

/** One text, or none where no archive waits too long. */
export function proofNotices(behind: ProofsBehind | null): string[] {
  if (behind === null) return [];
  const { archives, since } = behind;
  const first =
    since === 0 ? 'Some were never read.' : `The first was read on ${isoTime(since).slice(0, 10)}.`;
  const which = archives === 1 ? '1 archive was' : `${archives} archives were`;
  return [
    `${which} not read to the end for more than 30 days. ${first} ` +
      'Proofs in the background take ten minutes of a day at the most. "packhorse archive verify" reads an archive at once.',
  ];
}
