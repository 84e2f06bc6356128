/** @file The differences that a comparison found, in words. */
import type { MissingRecord, Reconciliation } from '../transfers/import.ts';
import { partText } from './relations.ts';

type Setting = Reconciliation['settings'][number];

const lostText: Record<MissingRecord['lost'], string> = {
  'on-export': ' (lost on export)',
  'on-import': ' (lost on import)',
};

/** Returns the text of a difference, and the step that caused it, such as "issues: #4 Crash (lost on import)". */
export const withLoss = (text: string, lost: Setting['lost']): string =>
  lost === null ? text : `${text}${lostText[lost]}`;

/** Returns the name of a missing record, or of a record and its part that is missing or has another value. */
export function missingRecordText({ relation, line, iid, title, part }: MissingRecord): string {
  const name = [iid === null ? '' : `#${iid}`, title ?? ''].filter((word) => word !== '').join(' ');
  return [
    relation,
    line === null ? '' : ` line ${line}`,
    name === '' ? '' : `: ${name}`,
    part === null ? '' : `, ${partText(part)}`,
  ].join('');
}

const maxShownLength = 60;
const shorten = (value: string): string =>
  value.length > maxShownLength ? `${value.slice(0, maxShownLength)}…` : value;

export const settingDifferenceText = ({ attribute, expected, found }: Omit<Setting, 'lost'>): string =>
  `the setting ${attribute} is "${shorten(found)}", not "${shorten(expected)}"`;

/** Returns the text of the differences without a name; null if all are named. */
export function unnamedText({
  missing,
  missingCount,
}: Pick<Reconciliation, 'missing' | 'missingCount'>): string | null {
  const amount = missingCount - missing.length;
  return amount > 0 ? `${amount} more records, or parts of records` : null;
}
