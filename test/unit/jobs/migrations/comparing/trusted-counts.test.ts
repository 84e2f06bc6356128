import { describe, expect, test } from 'vitest';
import { listedRelations, type ListedRelation } from '../../../../../src-contract/relations.ts';
import type { Comparison } from '../../../../../src-contract/transfers/import.ts';
import type {
  ArchivedRecord,
  ListedRecord,
} from '../../../../../src-main/jobs/migrations/comparing/losses/naming-losses.ts';
import {
  unconfirmedCounts,
  withoutUntrusted,
} from '../../../../../src-main/jobs/migrations/comparing/unknown/trusted-counts.ts';

const exportedAt = 1_000;
const base = { iid: null, title: null, notes: null, updatedAt: null };
const archived = (key: string | null): ArchivedRecord => ({ ...base, key, createdAt: null, line: 0 });
const listed = (key: string, createdAt: number | null = 500): ListedRecord => ({
  ...{ ...base, key, createdAt, id: null },
});
const empty = Object.fromEntries(listedRelations.map((relation) => [relation, []])) as unknown as Record<
  ListedRelation,
  never[]
>;
const row = (relation: string, source: number | null, archive: number, target: number): Comparison => ({
  ...{ relation, source, archive, target },
  verdict: 'lost-on-export',
});

interface Case {
  counted: number | null;
  archive: (string | null)[];
  list: ListedRecord[] | null;
  relation?: ListedRelation;
  newestLabelId?: number;
  mayHaveChanged?: boolean;
}

function check({ counted, archive, list, relation = 'milestones', ...more }: Case) {
  const { newestLabelId = null, mayHaveChanged = false } = more;
  const rows = [row(relation, counted, archive.length, archive.length)];
  const unconfirmed = unconfirmedCounts(rows, {
    source: { ...empty, [relation]: list },
    archive: { ...empty, [relation]: archive.map(archived) },
    ...{ exportedAt, newestLabelId, mayHaveChanged },
  });
  const nothing = new Set<string>();
  const [result] = withoutUntrusted(rows, { unconfirmed, source: nothing, target: nothing });
  return {
    unconfirmed: unconfirmed.map(({ counted: count, known }) => [count, known]),
    source: result?.source,
  };
}

describe('a count of the source around the export that exceeds the archive', () => {
  test('is used if the list has as many records from before the export', () => {
    const list = [listed('1'), listed('2'), listed('3')];
    expect(check({ counted: 3, archive: ['1', '2'], list })).toEqual({ unconfirmed: [], source: 3 });
  });

  test('is used if the list lacks only records that the archive has, which were deleted later', () => {
    const list = [listed('2'), listed('3')];
    expect(check({ counted: 3, archive: ['1', '2'], list })).toEqual({ unconfirmed: [], source: 3 });
  });

  test('is used if the list could not be read', () => {
    expect(check({ counted: 3, archive: ['1', '2'], list: null })).toEqual({ unconfirmed: [], source: 3 });
  });

  test('is not known if list and archive agree on fewer records', () => {
    const list = [listed('1'), listed('2')];
    expect(check({ counted: 3, archive: ['1', '2'], list })).toEqual({ unconfirmed: [[3, 2]], source: null });
  });

  test('is not confirmed by a record that was created after the export', () => {
    const list = [listed('1'), listed('2'), listed('3', 2_000)];
    expect(check({ counted: 3, archive: ['1', '2'], list })).toEqual({ unconfirmed: [[3, 2]], source: null });
  });

  test('is reduced to the records that the source had for certain, if the archive has even fewer', () => {
    const list = [listed('1'), listed('2'), listed('3')];
    expect(check({ counted: 5, archive: ['1', '2'], list })).toEqual({ unconfirmed: [[5, 3]], source: 3 });
  });

  test('still shows a loss of records without a key', () => {
    const list = [listed('1'), listed('2'), listed('3')];
    expect(check({ counted: 4, archive: [null, null], list, relation: 'ci_pipelines' })).toMatchObject({
      source: 3,
    });
  });

  test('is not reduced in a list without times, whose records may be newer', () => {
    const list = [listed('a', null), listed('b', null), listed('new', null)];
    const result = check({ counted: 5, archive: ['a', 'b'], list, relation: 'branches' });
    expect(result).toEqual({ unconfirmed: [[5, 3]], source: null });
  });
});

test('a count that does not exceed the archive is used without looking at the list', () => {
  expect(check({ counted: 2, archive: ['1', '2'], list: [] })).toEqual({ unconfirmed: [], source: 2 });
  expect(check({ counted: null, archive: ['1'], list: [] })).toEqual({ unconfirmed: [], source: null });
});

test('without the numbers of a relation on a side, its row of notes has none, either, and verdicts follow', () => {
  const rows = [row('issues', 3, 2, 1), row('issue_notes', 3, 2, 1), row('labels', 3, 2, 1)];
  const untrusted = { unconfirmed: [], source: new Set(['issues']), target: new Set<string>() };
  expect(withoutUntrusted(rows, untrusted)).toMatchObject([
    { relation: 'issues', source: null, target: 1, verdict: 'lost-on-import' },
    { relation: 'issue_notes', source: null, target: 1, verdict: 'lost-on-import' },
    { relation: 'labels', source: 3, target: 1, verdict: 'lost-on-both' },
  ]);
  expect(
    withoutUntrusted(rows, { ...untrusted, source: new Set(), target: new Set(['issues']) }),
  ).toMatchObject([
    { relation: 'issues', source: 3, target: null, verdict: 'lost-on-export' },
    { relation: 'issue_notes', source: 3, target: null, verdict: 'lost-on-export' },
    { relation: 'labels', source: 3, target: 1, verdict: 'lost-on-both' },
  ]);
});

describe('a count of records that show no time', () => {
  const label = (key: string, id: number): ListedRecord => ({ ...listed(key, null), id });

  test('is not used if one was deleted before the snapshot, and a newer one came after it', () => {
    const list = [label('a', 1), label('b', 2), label('new', 9)];
    const labels = { relation: 'labels' as const, counted: 3, archive: ['a', 'b'], list };
    expect(check({ ...labels, newestLabelId: 3 })).toEqual({ unconfirmed: [[3, 2]], source: null });
    expect(check({ ...labels, newestLabelId: 9 })).toEqual({ unconfirmed: [], source: 3 });
  });

  test('is not confirmed by a label that may be a renamed one of the archive', () => {
    const label = (key: string, id: number): ListedRecord => ({ ...listed(key, null), id });
    const renamed = { relation: 'labels' as const, counted: 3, archive: ['b', 'c'], newestLabelId: 3 };
    // A label was removed before the export, and another one was added and one renamed after it.
    const list = [label('renamed', 2), label('c', 3), label('added', 4)];
    expect(check({ ...renamed, list })).toEqual({ unconfirmed: [[3, 2]], source: null });
    const withLost = [label('lost', 1), label('renamed', 2), label('c', 3)];
    expect(check({ ...renamed, list: withLost })).toEqual({ unconfirmed: [], source: 3 });
  });

  test('is not used for branches of a source that may have changed', () => {
    const list = [listed('main', null), listed('new', null)];
    const branches = { relation: 'branches' as const, counted: 2, archive: ['main'], list };
    expect(check({ ...branches, mayHaveChanged: true })).toEqual({ unconfirmed: [[2, 1]], source: null });
    expect(check(branches)).toEqual({ unconfirmed: [], source: 2 });
  });
});
