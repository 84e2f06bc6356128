/** @file The differences of a comparison in words, each with the ref by which it can be accepted or reopened. */
import { isGraveRecord, isGraveSetting } from '../../../../src-contract/transfers/gravity.ts';
import type { Reconciliation } from '../../../../src-contract/transfers/import.ts';
import {
  missingRecordText,
  settingDifferenceText,
  unnamedText,
  withLoss,
} from '../../../../src-contract/words/differences.ts';
import type { Difference } from '../../../../src-contract/migrations/difference.ts';
import { toPrintable, firstLines } from '../terminal/format.ts';

const maxNamed = 50;

/** Returns the differences of an import outside a migration. They cannot be accepted. */
export function lossesText(reconciliation: Reconciliation): string[] {
  const { missing, settings } = reconciliation;
  const unnamed = unnamedText(reconciliation);
  const losses = [
    ...missing.map((one) => ({ what: missingRecordText(one), lost: one.lost, isGrave: isGraveRecord(one) })),
    ...settings.map((one) => ({
      what: settingDifferenceText(one),
      lost: one.lost,
      isGrave: isGraveSetting(one),
    })),
    ...(unnamed === null ? [] : [{ what: unnamed, lost: null, isGrave: false }]),
  ];
  return listText(losses.map((loss) => ({ ...loss, line: `  ${lossText(loss)}` })));
}

export function differencesText(differences: readonly Difference[]): string[] {
  const lines = differences.map((one) => ({ ...one, line: `  ${one.ref}  ${differenceText(one)}` }));
  const isOpen = differences.some(({ open }) => open > 0);
  return [
    ...listText(lines),
    ...(isOpen
      ? ['Accept the differences that may remain: packhorse migration accept REF... --note WHY']
      : []),
  ];
}

function listText(differences: ReadonlyArray<{ line: string; isGrave: boolean }>): string[] {
  if (differences.length === 0) return [];
  return [
    '',
    'Missing or changed:',
    ...(differences.some(({ isGrave }) => isGrave)
      ? ['A difference is grave if people can see or do more on the target than on the source.']
      : []),
    ...firstLines(
      differences.map(({ line }) => line),
      maxNamed,
    ),
  ];
}

const lossText = ({ what, lost, isGrave }: Pick<Difference, 'what' | 'lost' | 'isGrave'>): string =>
  toPrintable(`${isGrave ? 'GRAVE: ' : ''}${withLoss(what, lost)}`);

function differenceText({ missing, open, accepted, ...loss }: Difference): string {
  const share = open === 0 ? 'accepted' : `${missing - open} of ${missing} accepted`;
  const why = accepted === null || open === missing ? '' : `, ${share}: ${toPrintable(accepted.note)}`;
  return `${lossText(loss)}${why}`;
}
