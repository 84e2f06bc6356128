/** @file Computes the expiry date of a token's replacement. Pure. */
import { dayMs } from '../../../src-contract/bounds.ts';
import type { PersonalAccessToken } from '../../../src-contract/tokens/token.ts';

/** GitLab allows 365 days from its current date. One day less allows for midnight in between. */
const maxDays = 364;
const minDays = 7;

/**
 * Returns `YYYY-MM-DD` in UTC. The new token gets the lifetime of the old one, within GitLab's limit. `now` is the
 * server's time.
 */
export function nextExpiry({ createdAt, expiresOn }: PersonalAccessToken, now: number): string {
  // Counts whole days: otherwise a token made in the evening would lose part of a day at each rotation.
  const lifetimeDays =
    expiresOn === null
      ? maxDays
      : Math.round((Date.parse(expiresOn) - Date.parse(createdAt.slice(0, 10))) / dayMs);
  const days = Math.min(maxDays, Math.max(minDays, lifetimeDays));
  return new Date(now + days * dayMs).toISOString().slice(0, 10);
}
