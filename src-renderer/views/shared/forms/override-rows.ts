/** @file The overrides of an import (GitLab's `override_params`) as rows of a form, and the rows' errors. Pure. */
import {
  attributeNamed,
  unknownAttributeMessage,
} from '../../../../src-contract/projects/project-attributes.ts';
import { overrideText as text } from '../../transfers/import/import.text.ts';

export interface OverrideRow {
  key: string;
  value: string;
}

export const rowsOf = (params: Readonly<Record<string, string>>): OverrideRow[] =>
  Object.entries(params).map(([key, value]) => ({ key, value }));

/** Returns null if the row has no error. An empty row is ignored. */
export function rowError(rows: readonly OverrideRow[], rowIndex: number): string | null {
  const row = rows[rowIndex];
  const key = row?.key.trim() ?? '';
  if (row === undefined || (key === '' && row.value.trim() === '')) return null;
  if (key === '') return text.nameMissing;
  if (rows.some((other, index) => index < rowIndex && other.key.trim() === key)) return text.duplicateName;
  if (row.value.trim() === '') return text.valueMissing;
  // Values are validated by the app: their parser is too large for the page.
  return attributeNamed(key)?.uses.includes('edit') === true ? null : unknownAttributeMessage(key, 'edit');
}

export const hasErrors = (rows: readonly OverrideRow[]): boolean =>
  rows.some((_, index) => rowError(rows, index) !== null);

export const namedEntriesOf = (rows: readonly OverrideRow[]): [key: string, value: string][] =>
  rows.flatMap(({ key, value }) => (key.trim() === '' ? [] : [[key.trim(), value] as const]));

export const paramsOf = (rows: readonly OverrideRow[]): Record<string, string> | null =>
  hasErrors(rows) ? null : Object.fromEntries(namedEntriesOf(rows));
