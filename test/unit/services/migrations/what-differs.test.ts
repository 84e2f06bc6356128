import { expect, test } from 'vitest';
import type { Comparison, MissingRecord, Reconciliation } from '../../../../src-contract/transfers/import.ts';
import { describeDifferences } from '../../../../src-main/services/migrations/comparing/what-differs.ts';

const row = (
  relation: string,
  archive: number,
  verdict: Comparison['verdict'],
  target: number | null = null,
): Comparison => ({ relation, source: 2, archive, target, verdict });

const describeRows = (...rows: Comparison[]): string => describeMissing([], rows);

function describeMissing(missing: MissingRecord[], rows: Comparison[]): string {
  const reconciliation: Reconciliation = {
    ...{
      at: '2026-11-20T01:00:00.000Z',
      reconciled: false,
      depth: 'fields' as const,
      rows,
      settings: [],
      declared: [],
      notCompared: [],
    },
    ...{ missing, missingCount: missing.length },
  };
  const failures = { total: 0, open: 0, retried: 0, accepted: 0, resolved: 0, hasUnlisted: false };
  return describeDifferences({ failures, state: 'differs' } as never, reconciliation);
}

test('a project without a known loss names the relations whose arrival is not known', () => {
  expect(
    describeRows(row('issues', 2, 'unknown'), row('tags', 0, 'unknown'), row('ci_pipelines', 2, 'unknown')),
  ).toBe('it is not known whether these arrived: issues, pipelines');
});

test('a project with a loss that is only counted does not agree', () => {
  expect(describeRows(row('tags', 2, 'lost-on-import', 1))).toBe('source, archive and target do not agree');
  // The target was not counted, although its verdict names a loss.
  expect(describeRows(row('issues', 1, 'lost-on-export'), row('tags', 2, 'lost-on-import', 1))).toBe(
    'source, archive and target do not agree, and it is not known whether these arrived: issues',
  );
});

const label: MissingRecord = {
  ...{ relation: 'labels', iid: null, title: 'bug', line: 0, lost: 'on-import', part: null },
};

test('a known loss does not hide that the arrival of other relations is not known', () => {
  expect(describeMissing([label], [row('issues', 2, 'unknown')])).toBe(
    '1 record of labels was lost, and it is not known whether these arrived: issues',
  );
});

test('uploads that the target does not report are not named as a reason', () => {
  expect(describeMissing([label], [row('uploads', 2, 'unknown')])).toBe('1 record of labels was lost');
  expect(describeRows(row('issues', 2, 'unknown'), row('uploads', 2, 'unknown'))).toBe(
    'it is not known whether these arrived: issues',
  );
});
