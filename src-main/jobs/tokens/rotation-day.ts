/** @file On which day the token that replaces another one expires. Pure. */
import { dayMs } from '../../../src-contract/bounds.ts';
import type { PersonalToken } from '../../../src-contract/token.ts';

/** GitLab allows a year, which is 365 days counted from its own today; one less, so that midnight may pass on the way. */
const maxDays = 364;
const minDays = 7;

/** `YYYY-MM-DD`, UTC as GitLab reads it: as late as the old one lasted, within what GitLab allows. `now` by the server's clock. */
export function nextExpiry({ createdAt, expiresOn }: PersonalToken, now: number): string {
  // From day to day: of a token made in the evening a part of a day would be lost at each rotation.
  const lasted =
    expiresOn === null
      ? maxDays
      : Math.round((Date.parse(expiresOn) - Date.parse(createdAt.slice(0, 10))) / dayMs);
  const days = Math.min(maxDays, Math.max(minDays, lasted));
  return new Date(now + days * dayMs).toISOString().slice(0, 10);
}
