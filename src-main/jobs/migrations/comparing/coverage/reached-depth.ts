/**
 * @file Decides which depth a comparison reached: `contents` only if nothing was left out that GitLab's API shows. Every
 * sentence about something unknown keeps the comparison at `fields`. Pure.
 */
import {
  coveredBy,
  type ChosenDepth,
  type ComparisonDepth,
  type Reconciliation,
} from '../../../../../src-contract/transfers/import.ts';
import {
  uncomparedParts,
  type UncomparedReason,
} from '../../../../../src-contract/transfers/uncompared-parts.ts';

export interface ComparedCoverage {
  chosen: ChosenDepth;
  /** False if the records of the archive could not be read one by one. */
  hasRecords: boolean;
  /** False if the account of the source does not see everything, such as custom attributes as an administrator does. */
  showsAll: boolean;
  /** Sentences about contents that were not compared, or whose differences may be edits. */
  unknown: readonly string[];
  unproven: readonly string[];
  rows: Reconciliation['rows'];
  notCompared: Reconciliation['notCompared'];
}

export function reachedDepth(coverage: ComparedCoverage): ComparisonDepth {
  const { chosen, hasRecords, showsAll, unknown, unproven, rows, notCompared } = coverage;
  if (!hasRecords) return 'numbers';
  if (chosen !== 'contents') return coveredBy[chosen];
  const isEachCounted = rows.every(
    ({ source, archive, target }) => ![source, archive, target].includes(null),
  );
  const isLeftOut = ({ part }: Reconciliation['notCompared'][number]): boolean =>
    reasonOf(part) === 'not-requested';
  return showsAll && unknown.length + unproven.length === 0 && isEachCounted && !notCompared.some(isLeftOut)
    ? 'contents'
    : coveredBy.contents;
}

const reasons: Readonly<Record<string, UncomparedReason>> = uncomparedParts;
const reasonOf = (part: string): UncomparedReason => reasons[part] ?? 'not-requested';
