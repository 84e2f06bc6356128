import { listedRelations } from '../../../../../src-contract/relations.ts';
import { describe, expect, it } from 'vitest';
import {
  namedLosses as verdictLosses,
  type ArchivedRecords,
  type ArchivedRecord,
  type ListedRecords,
  type ListedRecord,
  type Sides,
} from '../../../../../src-main/jobs/migrations/comparing/naming-losses.ts';

const exportedAt = 1_000;
const namedLosses = (of: Sides) => verdictLosses(of).missing;

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
  Object.fromEntries(listedRelations.map((name) => [name, []])) as unknown as ListedRecords;

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
    sourceEdited: false,
    failedLines: new Map(),
    ...more,
  };
}

const three = [issue(1), issue(2), issue(3)];

describe('records', () => {
  it('nothing is named where all sides agree', () => {
    expect(namedLosses(sides(three, three, three))).toEqual([]);
  });

  it('what the archive holds and the target lacks was lost on import, with its line', () => {
    expect(namedLosses(sides(three, three, [issue(1), issue(3)]))).toEqual([
      { relation: 'issues', lost: 'on-import', line: 1, iid: 2, title: 'Issue 2', part: null },
    ]);
  });

  it('what the source has and the archive lacks was lost on export, and has no line', () => {
    expect(namedLosses(sides(three, [issue(1), issue(3)], [issue(1), issue(3)]))).toEqual([
      { relation: 'issues', lost: 'on-export', line: null, iid: 2, title: 'Issue 2', part: null },
    ]);
  });

  it('what came to the source after the export is not missing', () => {
    const later = [...three, issue(4, { createdAt: exportedAt + 1, updatedAt: exportedAt + 1 })];
    expect(namedLosses(sides(later, three, three))).toEqual([]);
  });

  it('what only the target has is no loss', () => {
    expect(namedLosses(sides(three, three, [...three, issue(9)]))).toEqual([]);
  });

  it('of two with one iid the second did not arrive, or the one that GitLab listed as failed', () => {
    const twice = [issue(1), issue(1, { title: 'Other' })];
    expect(namedLosses(sides(null, twice, [issue(1)])).map(({ line }) => line)).toEqual([1]);
    const failedLines = new Map([['issues', new Set([0])]]);
    expect(namedLosses(sides(null, twice, [issue(1)], { failedLines })).map(({ line }) => line)).toEqual([0]);
  });

  it('a list that may not be read names nothing', () => {
    expect(namedLosses(sides(null, three, null))).toEqual([]);
  });

  it('a record without anything that tells it apart is left to the numbers', () => {
    expect(namedLosses(sides(null, [issue(1, { key: null, iid: null })], []))).toEqual([]);
  });
});

describe('notes', () => {
  const withNotes = (notes: number | null, more: Partial<ListedRecord> = {}) => [
    issue(1, { notes, ...more }),
  ];

  it('fewer on the target than in the archive were lost on import', () => {
    expect(namedLosses(sides(null, withNotes(3), withNotes(1)))).toMatchObject([
      { lost: 'on-import', line: 0, part: { name: 'notes', expected: 3, found: 1 } },
    ]);
  });

  it('fewer in the archive than on a source that was not touched since were lost on export', () => {
    expect(namedLosses(sides(withNotes(3), withNotes(2), withNotes(2)))).toMatchObject([
      { lost: 'on-export', line: 0, part: { name: 'notes', expected: 3, found: 2 } },
    ]);
    const touched = withNotes(3, { updatedAt: exportedAt + 1 });
    expect(namedLosses(sides(touched, withNotes(2), withNotes(2)))).toEqual([]);
  });

  it('a side that does not count them shows no loss', () => {
    expect(namedLosses(sides(withNotes(null), withNotes(2), withNotes(null)))).toEqual([]);
  });
});

describe('what tells no time', () => {
  const named = (name: string, id: number | null): ListedRecord =>
    issue(1, { key: name, id, iid: null, title: name, notes: null, createdAt: null, updatedAt: null });
  /** Names with their ids, in the order of age. */
  const untimed = (relation: 'branches' | 'labels', ...names: [string[], string[], string[]]) => {
    const [source, archive, target] = names.map((of) =>
      of.map((name) => named(name, relation === 'labels' ? name.charCodeAt(0) : null)),
    );
    const own = sides([], [], []);
    return (before: number | null, after = before, sourceEdited = false) => ({
      ...own,
      source: { ...none(), [relation]: source },
      archive: { ...own.archive, [relation]: archived(archive ?? []) },
      target: { ...none(), [relation]: target },
      countsAroundExport: () => ({ before, after }),
      sourceEdited,
    });
  };
  const titles = (of: Sides): (string | null)[] => namedLosses(of).map(({ title }) => title);

  it.each(['branches', 'labels'] as const)(
    'of %s that the target lacks is named, on the side where it was lost',
    (of) => {
      expect(namedLosses(untimed(of, ['a', 'b'], ['a', 'b'], ['a'])(2))).toMatchObject([
        { relation: of, title: 'b', lost: 'on-import' },
      ]);
      expect(namedLosses(untimed(of, ['a', 'b'], ['a'], ['a'])(2))).toMatchObject([
        { relation: of, title: 'b', lost: 'on-export' },
      ]);
    },
  );

  it.each(['branches', 'labels'] as const)(
    'of %s that came after the export shows no loss, and that is reported',
    (of) => {
      const later = untimed(of, ['a', 'b'], ['a'], ['a'])(1);
      expect(verdictLosses(later)).toEqual({
        missing: [],
        uncertainLosses: [{ relation: of, candidates: 1, lost: 0, named: 0 }],
      });
    },
  );

  it('shows no loss where it came while the export ran, or took the place of another', () => {
    expect(titles(untimed('labels', ['a', 'b'], ['a'], ['a'])(1, 2))).toEqual([]);
    expect(titles(untimed('labels', ['b', 'c'], ['a', 'b'], ['a', 'b'])(2))).toEqual([]);
    expect(titles(untimed('labels', ['a', 'c'], ['a'], ['a'])(2, 1))).toEqual([]);
  });

  it('shows no loss where it was not counted', () => {
    expect(titles(untimed('labels', ['a', 'b'], ['a'], ['a'])(null))).toEqual([]);
    expect(titles(untimed('labels', ['a', 'b'], ['a'], ['a'])(2, null))).toEqual([]);
  });

  it('names the oldest labels where others came later, and no refs, whose age nothing tells', () => {
    const [source, archive] = [
      ['a', 'b', 'c', 'd'],
      ['a', 'b'],
    ];
    expect(titles(untimed('labels', source.toReversed(), archive, archive)(3))).toEqual(['c']);
    expect(verdictLosses(untimed('branches', source, archive, archive)(3))).toEqual({
      missing: [],
      uncertainLosses: [{ relation: 'branches', candidates: 2, lost: 1, named: 0 }],
    });
  });

  it('names no refs of a source that was edited since', () => {
    const worked = untimed('branches', ['a', 'b'], ['a'], ['a'])(2, 2, true);
    expect(titles(worked)).toEqual([]);
    expect(titles(untimed('labels', ['a', 'b'], ['a'], ['a'])(2, 2, true))).toEqual(['b']);
  });
});
