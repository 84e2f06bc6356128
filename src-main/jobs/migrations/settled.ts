/** @file Whether all that a comparison found missing are records whose failure somebody accepted. Pure. */
import type { Comparison, Reconciliation } from '../../../src-preload/contract/import.ts';

/** A record that failed, and that is not wanted any more. */
export interface AcceptedRecord {
  relation: string | null;
  line: number | null;
}

/** Relations that carry the notes that are counted apart. */
const noteRows: Partial<Record<string, string>> = {
  issue_notes: 'issues',
  merge_request_notes: 'merge_requests',
};

/** Numbers and names must both be explained; what was lost on export, or could not be counted, is explained by no failure. */
export function agreesButAccepted(
  { reconciled, rows, missing, missingCount, settings }: Reconciliation,
  accepted: readonly AcceptedRecord[],
): boolean {
  if (reconciled) return true;
  if (settings.length > 0 || missing.length < missingCount) return false;
  const places = new Set(accepted.map(({ relation, line }) => `${relation ?? ''}:${line ?? ''}`));
  const isAccepted = missing.every(
    ({ relation, line, lost, part }) =>
      lost === 'on-import' && part === null && line !== null && places.has(`${relation}:${line}`),
  );
  return isAccepted && rows.every((row) => isExplained(row, accepted));
}

function isExplained(row: Comparison, accepted: readonly AcceptedRecord[]): boolean {
  const { relation, archive, target, verdict } = row;
  if (verdict === 'equal' || verdict === 'more') return true;
  if (verdict === 'unknown') return archive === 0;
  if (verdict !== 'lost-on-import' || archive === null || target === null) return false;
  const carrier = noteRows[relation];
  const count = accepted.filter((one) => one.relation === (carrier ?? relation)).length;
  // How many notes a record had is not known here, but the names show that no other one lost any.
  return carrier === undefined ? archive - target <= count : count > 0;
}

/**
 * Whether a record of the archive is on the target, as a comparison shows; null where it does not: the relation could not be
 * counted, or more is missing than was named.
 */
export function isThere(
  { rows, missing, missingCount }: Reconciliation,
  relation: string,
  line: number,
): boolean | null {
  const named = missing.filter(
    (one) => one.relation === relation && one.lost === 'on-import' && one.part === null,
  );
  if (named.some((one) => one.line === line)) return false;
  const row = rows.find((one) => one.relation === relation);
  if (row === undefined || row.archive === null || row.target === null) return null;
  if (missing.length < missingCount) return null;
  return row.archive - row.target > named.length ? null : true;
}
