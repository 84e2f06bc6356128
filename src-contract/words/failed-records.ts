/** @file The words for a failed record that cannot be shown, in every host and in passports. */
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

/** Says what happens to an open failure about a line that the archive does not have. */
export const undecidableFailureText =
  'No comparison can show whether anything is missing, so the failure stays open until a user accepts it.';
