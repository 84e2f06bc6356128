/**
 * @file Decides the result of a comparison with accepted differences, and whether one record is on the target. Pure.
 */
import {
  coversContents,
  isUncountedOnTarget,
  type Reconciliation,
} from '../../../src-contract/transfers/import.ts';
import type { AssessedDifference } from './comparing/differences.ts';

/** `uncompared`: nothing differs, except for accepted differences, but contents were not compared. */
export type Agreement = 'agrees' | 'uncompared' | 'differs';

/**
 * Returns `differs` also if an archived relation could not be counted on the target, because nobody can accept that.
 */
export function agreementOf(
  { reconciled, depth, rows }: Reconciliation,
  differences: readonly Pick<AssessedDifference, 'open'>[],
): Agreement {
  if (reconciled) return 'agrees';
  if (rows.some(isUncountedOnTarget) || differences.some(({ open }) => open > 0)) return 'differs';
  return coversContents(depth) ? 'agrees' : 'uncompared';
}

/**
 * Returns whether the record is on the target. Returns null if that is unknown: the relation was not counted, not
 * all missing records are listed, or the archive has no such line.
 */
export function isRecordOnTarget(
  { rows, missing, missingCount, unnamed = [] }: Reconciliation,
  relation: string,
  line: number,
): boolean | null {
  const named = missing.filter(
    (one) => one.relation === relation && one.lost === 'on-import' && one.part === null,
  );
  const others = unnamed.filter((one) => one.relation === relation && one.lost === 'on-import');
  const lines = new Set([...named.map((one) => one.line), ...others.flatMap((one) => one.lines)]);
  if (lines.has(line)) return false;
  const row = rows.find((one) => one.relation === relation);
  if (row === undefined || row.archive === null || row.target === null) return null;
  if (line < 0 || line >= row.archive) return null;
  const known = unnamed.reduce((sum, { count }) => sum + count, missing.length);
  if (known < missingCount) return null;
  return row.archive - row.target > lines.size ? null : true;
}
