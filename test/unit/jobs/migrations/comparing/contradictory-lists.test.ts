import { expect, test } from 'vitest';
import { describeContradictoryLists } from '../../../../../src-main/jobs/migrations/comparing/unknown/contradictory-lists.ts';

test('each contradictory list has one sentence with its instance, its relation and both numbers', () => {
  const list = { instance: 'gitlab', relation: 'merge_requests', announced: 150, listed: 149 };
  expect(
    describeContradictoryLists([list, { ...list, relation: 'project_members', announced: null }]),
  ).toEqual([
    'The list of merge requests on "gitlab" contradicts itself, also in a second reading: it announces 150 records and has 149 different ones. It was not used.',
    'The list of members on "gitlab" contradicts itself, also in a second reading: it announces more records than the 149 that it has. It was not used.',
  ]);
});
