import { describe, expect, it } from 'vitest';
import {
  assessContents,
  type ContentDifference,
} from '../../../../../src-main/jobs/migrations/comparing/contents/content-differences.ts';
import { normalizers } from '../../../../../src-main/jobs/migrations/comparing/contents/field-values.ts';

const reopened = (title: string): ContentDifference => ({
  ...{ relation: 'milestones', record: { iid: null, title, line: null }, lost: 'on-import' },
  ...{ name: 'state', expected: 'closed', found: 'active', isCertain: false },
});

it('a known loss makes an uncertain difference a loss only of the same record', () => {
  const { missing } = assessContents([{ ...reopened('1.0'), isCertain: true }], []);
  const later = assessContents([reopened('1.0'), reopened('2.0')], missing);
  expect(later.missing.map(({ title }) => title)).toEqual(['1.0']);
  expect(later.uncertain.map(({ title }) => title)).toEqual(['2.0']);
  expect(later.declared.join()).toContain('state of milestones 2.0');
});

it('a known loss of changes that was stored with numbers remains one, if the merge request was edited later', () => {
  const record = { iid: 3, title: 'Add a sail', line: 2 };
  const lost = { relation: 'merge_requests', lost: 'on-import' } as const;
  const known = { ...lost, ...record, part: { name: 'changes', expected: 5, found: 0 } };
  const later = (found: string): ContentDifference => ({
    ...{ ...lost, record, name: 'changes', expected: '5', found, isCertain: false },
  });
  expect(assessContents([later('0')], [known])).toMatchObject({ missing: [{ iid: 3 }], uncertain: [] });
  expect(assessContents([later('1')], [known])).toMatchObject({ missing: [], uncertain: [{ iid: 3 }] });
});

describe('a known loss of names on import', () => {
  const issue = { iid: 7, title: 'Anchor', line: 3 };
  const listOf = (names: readonly string[]) => normalizers.names(names) ?? '';
  const labels = (found: readonly string[], isCertain = false): ContentDifference => ({
    ...{ relation: 'issues', record: issue, lost: 'on-import', name: 'labels', isCertain },
    ...{ expected: listOf(['a', 'b', 'c']), found: listOf(found) },
  });
  const { missing: known } = assessContents([labels(['c'], true)], []);

  it('stays a loss until the target has each of them, although somebody adds another name', () => {
    for (const found of [['a', 'c'], ['c', 'd'], []])
      expect(assessContents([labels(found)], known)).toMatchObject({ missing: [{ iid: 7 }], uncertain: [] });
  });

  it('ends once the target has them, although it lacks a name that it had before', () => {
    expect(assessContents([labels(['a', 'b'])], known)).toMatchObject({
      missing: [],
      uncertain: [{ iid: 7 }],
    });
  });

  it.each([
    ['users', { name: 'assignees' }, 1],
    ['a text, which somebody may have replaced', { name: 'description' }, 0],
    ['users on export, which the target may have', { name: 'assignees', lost: 'on-export' as const }, 0],
  ])('has this rule, but not each value: %s', (_, more, count) => {
    const difference = { ...labels([]), expected: 'alice', found: '', ...more };
    const earlier = assessContents([{ ...difference, isCertain: true }], []).missing;
    expect(assessContents([{ ...difference, found: 'carol' }], earlier).missing).toHaveLength(count);
  });
});
