/** @file What is said where no record of a relation can be imported again. */
import { expect, test } from 'vitest';
import { nothingToImportText } from '../../../../src-main/services/migrations/nothing-to-import.ts';
import type { MissingRecord, Reconciliation } from '../../../../src-contract/transfers/import.ts';

const issue = (changes: Partial<MissingRecord>): MissingRecord => ({
  relation: 'issues',
  lost: 'on-import',
  line: 4,
  iid: 5,
  title: 'Leak',
  part: null,
  ...changes,
});
const found = (missing: MissingRecord[], missingCount = missing.length): Reconciliation => ({
  at: '2026-11-21T10:00:00.000Z',
  reconciled: false,
  rows: [],
  missing,
  missingCount,
  settings: [],
  declared: [],
});
const said = (reconciliation: Reconciliation | null): string =>
  nothingToImportText('atlas/app', 'issues', reconciliation);

test('what the export lost is said to be in no archive, and what brings it', () => {
  const lost = issue({ lost: 'on-export', line: null });
  expect(said(found([lost, { ...lost, iid: 6 }]))).toMatch(
    /export lost the missing.*these 2 records.*new export/,
  );
  expect(said(found([lost]))).toContain('that record');
});

test('a record that is there without a part is no whole one that is missing', () => {
  const part = { name: 'notes', expected: 3, found: 1 } as const;
  expect(said(found([issue({ part })]))).toMatch(
    /No whole record of issues.*1 of them is there without a part/,
  );
});

test('nothing is said to be known of records of which only the number was kept', () => {
  expect(said(found([issue({ relation: 'labels' })], 3))).toContain('but not which ones');
});

test('where nothing is missing, that is said', () => {
  for (const reconciliation of [null, found([]), found([issue({ relation: 'labels', lost: 'on-export' })])]) {
    expect(said(reconciliation)).toBe('No record of issues is known to be missing in atlas/app.');
  }
});
