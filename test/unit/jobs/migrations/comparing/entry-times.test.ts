import { expect, it } from 'vitest';
import { compareRecord } from '../../../../support/migrations/compared-records.ts';

const approvals = (...times: (string | null | undefined)[]) => times.map((at) => ({ created_at: at }));
const [morning, noon] = ['2026-11-20T08:00:00.500Z', '2026-11-20T12:00:00Z'];

it('another time of an approval is a difference, in any order and to the second', () => {
  const archived = { approvals: approvals(morning, noon) };
  expect(
    compareRecord('merge_requests', archived, { approved_by: approvals(noon, '2026-11-20T08:00:00Z') }),
  ).toEqual({
    ...{ different: [], onOneSide: [] },
  });
  const { different } = compareRecord('merge_requests', archived, {
    approved_by: approvals(morning, morning),
  });
  expect(different).toEqual(['approval_times']);
});

it('times of approvals are not compared if the numbers differ, or a side does not have them', () => {
  const archived = { approvals: approvals(morning, noon) };
  expect(compareRecord('merge_requests', archived, { approved_by: approvals(noon) }).different).toEqual([]);
  expect(compareRecord('merge_requests', archived, { approved_by: approvals(noon, null) }).different).toEqual(
    [],
  );
  const withoutTimes = { approvals: approvals(undefined) };
  expect(compareRecord('merge_requests', withoutTimes, { approved_by: approvals(noon) }).different).toEqual(
    [],
  );
});

it('another time of a reaction is a difference, and so are exchanged times of two reactions', () => {
  const reactions = (first: string, second: string) => ({
    award_emoji: [
      { name: 'tada', created_at: first },
      { name: 'rocket', created_at: second },
    ],
  });
  const { different } = compareRecord('issues', reactions(morning, noon), reactions(noon, morning));
  expect(different).toEqual(['emoji_times']);
  expect(compareRecord('issues', reactions(morning, noon), reactions(morning, noon)).different).toEqual([]);
});

it('the commit of a release is compared if the archive has one, and named if GitLab does not show it', () => {
  const [sha, other] = ['a'.repeat(40), 'b'.repeat(40)];
  expect(compareRecord('releases', { sha }, { commit: { id: other } }).different).toEqual(['sha']);
  expect(compareRecord('releases', { sha }, { commit: { id: sha } }).different).toEqual([]);
  expect(compareRecord('releases', { sha }, { commit: null }).onOneSide).toEqual(['sha']);
  // GitLab shows the commit of the tag.
  expect(compareRecord('releases', { sha: null }, { commit: { id: sha } })).toEqual({
    different: [],
    onOneSide: [],
  });
});
