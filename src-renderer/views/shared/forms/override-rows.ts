/** @file Settings for imports as a form edits them, and what is wrong with them. Pure. */
import { attributeNamed, unknownAttribute } from '../../../../src-contract/projects/project-attributes.ts';
import { overrideText as text } from '../../import/import.text.ts';

export interface OverrideRow {
  key: string;
  value: string;
}

export const rowsOf = (params: Readonly<Record<string, string>>): OverrideRow[] =>
  Object.entries(params).map(([key, value]) => ({ key, value }));

/** Null: nothing. A row without a word in it is none. */
export function wrongAt(rows: readonly OverrideRow[], at: number): string | null {
  const row = rows[at];
  const key = row?.key.trim() ?? '';
  if (row === undefined || (key === '' && row.value.trim() === '')) return null;
  if (key === '') return text.nameless;
  if (rows.some((other, index) => index < at && other.key.trim() === key)) return text.twice;
  if (row.value.trim() === '') return text.valueless;
  // Values are checked with the request: what reads them is not worth its size in the page.
  return attributeNamed(key)?.uses.includes('edit') === true ? null : unknownAttribute(key, 'edit');
}

export const anyWrong = (rows: readonly OverrideRow[]): boolean =>
  rows.some((_, at) => wrongAt(rows, at) !== null);

/** Those that have a name, in their order. */
export const namedOf = (rows: readonly OverrideRow[]): [key: string, value: string][] =>
  rows.flatMap(({ key, value }) => (key.trim() === '' ? [] : [[key.trim(), value] as const]));

/** Null while one of them is wrong. */
export const paramsOf = (rows: readonly OverrideRow[]): Record<string, string> | null =>
  anyWrong(rows) ? null : Object.fromEntries(namedOf(rows));
