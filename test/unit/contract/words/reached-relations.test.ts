/** @file The words for how far a comparison compared each relation. */
import { expect, it } from 'vitest';
import type { ReachedRelation } from '../../../../src-contract/transfers/import.ts';
import {
  lessComparedGroups,
  lessComparedSentences,
  maxShownFields,
} from '../../../../src-contract/words/reached-relations.ts';

const reached = (
  relation: string,
  source: ReachedRelation['source'],
  target: ReachedRelation['target'],
  fields: string[] = [],
): ReachedRelation => ({ relation, source, target, fields });

const many = Array.from({ length: maxShownFields }, (_, index) => `field ${index}`);

it('relations of the same depth are in one sentence, and those that were compared completely in none', () => {
  const relations = [
    reached('issues', 'keys', 'keys', ['title', 'state']),
    reached('labels', 'keys', 'keys', many),
    reached('notes', 'counts', 'counts', ['text']),
    reached('branches', 'contents', 'contents'),
    reached('approval_rules', 'contents', 'contents', ['users']),
    reached('boards', 'none', 'contents', ['lists']),
    reached('avatar', null, 'none', ['content']),
  ];
  expect(lessComparedSentences({ relations })).toEqual([
    'Counted and found by key, but their fields were not compared: issues, labels. The option --json lists the fields.',
    'Only counted: notes.',
    'Compared, except for these fields of all or some records: approval rules (users).',
    'With the source not compared, with the target compared: boards.',
    'Not compared: avatar.',
  ]);
  expect(lessComparedGroups({ relations })[0]?.fields).toEqual([
    { name: 'issues', fields: ['title', 'state'] },
    { name: 'labels', fields: many },
  ]);
});

it('a comparison of everything, of an import without a source, and of an older version has no group', () => {
  expect(lessComparedGroups({ relations: [reached('issues', 'contents', 'contents')] })).toEqual([]);
  expect(lessComparedGroups({ relations: [reached('issues', null, 'contents')] })).toEqual([]);
  expect(lessComparedGroups({})).toEqual([]);
});
