import { expect, it } from 'vitest';
import { compareRecord } from '../../../../support/migrations/compared-records.ts';

function differences(archived: readonly string[], listed: readonly string[]): string[] {
  const toRows = (states: readonly string[]) => states.map((state, at) => ({ user_id: at + 1, state }));
  return compareRecord(
    'merge_requests',
    { merge_request_reviewers: toRows(archived) },
    { reviewer_states: toRows(listed) },
  ).different;
}

it('another state of a review is a difference, also if two reviewers have the same one', () => {
  expect(differences(['approved'], ['unreviewed'])).toEqual(['review_states']);
  expect(differences(['approved', 'approved'], ['approved', 'unreviewed'])).toEqual(['review_states']);
  expect(differences(['reviewed', 'approved'], ['approved', 'reviewed'])).toEqual([]);
});

it('states are not compared if an import merged reviewers, or lost one, which the reviewers show', () => {
  expect(differences(['approved', 'unreviewed'], ['unreviewed'])).toEqual([]);
  expect(differences(['approved'], [])).toEqual([]);
});
