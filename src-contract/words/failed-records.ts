/** @file The words for failures and failed records that cannot be shown, in every host and in passports. */
import { maxListedFailures } from '../bounds.ts';
import type { RecordAbsence } from '../migrations/failure.ts';

interface FailurePlace {
  relation: string | null;
  line: number | null;
}

/** Says why the record of a failure cannot be shown. */
export function recordAbsenceText({ relation, line }: FailurePlace, absence: RecordAbsence): string {
  switch (absence) {
    case 'no-line':
      return 'GitLab did not report the line (versions before 14.6 never do), so the record cannot be found.';
    case 'no-such-line':
      return `The archive has no line ${line ?? '?'} in ${relation ?? '?'}, so the record cannot be shown.`;
    case 'no-archive':
      return 'The record can be read once the archive of this import is available.';
  }
}

/**
 * Says that GitLab may have left failures of an import out of its list.
 * @param count their estimated number; null if it is unknown.
 */
export function unlistedFailuresText(count: number | null): string {
  const others =
    count === null || count === 0
      ? 'Whether there were others, and what they lost, is not known.'
      : `About ${count.toLocaleString('en')} others are not listed, and it is not known what they lost.`;
  return `GitLab lists at most ${maxListedFailures} failures at once, and listed that many. ${others}`;
}

/** Says what happens to an open failure about a line that the archive does not have. */
export const undecidableFailureText =
  'No comparison can show whether anything is missing, so the failure stays open until a user accepts it.';
