import { describe, expect, it } from 'vitest';
import type { Reconciliation } from '../../../../src-contract/transfers/import.ts';
import { isRecordOnTarget } from '../../../../src-main/jobs/migrations/settled.ts';

/** Returns a comparison of three archived issues with this number of issues on the target. */
const compared = (target: number | null, change: Partial<Reconciliation> = {}): Reconciliation => ({
  ...{
    at: '2026-11-20T00:00:00.000Z',
    depth: 'fields',
    reconciled: false,
    settings: [],
    declared: [],
    notCompared: [],
  },
  rows: [
    { relation: 'issues', source: 3, archive: 3, target, verdict: target === null ? 'unknown' : 'equal' },
  ],
  missing: [],
  missingCount: 0,
  ...change,
});

describe('a record whose import failed', () => {
  it('is on the target if nothing is missing', () => {
    expect(isRecordOnTarget(compared(3), 'issues', 2)).toBe(true);
  });

  it('is in an unknown state if the target could not be counted', () => {
    expect(isRecordOnTarget(compared(null), 'issues', 2)).toBe(null);
  });

  it.each([3, 99_999, -1])('is in an unknown state if the archive has no line %d', (line) => {
    expect(isRecordOnTarget(compared(3), 'issues', line)).toBe(null);
  });
});
