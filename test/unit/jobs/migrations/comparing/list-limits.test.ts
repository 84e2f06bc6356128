/** @file The limits of the lists of a board, and the options of a merge request, have one form on every side. */
import { expect, it } from 'vitest';
import {
  archivedContents,
  listedContents,
} from '../../../../../src-main/jobs/migrations/comparing/contents/compared-fields.ts';

const limits = { max_issue_count: 5, max_issue_weight: 0, limit_metric: null };
const noLimits = { max_issue_count: 0, max_issue_weight: 0, limit_metric: null };

it('the limits of a board are those of its lists in their order, and none equals zero', () => {
  const archived = archivedContents('boards', {
    lists: [
      { list_type: 'closed', position: null, ...noLimits },
      { list_type: 'label', position: 1, label: { title: 'doing' }, ...noLimits },
      { list_type: 'label', position: 0, label: { title: 'next' }, ...limits },
    ],
  });
  const listed = listedContents('boards', {
    lists: [
      { position: 0, label: { name: 'next' }, ...limits },
      { position: 1, label: { name: 'doing' }, ...noLimits },
    ],
  });
  expect(archived).toMatchObject({ max_issue_count: '5\u00000', max_issue_weight: '', limit_metric: '' });
  expect(listed).toEqual(archived);
});

it('an instance without Premium shows no limits, so these are not compared', () => {
  const listed = listedContents('boards', { lists: [{ position: 0, label: { name: 'next' } }] });
  expect(Object.keys(listed)).toEqual(['lists']);
});

it.each([
  ['1', true],
  [true, true],
  ['0', false],
  [null, null],
])('the option %o in an archive equals the switch %o', (archivedValue, listedValue) => {
  const name = 'force_remove_source_branch';
  const archived = archivedContents('merge_requests', { merge_params: { [name]: archivedValue } });
  const listed = listedContents('merge_requests', { [name]: listedValue });
  expect(archived[name]).toBe(String(listedValue === true));
  expect(archived[name]).toBe(listed[name]);
});
