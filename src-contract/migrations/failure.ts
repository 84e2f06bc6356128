/**
 * @file The noun *failure*: one failed record of an import, as the catalogue stores it, with its archive and its
 * state. GitLab lists only the newest 100 failures of an import, and deletes them with the next import.
 */
import type { z } from '../schema.ts';
import type * as schemas from './failure-schema.ts';

export type RecordName = z.output<typeof schemas.recordNameSchema>;
export type UnlistedFailures = z.output<typeof schemas.unlistedFailuresSchema>;
export type ImportFailure = z.output<typeof schemas.importFailureSchema>;

/**
 * `retried`: its relation was imported again, and the outcome is not yet known; `resolved`: the target has the record
 * now.
 */
export const failureStates = ['open', 'retried', 'resolved', 'accepted'] as const;
export type FailureState = (typeof failureStates)[number];

/**
 * Why the record of a failure cannot be shown. `no-line`: GitLab reported no line; `no-such-line`: the archive does not
 * have the line; `no-archive`: the archive cannot be read.
 */
export const recordAbsences = ['no-line', 'no-such-line', 'no-archive'] as const;
export type RecordAbsence = (typeof recordAbsences)[number];

/** Returns why no record was found. `wasArchiveRead` is true if an archive was searched for it. */
export function recordAbsenceOf(
  { relation, line }: { relation: string | null; line: number | null },
  wasArchiveRead: boolean,
): RecordAbsence {
  if (relation === null || line === null) return 'no-line';
  return wasArchiveRead ? 'no-such-line' : 'no-archive';
}
