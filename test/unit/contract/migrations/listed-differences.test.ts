import { expect, test } from 'vitest';
import {
  matchesFilter,
  type DifferenceFilter,
} from '../../../../src-contract/migrations/difference-filter.ts';
import { groupDifferences, listDifferences } from '../../../../src-contract/migrations/difference-groups.ts';
import type { MissingRecord, Reconciliation } from '../../../../src-contract/transfers/import.ts';
import { assessDifferences } from '../../../../src-main/jobs/migrations/comparing/differences.ts';

const record = (
  relation: string,
  iid: number | null,
  change: Partial<MissingRecord> = {},
): MissingRecord => ({
  ...{ relation, lost: 'on-import', line: iid, iid, title: null, part: null },
  ...change,
});
const field = (name: string, expected: string, found: string): Pick<MissingRecord, 'part'> => ({
  part: { name, values: { expected, found } },
});
const reconciliation: Reconciliation = {
  at: '2026-11-20T09:00:00.000Z',
  depth: 'contents',
  reconciled: false,
  rows: [{ relation: 'uploads', source: 5, archive: 5, target: 2, verdict: 'lost-on-import' }],
  missing: [
    record('issues', 1, field('state', 'opened', 'closed')),
    record('labels', null, { title: 'bug', lost: 'on-export', line: 7 }),
    record('issues', 2, { part: { name: 'notes', expected: 4, found: 1 } }),
    record('protected_branches', null, { title: 'main', ...field('force push', '0', '1') }),
    record('issues', 1, field('title', 'Old', 'New')),
  ],
  missingCount: 7,
  settings: [
    { attribute: 'description', expected: 'One', found: 'Two', lost: 'on-import' },
    { attribute: 'visibility', expected: 'private', found: 'public', lost: null },
  ],
  declared: [],
  notCompared: [],
};
const listed = listDifferences(reconciliation, assessDifferences(reconciliation, [], []));

test('grave differences lead, and the differences of one record are adjacent in the group of its relation', () => {
  const shown = groupDifferences(listed).map(({ title, isGrave, entries }) => [
    title,
    isGrave,
    entries.map(({ relation, record: one, values }) => [
      relation,
      one?.iid ?? one?.title ?? null,
      values && [values.expected, values.found],
    ]),
  ]);
  expect(shown).toEqual([
    [
      'Grave differences',
      true,
      [
        ['protected_branches', 'main', ['not allowed', 'allowed']],
        ['visibility', null, ['private', 'public']],
      ],
    ],
    [
      'Issues',
      false,
      [
        ['issues', 1, ['opened', 'closed']],
        ['issues', 1, ['Old', 'New']],
        ['issues', 2, ['4', '1']],
      ],
    ],
    ['Labels', false, [['labels', 'bug', null]]],
    ['Uploads', false, [['uploads', null, ['5', '2']]]],
    ['Settings', false, [['description', null, ['One', 'Two']]]],
    ['Without a name', false, [['', null, null]]],
  ]);
});

test.each<[DifferenceFilter, number]>([
  [{}, 9],
  [{ kind: 'record' }, 1],
  [{ kind: 'part' }, 4],
  [{ kind: 'number' }, 1],
  [{ kind: 'setting' }, 2],
  [{ kind: 'unnamed' }, 1],
  [{ lost: 'on-export' }, 1],
  [{ lost: 'on-import' }, 6],
  [{ isGrave: true }, 2],
  [{ isGrave: false }, 9],
  [{ relation: 'issues' }, 3],
  [{ kind: 'setting', isGrave: true }, 1],
])('%j selects %i of the differences', (filter, count) => {
  expect(listed.filter((one) => matchesFilter(one, filter))).toHaveLength(count);
});

test('an entry has the difference by which it is accepted, once for records of the same name', () => {
  const same = record('labels', null, { title: 'bug', line: 7 });
  const twice = { ...reconciliation, missing: [same, same], missingCount: 2, settings: [], rows: [] };
  const entries = listDifferences(twice, assessDifferences(twice, [], []));
  expect(entries.map(({ difference }) => difference?.missing ?? null)).toEqual([2, null]);
  expect(listed.every(({ difference }) => difference !== null)).toBe(true);
  expect(listDifferences(reconciliation).map(({ kind }) => kind)).toEqual([
    ...['part', 'record', 'part', 'part', 'part', 'setting', 'setting'],
  ]);
});
