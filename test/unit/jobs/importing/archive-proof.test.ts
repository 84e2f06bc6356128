import { describe, expect, it, test } from 'vitest';
import { effectiveProof, type Proof } from '../../../../src-contract/archives/archive.ts';
import type { Reconciliation } from '../../../../src-contract/transfers/import.ts';
import { provesArchive } from '../../../../src-main/jobs/importing/archive-proof.ts';

const at = '2026-11-20T10:00:00.000Z';
const row = { relation: 'issues', source: 2, archive: 2, target: 2, verdict: 'equal' as const };
const complete: Reconciliation = {
  ...{ at, reconciled: true, depth: 'contents', rows: [row] },
  ...{ missing: [], missingCount: 0, settings: [], declared: [], notCompared: [] },
};

describe('a comparison proves the archive', () => {
  test.for<[string, Partial<Reconciliation>, boolean]>([
    ['if contents, names and numbers agree on all sides', {}, true],
    ['but not if contents were compared in part', { depth: 'fields' }, false],
    ['but not if an older version made it', { depth: 'names' }, false],
    ['but not if a part could not be compared', { unproven: ['project_members'] }, false],
    ['but not if something is lost', { reconciled: false }, false],
    ['but not if the source was not counted', { rows: [{ ...row, source: null }] }, false],
  ])('%s', ([, change, proves]) => {
    expect(provesArchive({ ...complete, ...change })).toBe(proves);
  });
});

describe('a stored proof L3', () => {
  const stored: Proof = { level: 'L3', at, detail: 'Imported as group/app and compared.' };

  it('counts as L2 if the import compared only numbers, and its detail says that counts were compared', () => {
    expect(effectiveProof(stored)).toEqual({
      level: 'L2',
      at,
      detail: 'Imported, counts compared: Imported as group/app and compared.',
    });
  });

  it('stays L3 if the import compared contents', () => {
    expect(effectiveProof({ ...stored, contentsCompared: true }).level).toBe('L3');
  });
});
