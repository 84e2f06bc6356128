import { describe, expect, test } from 'vitest';
import {
  describeHiddenIssues,
  describeHiddenOnSource,
  possiblyHiddenIssues,
  withoutHidden,
  type IssueSides,
} from '../../../../../src-main/jobs/migrations/comparing/unknown/hidden-issues.ts';

const base = { title: null, notes: null, createdAt: null, updatedAt: null };
const archived = (iid: number, confidential: boolean) => ({
  ...{ ...base, key: `${iid}`, iid, line: iid - 1 },
  contents: { confidential: String(confidential) },
});
const listed = (iid: number) => ({ ...base, key: `${iid}`, iid, id: iid });
const archive = [archived(1, false), archived(2, true), archived(3, true)];
const sides = { archive, listed: [listed(2)], administrator: false, accessLevel: null } satisfies IssueSides;
const iids = (changes: Partial<IssueSides>) =>
  possiblyHiddenIssues({ ...sides, ...changes }).map(({ iid }) => iid);

describe('a confidential issue that the target does not list', () => {
  test.each([
    ['no known role', { accessLevel: null }],
    ['the role Guest', { accessLevel: 10 }],
  ])('may be hidden from an account with %s', (_, account) => {
    expect(iids(account)).toEqual([3]);
  });

  test.each([
    ['the role Planner', { accessLevel: 15 }],
    ['the role Reporter', { accessLevel: 20 }],
    ['the rights of an administrator', { administrator: true }],
  ])('is not hidden from an account with %s', (_, account) => {
    expect(iids(account)).toEqual([]);
  });
});

test('nothing counts as hidden if the issues are not listed at all', () => {
  expect(iids({ listed: null })).toEqual([]);
});

test('only the hidden issues themselves are left out of the missing records', () => {
  const hidden = possiblyHiddenIssues(sides);
  const missing = {
    relation: 'issues',
    lost: 'on-import',
    line: 2,
    iid: 3,
    title: null,
    part: null,
  } as const;
  const others = [
    { ...missing, line: 0, iid: 1 },
    { ...missing, relation: 'milestones' },
    { ...missing, lost: 'on-export' as const },
    { ...missing, part: { name: 'notes', expected: 2, found: 1 } },
  ];
  expect(withoutHidden([missing, ...others], hidden)).toEqual(others);
});

test('the sentence names the instance and the issues', () => {
  expect(describeHiddenIssues('target', [])).toEqual([]);
  expect(describeHiddenIssues('target', possiblyHiddenIssues(sides))).toEqual([
    expect.stringMatching(/^"target" does not list these confidential issues, .*: #3\.$/),
  ]);
});

test('issues that the source hides are declared, because others may be lost', () => {
  expect(describeHiddenOnSource('source', [])).toEqual([]);
  expect(describeHiddenOnSource('source', possiblyHiddenIssues(sides))).toEqual([
    expect.stringMatching(/^"source" .* not known whether the export lost confidential issues: #3\.$/),
  ]);
});
