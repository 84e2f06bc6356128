/**
 * @file Decides the result of a comparison with accepted differences, and whether one record is on the target. Pure.
 */
import { countedRelations } from '../../../src-contract/relations.ts';
import {
  coversContents,
  isArrivalUnknown,
  type Reconciliation,
} from '../../../src-contract/transfers/import.ts';
import type { AssessedDifference } from './comparing/differences.ts';

const counted: readonly string[] = countedRelations;

const isEachRelationCounted = (rows: Reconciliation['rows']): boolean =>
  rows.every((row) => !isArrivalUnknown(row) || !counted.includes(row.relation));

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
  if (!isEachRelationCounted(rows) || differences.some(({ open }) => open > 0)) return 'differs';
  return coversContents(depth) ? 'agrees' : 'uncompared';
}

/**
 * Returns whether source, archive and target agree in a comparison of contents once no failure is open. The stored
 * `reconciled` is false if failures were open when the comparison began, even if it resolved all of them.
 */
export const agreesWithoutFailures = ({ depth, rows, missingCount, settings }: Reconciliation): boolean =>
  coversContents(depth) &&
  isEachRelationCounted(rows) &&
  rows.every(({ verdict }) => !verdict.startsWith('lost')) &&
  missingCount + settings.length === 0;

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
