/** @file The differences of a comparison in words, each with the ref by which it can be accepted or reopened. */
import type { Difference } from '../../../../src-contract/migrations/difference.ts';
import {
  differenceConditions,
  matchesFilter,
  type DifferenceFilter,
} from '../../../../src-contract/migrations/difference-filter.ts';
import {
  groupDifferences,
  listDifferences,
  wordsOf,
  type ListedDifference,
} from '../../../../src-contract/migrations/difference-groups.ts';
import { optionsOf } from '../../../../src-contract/options.ts';
import type { Reconciliation } from '../../../../src-contract/transfers/import.ts';
import { missingRecordText, unnamedText, withLoss } from '../../../../src-contract/words/differences.ts';
import { plural, toPrintable } from '../terminal/format.ts';
import { markedText } from '../terminal/marks.ts';

/** The number of differences that are printed unless the user asks for more. */
export const maxPrintedDifferences = 50;

interface Selected {
  filter?: DifferenceFilter;
  limit?: number;
}

/** Returns the differences of an import outside a migration. They cannot be accepted. */
export function lossesText(reconciliation: Reconciliation): string[] {
  const unnamed = unnamedText(reconciliation);
  const lines = listText(listDifferences(reconciliation), entryText, {});
  if (unnamed === null) return lines;
  return [...(lines.length === 0 ? ['', title] : lines), `  ${unnamed}`];
}

/** Returns the differences of a migrated project that meet the filter, in groups and up to the limit. */
export function differencesText(
  reconciliation: Reconciliation,
  differences: readonly Difference[],
  selected: Selected = {},
): string[] {
  // Records with the same name are one difference, which has one ref.
  const listed = listDifferences(reconciliation, differences).filter(({ difference }) => difference !== null);
  const isOpen = differences.some((one) => one.open > 0 && matchesFilter(one, selected.filter ?? {}));
  return [
    ...listText(listed, referredText, selected),
    ...(isOpen
      ? ['Accept the differences that may remain: packhorse migration accept REF... --note WHY']
      : []),
  ];
}

const title = 'Missing or changed:';

function listText(
  listed: readonly ListedDifference[],
  textOf: (entry: ListedDifference) => string,
  { filter = {}, limit = maxPrintedDifferences }: Selected,
): string[] {
  if (listed.length === 0) return [];
  const found = listed.filter((entry) => matchesFilter(entry, filter));
  const isFiltered = optionsOf(differenceConditions).some(([name]) => filter[name] !== undefined);
  const groups = groupDifferences(found);
  let left = limit;
  const lines = groups.flatMap((group) => {
    const shown = group.entries.slice(0, left);
    left -= shown.length;
    const heading = `${group.title} (${group.entries.length})`;
    return shown.length === 0 ? [] : ['', heading, ...shown.map((entry) => `  ${textOf(entry)}`)];
  });
  const hasMarks = found.some((entry) => wordsOf(entry) !== null);
  return [
    '',
    isFiltered ? `Missing or changed, ${found.length} of ${plural(listed.length, 'difference')}:` : title,
    ...(groups.some(({ isGrave }) => isGrave)
      ? ['A difference is grave if people can see or do more on the target than on the source.']
      : []),
    ...(hasMarks ? ['[-Words-] were expected, and {+words+} were found instead.'] : []),
    ...lines,
    ...(found.length > limit ? ['', `  and ${found.length - limit} more`] : []),
  ];
}

function entryText(entry: ListedDifference): string {
  const { record, setting, lost, isGrave, difference } = entry;
  const grave = isGrave ? 'GRAVE: ' : '';
  const compared = wordsOf(entry);
  if (compared === null) {
    const what = record === null ? (difference?.what ?? '') : missingRecordText(record);
    return toPrintable(`${grave}${withLoss(what, lost)}`);
  }
  const name =
    record === null
      ? `the setting ${setting?.attribute ?? ''}`
      : `${missingRecordText({ ...record, part: null })}, ${record.part?.name ?? ''}`;
  const limit = compared.limit === null ? '' : `. ${compared.limit}`;
  return toPrintable(`${grave}${withLoss(`${name}: ${markedText(compared.pieces)}`, lost)}${limit}`);
}

function referredText(entry: ListedDifference): string {
  const { difference } = entry;
  if (difference === null) return entryText(entry);
  const { ref, missing, open, accepted } = difference;
  const share = open === 0 ? 'accepted' : `${missing - open} of ${missing} accepted`;
  const why = accepted === null || open === missing ? '' : `, ${share}: ${toPrintable(accepted.note)}`;
  return `${ref}  ${entryText(entry)}${why}`;
}
