/** @file The differences of a comparison in words, each with the ref by which it can be accepted or reopened. */
import type { MissingRecord } from '../../../../src-contract/transfers/import.ts';
import type { Difference } from '../../../../src-contract/migrations/difference.ts';
import { toPrintable, firstLines } from '../terminal/format.ts';

const maxNamed = 50;

const lossTexts: Record<MissingRecord['lost'], string> = {
  'on-export': ' (lost on export)',
  'on-import': ' (lost on import)',
};

export function differencesText(differences: readonly Difference[]): string[] {
  if (differences.length === 0) return [];
  const lines = differences.map((one) => `  ${one.ref}  ${differenceText(one)}`);
  const isOpen = differences.some(({ open }) => open > 0);
  return [
    '',
    'Missing or changed:',
    ...(differences.some(({ isGrave }) => isGrave)
      ? ['A difference is grave if people can see or do more on the target than on the source.']
      : []),
    ...firstLines(lines, maxNamed),
    ...(isOpen
      ? ['Accept the differences that may remain: packhorse migration accept REF... --note WHY']
      : []),
  ];
}

function differenceText({ what, lost, isGrave, missing, open, accepted }: Difference): string {
  const share = open === 0 ? 'accepted' : `${missing - open} of ${missing} accepted`;
  const why = accepted === null || open === missing ? '' : `, ${share}: ${accepted.note}`;
  return toPrintable(`${isGrave ? 'GRAVE: ' : ''}${what}${lost === null ? '' : lossTexts[lost]}${why}`);
}
