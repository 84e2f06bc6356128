import { expect, it } from 'vitest';
import {
  assessContents,
  type ContentDifference,
} from '../../../../../src-main/jobs/migrations/comparing/contents/content-differences.ts';

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
