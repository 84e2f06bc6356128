/** @file A comparison reaches the depth `contents` only if it left nothing out, and each single gap prevents this. */
import { describe, expect, it } from 'vitest';
import type { Reconciliation } from '../../../../../../src-contract/transfers/import.ts';
import {
  uncomparedPartNames,
  type UncomparedPart,
} from '../../../../../../src-contract/transfers/uncompared-parts.ts';
import { provesArchive } from '../../../../../../src-main/jobs/importing/archive-proof.ts';
import {
  contentGaps,
  reachedDepth,
  type ComparedCoverage,
} from '../../../../../../src-main/jobs/migrations/comparing/coverage/reached-depth.ts';
import {
  combineComparison,
  type ComparisonParts,
} from '../../../../../../src-main/jobs/migrations/comparing/three-way-comparison.ts';

const row = { relation: 'issues', source: 1, archive: 1, target: 1, verdict: 'equal' as const };
const parts = (records: Partial<Record<UncomparedPart, number>> = {}): Reconciliation['notCompared'] =>
  uncomparedPartNames.map((part) => ({ part, records: records[part] ?? 0 }));
/** Everything was compared that GitLab shows. */
const complete: ComparedCoverage = {
  ...{ chosen: 'contents', hasRecords: true, showsAll: true, unknown: [], unproven: [], rows: [row] },
  ...{ notCompared: parts() },
};

const numbers = { at: '2026-11-20T10:00:00.000Z', hasOpenFailures: false, rows: [row] };
const comparison: ComparisonParts = {
  ...({
    chosenDepth: 'contents',
    hasRecords: true,
    showsAll: true,
  } as const),
  ...{ amounts: [], missing: [], settings: [], listedFromSource: new Set<string>() },
  ...{ notComparedWithSource: [], unproven: [], declared: [], notCompared: parts(), relations: [] },
  remarks: ['The import used its own account, root, in place of a user.'],
};

describe('a comparison of everything', () => {
  it('has the depth contents, and proves the archive', () => {
    expect(reachedDepth(complete)).toBe('contents');
    expect(provesArchive(combineComparison(numbers, comparison))).toBe(true);
    const edited = { ...comparison, declared: ['These contents differ, but may have been edited.'] };
    expect(provesArchive(combineComparison(numbers, edited))).toBe(false);
    expect(provesArchive(combineComparison({ ...numbers, hasOpenFailures: true }, comparison))).toBe(false);
  });

  it('keeps the depth contents with parts that GitLab does not show, or an import does not keep', () => {
    const counts = Object.fromEntries(uncomparedPartNames.map((part) => [part, 3]));
    Object.assign(counts, { individual_rights: 0, job_attempts: 0, pipeline_notes: 0 });
    expect(reachedDepth({ ...complete, notCompared: parts(counts) })).toBe('contents');
  });
});

describe('a comparison has only the depth fields', () => {
  it.each<[string, Partial<ComparedCoverage>]>([
    ['if a limit was exceeded, a list was unreadable, or a difference may be an edit', { unknown: ['x'] }],
    [
      'if the archive has individual users with rights, because only their number is compared',
      { notCompared: [{ part: 'individual_rights', records: 1 }] },
    ],
    [
      'if the archive has earlier attempts of trigger jobs, because these were not requested',
      { notCompared: [{ part: 'job_attempts', records: 1 }] },
    ],
    [
      'if the archive has comments on commits in its pipelines, as before GitLab 15.10',
      { notCompared: [{ part: 'pipeline_notes', records: 1 }] },
    ],
    ['if the arrival of a relation is not proven', { unproven: ['project_members'] }],
    ['if the account does not see everything on the source', { showsAll: false }],
    ['if the source was not counted', { rows: [{ ...row, source: null }] }],
    ['if the archive was not counted', { rows: [row, { ...row, archive: null }] }],
    ['if the target was not counted', { rows: [{ ...row, target: null }] }],
    ['if a part has a name that this version does not know', { notCompared: [{ part: 'new', records: 0 }] }],
  ])('%s', (_, change) => {
    expect(reachedDepth({ ...complete, ...change })).toBe('fields');
    expect(contentGaps({ ...complete, ...change })).toHaveLength(1);
  });
});

describe('the reasons for the depth fields', () => {
  it('name what was not seen, not requested, not confirmed and not counted, and repeat the sentences about the unknown', () => {
    const gaps = contentGaps({
      ...{ ...complete, showsAll: false, unproven: ['project_members'], unknown: ['The wiki was not read.'] },
      ...{
        rows: [row, { ...row, target: null }],
        notCompared: [...parts({ designs: 1 }), { part: 'new_part', records: 0 }],
      },
    });
    expect(gaps).toEqual([
      expect.stringContaining('The source was not read by an administrator'),
      'GitLab’s API shows it, but it was not compared, so the contents do not count as compared: new part.',
      'Not confirmed: members.',
      'Not counted on every side: issues.',
      'The wiki was not read.',
    ]);
  });

  it('name a relation once', () => {
    const unknown = ['These could not be counted on the target: issues, members.'];
    const rows = [{ ...row, target: null }];
    expect(contentGaps({ ...complete, unknown, unproven: ['project_members'], rows })).toEqual(unknown);
  });

  it('are stored with a comparison of contents in part, and with no other', () => {
    const stored = (change: Partial<ComparisonParts>): Reconciliation =>
      combineComparison(numbers, { ...comparison, ...change });
    expect(stored({ showsAll: false }).gaps).toHaveLength(1);
    expect(stored({}).gaps).toBeUndefined();
    expect(stored({ chosenDepth: 'keys', showsAll: false }).gaps).toBeUndefined();
  });
});

it('a relation that lost records on export and was not counted on the target is not confirmed', () => {
  const lost = { ...row, source: 2, target: null, verdict: 'lost-on-export' as const };
  const combined = combineComparison({ ...numbers, rows: [lost] }, comparison);
  expect(combined.unproven).toEqual(['issues']);
});

it('a comparison of less never reaches the depth of fields', () => {
  expect(reachedDepth({ ...complete, chosen: 'keys' })).toBe('names');
  expect(reachedDepth({ ...complete, chosen: 'counts' })).toBe('numbers');
  expect(reachedDepth({ ...complete, hasRecords: false })).toBe('numbers');
});
