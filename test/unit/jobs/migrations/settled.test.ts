import { describe, expect, it } from 'vitest';
import type { Reconciliation } from '../../../../src-contract/transfers/import.ts';
import { isRecordOnTarget } from '../../../../src-main/jobs/migrations/settled.ts';

/** Three archived issues, of which this many are on the target. */
const compared = (target: number | null, change: Partial<Reconciliation> = {}): Reconciliation => ({
  ...{ at: '2026-11-20T00:00:00.000Z', reconciled: false, settings: [], declared: [] },
  rows: [
    { relation: 'issues', source: 3, archive: 3, target, verdict: target === null ? 'unknown' : 'equal' },
  ],
  missing: [],
  missingCount: 0,
  ...change,
});

describe('a record whose import failed', () => {
  it('is there when nothing is missing', () => {
    expect(isRecordOnTarget(compared(3), 'issues', 2)).toBe(true);
  });

  it('is not known to be there where the target could not be counted', () => {
    expect(isRecordOnTarget(compared(null), 'issues', 2)).toBe(null);
  });

  it.each([3, 99_999, -1])('is not known to be there when the archive has no line %d', (line) => {
    expect(isRecordOnTarget(compared(3), 'issues', line)).toBe(null);
  });
});
