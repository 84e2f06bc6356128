/** @file The words for the depths of comparisons: those that users choose, and what a comparison without losses covers. */
import { unconfirmedText } from './relations.ts';
import type {
  ChosenDepth,
  ComparisonDepth,
  ComparisonForecast,
  Reconciliation,
} from '../transfers/import.ts';

/** How far a comparison that covers contents compared them. */
export const contentsComparedText = {
  fields: 'Contents were compared in part.',
  contents: 'Contents were compared, as far as GitLab’s API shows them.',
} as const satisfies Partial<Record<ComparisonDepth, string>>;

export const agreementText: Record<ComparisonDepth, { title: string; text: string }> = {
  numbers: {
    title: 'Arrived, contents not compared',
    text: 'The numbers of records agree. Their names and contents were not compared.',
  },
  names: {
    title: 'Arrived, contents not compared',
    text: 'The numbers and names of records agree. Their contents were not compared.',
  },
  fields: {
    title: 'Arrived, contents compared in part',
    text: `The numbers, names and compared fields of records agree. ${contentsComparedText.fields}`,
  },
  contents: {
    title: 'Arrived',
    text: 'The numbers, names and contents of records agree, as far as GitLab’s API shows them.',
  },
};

export const chosenDepthText: Record<ChosenDepth, { text: string; hint: string }> = {
  counts: {
    text: 'Numbers only',
    hint: 'Only the numbers of records are compared. No project then counts as arrived.',
  },
  keys: {
    text: 'Numbers and names',
    hint: 'The numbers and names of records are compared, but not their contents. No project then counts as arrived.',
  },
  contents: {
    text: 'Contents',
    hint: 'The numbers, names and contents of records are compared.',
  },
};

/** The heading of the reasons in `gapsOf`. */
export const gapsTitle = 'Why contents were compared only in part';

/** Returns why contents were compared only in part, as sentences; empty if they were compared completely, or not at all. */
export function gapsOf({ depth, gaps, unproven }: Reconciliation): readonly string[] {
  if (depth !== 'fields') return [];
  if (gaps !== undefined) return gaps;
  const unconfirmed = unconfirmedText(unproven);
  return [olderVersionText, ...(unconfirmed === null ? [] : [unconfirmed])];
}

const olderVersionText =
  'An older version of Packhorse compared the project, and did not store why. Compare the project again.';

/** Returns the declared sentences that `gapsOf` does not repeat. */
export const declaredBesidesGaps = (reconciliation: Reconciliation): string[] => {
  const gaps = new Set(gapsOf(reconciliation));
  return reconciliation.declared.filter((sentence) => !gaps.has(sentence));
};

/** A sentence about everything that a comparison left out because of its depth; null if that is nothing. */
export const leftOutByDepth: Record<ChosenDepth, string | null> = {
  counts:
    'Only the numbers of records were compared, because that was chosen. Their names and contents, the members of the project and notes on commits were not compared.',
  keys: 'Only the numbers and names of records were compared, because that was chosen. Their contents, notes and changed files were not compared.',
  contents: null,
};

/** @param formatDuration returns a duration such as `3 min`. */
export function comparisonForecastText(
  { requests, isAtLeast, ms }: ComparisonForecast,
  formatDuration: (ms: number) => string,
): string {
  if (requests === null) return 'How many requests the comparison takes is not known.';
  const amount = `${isAtLeast ? 'at least' : 'about'} ${requests.toLocaleString('en')} requests`;
  if (ms === null || ms === 0) return `The comparison takes ${amount}.`;
  const perSecond = Math.max(1, Math.round((requests * 1000) / ms)).toLocaleString('en');
  const duration = `${isAtLeast ? 'at least' : 'about'} ${formatDuration(ms)}`;
  return `The comparison takes ${amount}, ${duration} at ${perSecond} requests per second.`;
}
