import { expect, it } from 'vitest';
import { limitNamedRecords } from '../../../../../src-main/jobs/migrations/comparing/losses/named-limit.ts';
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';

const lost = (relation: string, count: number, more: Partial<MissingRecord> = {}): MissingRecord[] =>
  Array.from({ length: count }, (_, line) => ({
    ...{ relation, lost: 'on-import', line, iid: line + 1, title: `${relation} ${line}`, part: null },
    ...more,
  }));
const namedCount = (missing: readonly MissingRecord[], relation: string): number =>
  missing.filter((record) => record.relation === relation).length;

it('a few losses are all named, in their order', () => {
  const few = [...lost('milestones', 3), ...lost('issues', 2)];
  expect(limitNamedRecords(few)).toEqual({ missing: few });
});

it('many losses of one relation take no name from another, and keep every line that can be imported again', () => {
  const { missing, unnamed } = limitNamedRecords([...lost('milestones', 1100), ...lost('issues', 3)]);
  expect(namedCount(missing, 'issues')).toBe(3);
  expect(namedCount(missing, 'milestones')).toBe(997);
  expect(unnamed).toEqual([
    {
      ...{ relation: 'milestones', lost: 'on-import', count: 103 },
      lines: Array.from({ length: 103 }, (_, at) => 997 + at),
    },
  ]);
});

it('relations with many losses share the names, and losses that cannot be imported again keep no line', () => {
  const part = { name: 'notes', expected: 2, found: 1 };
  const { missing, unnamed = [] } = limitNamedRecords([
    ...lost('issues', 700, { part }),
    ...lost('labels', 700, { lost: 'on-export', line: null }),
    ...lost('milestones', 100),
  ]);
  expect(['issues', 'labels', 'milestones'].map((relation) => namedCount(missing, relation))).toEqual([
    450, 450, 100,
  ]);
  expect(unnamed.map(({ relation, count, lines }) => [relation, count, lines])).toEqual([
    ['issues', 250, []],
    ['labels', 250, []],
  ]);
});
