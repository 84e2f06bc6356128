import { expect, it } from 'vitest';
import {
  archivedContents,
  listedContents,
} from '../../../../../src-main/jobs/migrations/comparing/contents/compared-fields.ts';
import { pairFields } from '../../../../../src-main/jobs/migrations/comparing/contents/paired-records.ts';
import type {
  ArchivedRecord,
  ListedRecord,
} from '../../../../../src-main/jobs/migrations/comparing/losses/naming-losses.ts';

const mergeRequest = { key: '7', iid: 7, title: null };

function differences(archived: readonly string[], listed: readonly string[]): string[] {
  const toRows = (states: readonly string[]) => states.map((state, at) => ({ user_id: at + 1, state }));
  const archive = archivedContents('merge_requests', { merge_request_reviewers: toRows(archived) });
  const list = listedContents('merge_requests', { reviewer_states: toRows(listed) });
  const { differences: found } = pairFields(
    'merge_requests',
    [{ ...mergeRequest, contents: archive } as ArchivedRecord],
    [{ ...mergeRequest, contents: list } as ListedRecord],
    () => true,
    (pair) => ({ ...pair, lost: 'on-import', expected: pair.archivedValue, found: pair.listedValue }),
  );
  return found.map(({ name }) => name);
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
