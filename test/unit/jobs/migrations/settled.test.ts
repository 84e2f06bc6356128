import { describe, expect, it } from 'vitest';
import { agreesWithoutFailures, type Reconciliation } from '../../../../src-contract/transfers/import.ts';
import { agreementOf, isRecordOnTarget } from '../../../../src-main/jobs/migrations/settled.ts';

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

/** Returns a comparison with one changed row. */
const withRow = (
  change: Partial<Reconciliation['rows'][number]>,
  target: number | null = 3,
): Reconciliation => compared(target, { rows: compared(target).rows.map((row) => ({ ...row, ...change })) });

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

describe('a comparison whose differences were all accepted', () => {
  const accepted = [{ open: 0 }];
  /** Returns the agreement of a comparison that found two issues lost on export, and counted this many on the target. */
  const withExportLoss = (archive: number, target: number | null) =>
    agreementOf(
      compared(target, {
        rows: [{ relation: 'issues', source: archive + 2, archive, target, verdict: 'lost-on-export' }],
      }),
      accepted,
    );

  it('agrees if the target was counted', () => {
    expect(withExportLoss(8, 8)).toBe('agrees');
  });

  it('differs if records were lost on export and the target could not be counted', () => {
    expect(withExportLoss(8, null)).toBe('differs');
  });

  it('agrees without a count of the target if the archive has no such records', () => {
    expect(withExportLoss(0, null)).toBe('agrees');
  });
});

describe('a comparison without open failures', () => {
  const setting = { attribute: 'name', expected: 'a', found: 'b', lost: 'on-import' as const };
  it.each<[string, boolean, Reconciliation]>([
    ['agrees if nothing differs', true, compared(3)],
    ['agrees with unlisted amounts of the target', true, withRow({ relation: 'lfs_objects_size' }, null)],
    ['does not agree if the target was not counted', false, compared(null)],
    ['does not agree if records were lost', false, withRow({ verdict: 'lost-on-import' })],
    ['does not agree if a record is missing by name', false, compared(3, { missingCount: 1 })],
    ['does not agree if a setting differs', false, compared(3, { settings: [setting] })],
    ['does not agree if contents were not compared', false, compared(3, { depth: 'names' })],
  ])('%s', (_, agrees, comparison) => {
    expect(agreesWithoutFailures(comparison)).toBe(agrees);
  });
});
