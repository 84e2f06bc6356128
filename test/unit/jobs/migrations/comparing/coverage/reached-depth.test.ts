/** @file A comparison reaches the depth `contents` only if it left nothing out, and each single gap prevents this. */
import { describe, expect, it } from 'vitest';
import type { Reconciliation } from '../../../../../../src-contract/transfers/import.ts';
import {
  uncomparedPartNames,
  uncomparedParts,
  type UncomparedPart,
} from '../../../../../../src-contract/transfers/uncompared-parts.ts';
import { provesArchive } from '../../../../../../src-main/jobs/importing/archive-proof.ts';
import {
  partsEmptyOnSource,
  reachedDepth,
  type ComparedCoverage,
} from '../../../../../../src-main/jobs/migrations/comparing/coverage/reached-depth.ts';
import type { ListedRecord } from '../../../../../../src-main/jobs/migrations/comparing/losses/naming-losses.ts';
import {
  combineComparison,
  type ComparisonParts,
} from '../../../../../../src-main/jobs/migrations/comparing/three-way-comparison.ts';

const row = { relation: 'issues', source: 1, archive: 1, target: 1, verdict: 'equal' as const };
const requestable = uncomparedPartNames.filter((part) => uncomparedParts[part] === 'not-requested');
const parts = (records: Partial<Record<UncomparedPart, number>> = {}): Reconciliation['notCompared'] =>
  uncomparedPartNames.map((part) => ({ part, records: records[part] ?? 0 }));
/** Everything was compared, and the source has nothing of the parts that are not requested. */
const complete: ComparedCoverage = {
  ...{ chosen: 'contents', hasRecords: true, showsAll: true, unknown: [], unproven: [], rows: [row] },
  ...{ notCompared: parts(), emptyOnSource: new Set(requestable) },
};

describe('a comparison of everything', () => {
  it('has the depth contents, and proves the archive', () => {
    expect(reachedDepth(complete)).toBe('contents');
    const numbers = {
      ...{ at: '2026-11-20T10:00:00.000Z', reconciled: true, depth: 'numbers', rows: [row], missing: [] },
      ...{ missingCount: 0, settings: [], declared: [], notCompared: [] },
    } satisfies Reconciliation;
    const comparison: ComparisonParts = {
      ...({
        chosenDepth: 'contents',
        hasRecords: true,
        showsAll: true,
        emptyOnSource: complete.emptyOnSource,
      } as const),
      ...{ amounts: [], missing: [], settings: [], listedFromSource: new Set<string>() },
      ...{ notComparedWithSource: [], unproven: [], declared: [], notCompared: parts() },
      remarks: ['The import used its own account, root, in place of a user.'],
    };
    expect(provesArchive(combineComparison(numbers, comparison))).toBe(true);
    const edited = { ...comparison, declared: ['These contents differ, but may have been edited.'] };
    expect(provesArchive(combineComparison(numbers, edited))).toBe(false);
  });

  it('keeps the depth contents with parts that GitLab does not show, or an import does not keep', () => {
    const others = uncomparedPartNames.filter((part) => !requestable.includes(part));
    const counts = Object.fromEntries(others.map((part) => [part, 3]));
    expect(reachedDepth({ ...complete, notCompared: parts(counts) })).toBe('contents');
  });
});

describe('a comparison has only the depth fields', () => {
  it.each<[string, Partial<ComparedCoverage>]>([
    ['if a limit was exceeded, a list was unreadable, or a difference may be an edit', { unknown: ['x'] }],
    ['if the arrival of a relation is not proven', { unproven: ['project_members'] }],
    ['if the account does not see everything on the source', { showsAll: false }],
    ['if the source was not counted', { rows: [{ ...row, source: null }] }],
    ['if the archive was not counted', { rows: [row, { ...row, archive: null }] }],
    ['if the target was not counted', { rows: [{ ...row, target: null }] }],
    ['if a part has a name that this version does not know', { notCompared: [{ part: 'new', records: 0 }] }],
  ])('%s', (_, change) => {
    expect(reachedDepth({ ...complete, ...change })).toBe('fields');
  });

  it.each(requestable)('if the archive has %s', (part) => {
    expect(reachedDepth({ ...complete, notCompared: parts({ [part]: 1 }) })).toBe('fields');
  });

  it.each(requestable)('if the source may have %s', (part) => {
    const emptyOnSource = new Set(requestable.filter((one) => one !== part));
    expect(reachedDepth({ ...complete, emptyOnSource })).toBe('fields');
  });
});

it('a comparison of less never reaches the depth of fields', () => {
  expect(reachedDepth({ ...complete, chosen: 'keys' })).toBe('names');
  expect(reachedDepth({ ...complete, chosen: 'counts' })).toBe('numbers');
  expect(reachedDepth({ ...complete, hasRecords: false })).toBe('numbers');
});

describe('the source is known not to have', () => {
  type Listed = Parameters<typeof partsEmptyOnSource>[0]['listed'];
  const record = (contents: Record<string, string>, users = {}) =>
    ({ contents, users }) as unknown as ListedRecord;
  const quiet = {};
  const listed = (change: Partial<Listed> = {}): Listed =>
    ({
      ...{ snippets: [], merge_requests: [record(quiet, { reviewers: [], assignees: [] })] },
      ...{ issues: [record(quiet)], ...change },
    }) as unknown as Listed;
  const parts = (change: Partial<Listed> = {}): string[] =>
    [...partsEmptyOnSource({ listed: listed(change) })].toSorted();

  it('parts of records that it does not have', () => {
    expect(parts()).toEqual(['review_states']);
  });

  it('states of reviews only if no merge request has a reviewer', () => {
    const reviewed = [record(quiet, { reviewers: [{}], assignees: [] })];
    expect(parts({ merge_requests: reviewed })).toEqual([]);
  });

  it('nothing about a list that may not be read', () => {
    expect(parts({ merge_requests: null })).toEqual([]);
  });
});
