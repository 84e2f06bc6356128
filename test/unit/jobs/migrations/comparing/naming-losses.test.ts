import { comparedRelations } from '../../../../../src-contract/relations.ts';
import { describe, expect, it } from 'vitest';
import {
  namedLosses as verdictLosses,
  type ArchivedRecords,
  type ArchivedRecord,
  type ListedRecords,
  type ListedRecord,
  type Sides,
} from '../../../../../src-main/jobs/migrations/comparing/losses/naming-losses.ts';

const exportedAt = 1_000;
const namedLosses = (compared: Sides) => verdictLosses(compared).missing;

const issue = (iid: number, more: Partial<ListedRecord> = {}): ListedRecord => ({
  id: iid,
  key: String(iid),
  iid,
  title: `Issue ${iid}`,
  notes: 0,
  createdAt: 10,
  updatedAt: 20,
  ...more,
});
const archived = (records: ListedRecord[]): ArchivedRecord[] =>
  records.map((record, line) => ({ ...record, line }));
const none = (): ListedRecords =>
  Object.fromEntries(comparedRelations.map((name) => [name, []])) as unknown as ListedRecords;

function sides(
  source: ListedRecord[] | null,
  archive: ListedRecord[],
  target: ListedRecord[] | null,
  more: Partial<Sides> = {},
): Sides {
  return {
    source: source === null ? null : { ...none(), issues: source },
    archive: { ...(none() as unknown as ArchivedRecords), issues: archived(archive) },
    target: { ...none(), issues: target },
    exportedAt,
    countsAroundExport: () => ({ before: null, after: null }),
    newestLabelId: null,
    mayHaveChanged: false,
    failedLines: new Map(),
    ...more,
  };
}

const three = [issue(1), issue(2), issue(3)];

describe('records', () => {
  it('are not named if all sides agree', () => {
    expect(namedLosses(sides(three, three, three))).toEqual([]);
  });

  it('that the archive contains and the target lacks were lost on import, and are named with their line', () => {
    expect(namedLosses(sides(three, three, [issue(1), issue(3)]))).toEqual([
      { relation: 'issues', lost: 'on-import', line: 1, iid: 2, title: 'Issue 2', part: null },
    ]);
  });

  it('that the source has and the archive lacks were lost on export, and have no line', () => {
    expect(namedLosses(sides(three, [issue(1), issue(3)], [issue(1), issue(3)]))).toEqual([
      { relation: 'issues', lost: 'on-export', line: null, iid: 2, title: 'Issue 2', part: null },
    ]);
  });

  it('that were created on the source after the export are not missing', () => {
    const later = [...three, issue(4, { createdAt: exportedAt + 1, updatedAt: exportedAt + 1 })];
    expect(namedLosses(sides(later, three, three))).toEqual([]);
  });

  it('that only the target has are no loss', () => {
    expect(namedLosses(sides(three, three, [...three, issue(9)]))).toEqual([]);
  });

  it('that share an iid lost the second one, or the one that GitLab listed as failed', () => {
    const twice = [issue(1), issue(1, { title: 'Other' })];
    expect(namedLosses(sides(null, twice, [issue(1)])).map(({ line }) => line)).toEqual([1]);
    const failedLines = new Map([['issues', new Set([0])]]);
    expect(namedLosses(sides(null, twice, [issue(1)], { failedLines })).map(({ line }) => line)).toEqual([0]);
  });

  it('are not named if their list may not be read', () => {
    expect(namedLosses(sides(null, three, null))).toEqual([]);
  });

  it('without an identifier are not named but left to the comparison of numbers', () => {
    expect(namedLosses(sides(null, [issue(1, { key: null, iid: null })], []))).toEqual([]);
  });
});

