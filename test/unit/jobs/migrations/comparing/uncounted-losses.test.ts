import { describe, expect, it } from 'vitest';
import { comparedRelations, type UncountedRelation } from '../../../../../src-contract/relations.ts';
import type {
  ArchivedRecords,
  ListedRecord,
  ListedRecords,
} from '../../../../../src-main/jobs/migrations/comparing/losses/naming-losses.ts';
import { lostUncounted } from '../../../../../src-main/jobs/migrations/comparing/losses/uncounted-losses.ts';

const exportedAt = 1_000;

const record = (key: string, more: Partial<ListedRecord> = {}): ListedRecord => ({
  ...{ key, title: key, iid: null, id: key.charCodeAt(0), notes: null, createdAt: null, updatedAt: null },
  ...more,
});
const snippet = (key: string, createdAt: number): ListedRecord => record(key, { createdAt });
const allOf = (relation: UncountedRelation, records: ListedRecord[] | null): Record<string, unknown> => ({
  ...Object.fromEntries(comparedRelations.map((name) => [name, []])),
  [relation]: records,
});

function compare(
  relation: UncountedRelation,
  [source, archive, target]: [ListedRecord[] | null, ListedRecord[], ListedRecord[] | null],
) {
  const { missing, amounts, uncertainLosses } = lostUncounted({
    source: allOf(relation, source) as ListedRecords,
    archive: allOf(
      relation,
      archive.map((each, line) => ({ ...each, line })),
    ) as ArchivedRecords,
    target: allOf(relation, target) as ListedRecords,
    ...{ exportedAt, failedLines: new Map() },
  });
  const {
    source: inSource,
    archive: inArchive,
    target: onTarget,
  } = amounts.find((row) => row.relation === relation) ?? { source: null, archive: null, target: null };
  return {
    lost: missing.map(({ lost, title, line }) => [lost, title, line]),
    row: [inSource, inArchive, onTarget],
    uncertainLosses,
  };
}

describe('a record that the archive contains', () => {
  it('and the target does not list was lost on import, and is named with its line', () => {
    expect(
      compare('boards', [[record('a'), record('b')], [record('a'), record('b')], [record('a')]]),
    ).toEqual({
      ...{ lost: [['on-import', 'b', 1]], row: [2, 2, 1], uncertainLosses: [] },
    });
  });

  it('is lost as often as the target has fewer records with its key', () => {
    const three = [record('a'), record('a'), record('a')];
    expect(compare('project_badges', [three, three, [record('a')]]).lost).toEqual([
      ['on-import', 'a', 1],
      ['on-import', 'a', 2],
    ]);
  });

  it('is not lost if the list of the target may not be read', () => {
    expect(compare('push_rule', [null, [record('push_rule')], null])).toEqual({
      ...{ lost: [], row: [null, 1, null], uncertainLosses: [] },
    });
  });
});

describe('a record that the archive lacks', () => {
  it('was lost on export if it was created before the export, and is not expected there if it is newer', () => {
    const source = [snippet('a', 10), snippet('b', 20), snippet('c', exportedAt + 1)];
    const arrived = [snippet('a', 10)];
    expect(compare('snippets', [source, arrived, arrived])).toEqual({
      ...{ lost: [['on-export', 'b', null]], row: [2, 1, 1], uncertainLosses: [] },
    });
  });

  it('and has no time was lost on export if an archived one has a higher id, and may be newer otherwise', () => {
    const source = [record('a'), record('b')];
    expect(compare('boards', [source, [record('b')], [record('b')]])).toMatchObject({
      ...{ lost: [['on-export', 'a', null]], row: [2, 1, 1] },
    });
    expect(compare('boards', [source, [record('a')], [record('a')]])).toEqual({
      lost: [],
      row: [1, 1, 1],
      uncertainLosses: [{ relation: 'boards', candidateCount: 1, lostCount: 0, namedCount: 0 }],
    });
    expect(compare('boards', [[record('a')], [], []])).toMatchObject({
      ...{ lost: [], row: [0, 0, 0], uncertainLosses: [{ candidateCount: 1, lostCount: 0 }] },
    });
  });

  it('and has no time may be a renamed one if the source lacks one of the archive', () => {
    const archive = [record('before'), record('z')];
    expect(compare('project_badges', [[record('after'), record('z')], archive, archive])).toMatchObject({
      ...{ lost: [], uncertainLosses: [{ candidateCount: 1, lostCount: 0 }] },
    });
  });

  it('is lost as often as the source has more records with its key, the newest first', () => {
    const source = [record('a', { id: 9, title: 'new' }), record('a', { id: 1, title: 'old' }), record('b')];
    const arrived = [record('a'), record('b')];
    expect(compare('project_badges', [source, arrived, arrived]).lost).toEqual([['on-export', 'new', null]]);
  });

  it('may be one that the archive has without what identifies it', () => {
    const source = [snippet('a', 10)];
    expect(compare('snippets', [source, [record('a', { key: null })], source]).lost).toEqual([]);
  });
});
