/** @file The message states why no record of a relation can be imported again. */
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
const reconciliationOf = (missing: MissingRecord[], missingCount = missing.length): Reconciliation => ({
  at: '2026-11-21T10:00:00.000Z',
  depth: 'fields',
  reconciled: false,
  rows: [],
  missing,
  missingCount,
  settings: [],
  declared: [],
  notCompared: [],
});
const messageFor = (reconciliation: Reconciliation | null, unknownLines: number[] = []): string =>
  nothingToImportText('atlas/app', 'issues', reconciliation, unknownLines);

test('the message about records that the export lost states that the archive lacks them, and names a new export as the remedy', () => {
  const lost = issue({ lost: 'on-export', line: null });
  expect(messageFor(reconciliationOf([lost, { ...lost, iid: 6 }]))).toMatch(
    /export lost the missing.*archive does not contain these 2 records.*new export/,
  );
  expect(messageFor(reconciliationOf([lost]))).toContain('the archive does not contain that record.');
});

test('the message distinguishes a record that lacks only a part from a missing record', () => {
  const part = { name: 'notes', expected: 3, found: 1 } as const;
  expect(messageFor(reconciliationOf([issue({ part })]))).toMatch(
    /No complete record of issues.*1 record is there without a part/,
  );
});

test('the message states that the missing records are unknown if only their number was stored', () => {
  expect(messageFor(reconciliationOf([issue({ relation: 'labels' })], 3))).toContain('which ones is unknown');
});

test('the message about failures on lines that the archive lacks names such a line', () => {
  expect(messageFor(reconciliationOf([]), [99_999, -1])).toMatch(
    /on lines that the archive does not have, such as 99999, .*Accept these failures/,
  );
});

test('the message states that no record is known to be missing', () => {
  for (const reconciliation of [
    null,
    reconciliationOf([]),
    reconciliationOf([issue({ relation: 'labels', lost: 'on-export' })]),
  ]) {
    expect(messageFor(reconciliation)).toBe('No record of issues is known to be missing in atlas/app.');
  }
});