describe('notes', () => {
  const withNotes = (notes: number | null, more: Partial<ListedRecord> = {}) => [
    issue(1, { notes, ...more }),
  ];

  it('were lost on import if the target has fewer than the archive', () => {
    expect(namedLosses(sides(null, withNotes(3), withNotes(1)))).toMatchObject([
      { lost: 'on-import', line: 0, part: { name: 'notes', expected: 3, found: 1 } },
    ]);
  });

  it('were lost on export if the archive has fewer than a source record that was not changed since', () => {
    expect(namedLosses(sides(withNotes(3), withNotes(2), withNotes(2)))).toMatchObject([
      { lost: 'on-export', line: 0, part: { name: 'notes', expected: 3, found: 2 } },
    ]);
    const changedSince = withNotes(3, { updatedAt: exportedAt + 1 });
    expect(namedLosses(sides(changedSince, withNotes(2), withNotes(2)))).toEqual([]);
  });

  it('are no loss on a side that does not count them', () => {
    expect(namedLosses(sides(withNotes(null), withNotes(2), withNotes(null)))).toEqual([]);
  });
});

describe('a record without a time', () => {
  const named = (name: string, id: number | null): ListedRecord =>
    issue(1, { key: name, id, iid: null, title: name, notes: null, createdAt: null, updatedAt: null });
  /** Builds the sides from names in the order of age; labels have ids. */
  const untimed = (relation: 'branches' | 'labels', ...names: [string[], string[], string[]]) => {
    const [source, archive, target] = names.map((side) =>
      side.map((name) => named(name, relation === 'labels' ? name.charCodeAt(0) : null)),
    );
    const own = sides([], [], []);
    return (before: number | null, after = before, mayHaveChanged = false) => ({
      ...own,
      source: { ...none(), [relation]: source },
      archive: { ...own.archive, [relation]: archived(archive ?? []) },
      target: { ...none(), [relation]: target },
      countsAroundExport: () => ({ before, after }),
      mayHaveChanged,
    });
  };
  const titles = (compared: Sides): (string | null)[] => namedLosses(compared).map(({ title }) => title);

  it.each(['branches', 'labels'] as const)(
    'in %s that the target lacks is named with the side on which it was lost',
    (relation) => {
      expect(namedLosses(untimed(relation, ['a', 'b'], ['a', 'b'], ['a'])(2))).toMatchObject([
        { relation, title: 'b', lost: 'on-import' },
      ]);
      expect(namedLosses(untimed(relation, ['a', 'b'], ['a'], ['a'])(2))).toMatchObject([
        { relation, title: 'b', lost: 'on-export' },
      ]);
    },
  );

  it.each(['branches', 'labels'] as const)(
    'in %s that was created after the export is no loss, and the uncertainty is reported',
    (relation) => {
      const later = untimed(relation, ['a', 'b'], ['a'], ['a'])(1);
      expect(verdictLosses(later)).toEqual({
        missing: [],
        uncertainLosses: [{ relation, candidateCount: 1, lostCount: 0, namedCount: 0 }],
      });
    },
  );

  it('is no loss if it was created during the export or replaced another record', () => {
    expect(titles(untimed('labels', ['a', 'b'], ['a'], ['a'])(1, 2))).toEqual([]);
    expect(titles(untimed('labels', ['b', 'c'], ['a', 'b'], ['a', 'b'])(2))).toEqual([]);
    expect(titles(untimed('labels', ['a', 'c'], ['a'], ['a'])(2, 1))).toEqual([]);
  });

  it('is no loss if its relation was not counted', () => {
    expect(titles(untimed('labels', ['a', 'b'], ['a'], ['a'])(null))).toEqual([]);
    expect(titles(untimed('labels', ['a', 'b'], ['a'], ['a'])(2, null))).toEqual([]);
  });

  it('is named if it is one of the oldest labels, but not if it is a ref, whose age is unknown', () => {
    const [source, archive] = [
      ['a', 'b', 'c', 'd'],
      ['a', 'b'],
    ];
    expect(titles(untimed('labels', source.toReversed(), archive, archive)(3))).toEqual(['c']);
    expect(verdictLosses(untimed('branches', source, archive, archive)(3))).toEqual({
      missing: [],
      uncertainLosses: [{ relation: 'branches', candidateCount: 2, lostCount: 1, namedCount: 0 }],
    });
  });

  it('is not named if it is a ref of a source that was edited since', () => {
    const edited = untimed('branches', ['a', 'b'], ['a'], ['a'])(2, 2, true);
    expect(titles(edited)).toEqual([]);
    expect(titles(untimed('labels', ['a', 'b'], ['a'], ['a'])(2, 2, true))).toEqual(['b']);
  });
});
