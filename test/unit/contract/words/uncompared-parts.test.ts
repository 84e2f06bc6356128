import { expect, it } from 'vitest';
import { uncomparedGroups, uncomparedPartText } from '../../../../src-contract/words/uncompared-parts.ts';

it('a comparison of an older version names the rights of individual users as a new one does', () => {
  const groupsOf = (part: string) =>
    uncomparedGroups([{ part, records: 1 }]).map(({ reason, parts }) => [reason, parts.length]);
  expect(groupsOf('single_user_rights')).toEqual([['number-only', 1]]);
  expect(groupsOf('individual_rights')).toEqual([['number-only', 1]]);
  expect(uncomparedPartText('single_user_rights')).toBe(uncomparedPartText('individual_rights'));
});

it.each([
  ['entry_times', 'membership_times'],
  ['record_links', 'pipeline_links_and_issue_order'],
])('a comparison of an older version with the key %s is named like one with %s', (older, part) => {
  expect(uncomparedPartText(older)).toBe(uncomparedPartText(part));
  expect(uncomparedGroups([{ part: older, records: 1 }])).toMatchObject([{ reason: 'not-compared' }]);
});

it('a part that this version does not know is named by its key, and counts as not requested', () => {
  expect(uncomparedGroups([{ part: 'new_part', records: 1 }])).toMatchObject([{ reason: 'not-requested' }]);
  expect(uncomparedPartText('new_part')).toBe('new part');
});
