import { describe, expect, it } from 'vitest';
import {
  identifiedRelations,
  namedLosses,
  type Archived,
  type ArchivedRecord,
  type Identified,
  type Listed,
  type Sides,
} from '../../../../src-main/jobs/migrations/naming-losses.ts';

const exportedAt = 1_000;

const issue = (iid: number, more: Partial<Identified> = {}): Identified => ({
  key: String(iid),
  iid,
  title: `Issue ${iid}`,
  notes: 0,
  createdAt: 10,
  updatedAt: 20,
  ...more,
});
const archived = (records: Identified[]): ArchivedRecord[] =>
  records.map((record, line) => ({ ...record, line }));
const none = (): Listed =>
  Object.fromEntries(identifiedRelations.map((name) => [name, []])) as unknown as Listed;

function sides(
  source: Identified[] | null,
  archive: Identified[],
  target: Identified[] | null,
  more: Partial<Sides> = {},
): Sides {
  return {
    source: source === null ? null : { ...none(), issues: source },
    archive: { ...(none() as unknown as Archived), issues: archived(archive) },
    target: { ...none(), issues: target },
    exportedAt,
    sourceMoved: false,
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
  const withNotes = (notes: number | null, more: Partial<Identified> = {}) => [issue(1, { notes, ...more })];

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

  it('a side that does not count them accuses nobody', () => {
    expect(namedLosses(sides(withNotes(null), withNotes(2), withNotes(null)))).toEqual([]);
  });
});

describe('refs', () => {
  const ref = (name: string): Identified =>
    issue(1, { key: name, iid: null, title: name, notes: null, createdAt: null, updatedAt: null });
  const refs = (source: string[], archive: string[], target: string[], sourceMoved = false): Sides => {
    const own = sides([], [], [], { sourceMoved });
    return {
      ...own,
      source: { ...none(), branches: source.map(ref) },
      archive: { ...own.archive, branches: archived(archive.map(ref)) },
      target: { ...none(), branches: target.map(ref) },
    };
  };

  it('one that the target lacks is named, on the side where it was lost', () => {
    expect(namedLosses(refs(['main', 'topic'], ['main', 'topic'], ['main']))).toMatchObject([
      { relation: 'branches', title: 'topic', lost: 'on-import' },
    ]);
    expect(namedLosses(refs(['main', 'topic'], ['main'], ['main']))).toMatchObject([
      { relation: 'branches', title: 'topic', lost: 'on-export' },
    ]);
  });

  it('of a source that has moved on accuse nobody, because they tell no time', () => {
    expect(namedLosses(refs(['main', 'topic'], ['main'], ['main'], true))).toEqual([]);
  });
});
