import { describe, expect, it, test } from 'vitest';
import { effectiveProof, type Proof } from '../../../../src-contract/archives/archive.ts';
import type { Reconciliation } from '../../../../src-contract/transfers/import.ts';
import { provesArchive } from '../../../../src-main/jobs/importing/archive-proof.ts';

const at = '2026-11-20T10:00:00.000Z';
const row = { relation: 'issues', source: 2, archive: 2, target: 2, verdict: 'equal' as const };
const whole: Reconciliation = {
  ...{ at, reconciled: true, contentsCompared: true, rows: [row] },
  ...{ missing: [], missingCount: 0, settings: [], declared: [] },
};

describe('a comparison proves the archive', () => {
  test.for<[string, Partial<Reconciliation>, boolean]>([
    ['where contents, names and numbers agree on all sides', {}, true],
    ['not where contents were not compared', { contentsCompared: false }, false],
    ['not where an older version compared it', { contentsCompared: undefined }, false],
    ['not where a part could not be compared', { unproven: ['project_members'] }, false],
    ['not where something is lost', { reconciled: false }, false],
    ['not where the source was not counted', { rows: [{ ...row, source: null }] }, false],
  ])('%s', ([, change, proves]) => {
    expect(provesArchive({ ...whole, ...change })).toBe(proves);
  });
});

describe('a stored proof L3', () => {
  const stored: Proof = { level: 'L3', at, detail: 'Imported as group/app and compared.' };

  it('of an import whose numbers alone were compared is worth L2, and says so', () => {
    expect(effectiveProof(stored)).toEqual({
      level: 'L2',
      at,
      detail: 'Imported, counts compared: Imported as group/app and compared.',
    });
  });

  it('of an import whose contents were compared stays L3', () => {
    expect(effectiveProof({ ...stored, contentsCompared: true }).level).toBe('L3');
  });
});
