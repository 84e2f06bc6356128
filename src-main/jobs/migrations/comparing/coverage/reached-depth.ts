/**
 * @file Decides which depth a comparison reached: `contents` only if nothing was left out that GitLab's API shows, except
 * for parts that are only named. Every sentence about something unknown keeps the comparison at `fields`. Pure.
 */
import {
  coveredBy,
  type ChosenDepth,
  type ComparisonDepth,
  type Reconciliation,
} from '../../../../../src-contract/transfers/import.ts';
import { upperFirst } from '../../../../../src-contract/words/first-letter.ts';
import { relationText, unconfirmedText } from '../../../../../src-contract/words/relations.ts';
import {
  uncomparedPartText,
  uncomparedReasonText,
} from '../../../../../src-contract/words/uncompared-parts.ts';
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
  const { chosen, hasRecords } = coverage;
  if (!hasRecords) return 'numbers';
  if (chosen !== 'contents') return coveredBy[chosen];
  return contentGaps(coverage).length === 0 ? 'contents' : coveredBy.contents;
}

/** Returns a sentence for each reason why a comparison of contents does not reach the depth `contents`. */
export function contentGaps(coverage: ComparedCoverage): string[] {
  const { showsAll, unknown, unproven, rows, notCompared } = coverage;
  const leftOut = preventingReasons.flatMap((reason) => {
    const parts = notCompared
      .filter(({ part, records }) => reasonOf(part) === reason && (records > 0 || !(part in reasons)))
      .map(({ part }) => uncomparedPartText(part));
    return parts.length === 0 ? [] : [`${upperFirst(uncomparedReasonText[reason])}: ${parts.join('; ')}.`];
  });
  const uncounted = rows
    .filter(({ source, archive, target }) => [source, archive, target].includes(null))
    .map(({ relation }) => relation);
  // Most unknown relations are in a sentence already, which says more about them.
  const withoutSentence = (relations: readonly string[]): string[] =>
    relations.filter((relation) => !unknown.some((sentence) => sentence.includes(relationText(relation))));
  const unconfirmed = unconfirmedText(withoutSentence(unproven));
  const uncountedNames = withoutSentence(uncounted).map(relationText);
  return [
    ...(showsAll ? [] : [notSeenText]),
    ...leftOut,
    ...(unconfirmed === null ? [] : [unconfirmed]),
    ...(uncountedNames.length === 0 ? [] : [`Not counted on every side: ${uncountedNames.join(', ')}.`]),
    ...unknown,
  ];
}

const preventingReasons = ['not-requested', 'number-only'] as const;

const notSeenText =
  'The source was not read by an administrator, so custom attributes of the project, for example, were not compared.';

const reasons: Readonly<Record<string, UncomparedReason>> = uncomparedParts;
const reasonOf = (part: string): UncomparedReason => reasons[part] ?? 'not-requested';
