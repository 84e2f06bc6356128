import { describe, expect, it, test } from 'vitest';
import type { MissingRecord } from '../../../src-contract/transfers/import.ts';
import { gravestFirst, isGraveRecord, isGraveSetting } from '../../../src-contract/transfers/gravity.ts';

const field = (name: string, expected: string, found: string): MissingRecord['part'] => ({
  name,
  values: { expected, found },
});

describe('a lost record', () => {
  it.each<[string, string, MissingRecord['part'], boolean]>([
    ['that became public is grave', 'issues', field('confidential', 'true', 'false'), true],
    ['that became confidential is not', 'issues', field('confidential', 'false', 'true'), false],
    [
      'whose internal note became public is grave',
      'issues',
      field('internal of the note of 2026', 'true', 'false'),
      true,
    ],
    ['that is an issue is not', 'issues', null, false],
    ['that protects a branch is grave', 'protected_branches', null, true],
    [
      'that lets lower roles push is grave',
      'protected_branches',
      field('push access level', '40', '30'),
      true,
    ],
    [
      'that lets anybody push where nobody could is grave',
      'protected_tags',
      field('create access level', '0', '40'),
      true,
    ],
    [
      'that lets a role push where no role could is grave',
      'protected_branches',
      field('push access level', 'no role', '40'),
      true,
    ],
    [
      'that lets no role push is not',
      'protected_branches',
      field('push access level', '40', 'no role'),
      false,
    ],
    ['that lets more users push is grave', 'protected_branches', field('users who may push', '1', '2'), true],
    ['that lets fewer users push is not', 'protected_branches', field('users who may push', '2', '1'), false],
    ['that lets nobody push is not', 'protected_branches', field('push access level', '40', '0'), false],
    [
      'that lets only higher roles push is not',
      'protected_branches',
      field('push access level', '30', '40'),
      false,
    ],
    ['that allows force pushes is grave', 'protected_branches', field('force push', '0', '1'), true],
    [
      'that needs no approval of code owners is grave',
      'protected_branches',
      field('code owner approval', '1', '0'),
      true,
    ],
    [
      'without roles that have a right is not',
      'protected_branches',
      field('merge access level', '40', 'no role'),
      false,
    ],
    ['that forbids force pushes is not', 'protected_branches', field('force push', '1', '0'), false],
    ['that is a push rule is grave', 'push_rule', null, true],
    ['that more people see is grave', 'snippets', field('visibility', 'private', 'public'), true],
    ['that fewer people see is not', 'snippets', field('visibility', 'public', 'private'), false],
    [
      'that is a member with a lower role is not',
      'project_members',
      field('access level', '40', '10'),
      false,
    ],
  ])('%s', (_rule, relation, part, isGrave) => {
    expect(isGraveRecord({ relation, part })).toBe(isGrave);
  });
});

test.each([
  ['visibility', 'private', 'internal', true],
  ['visibility', 'public', 'private', false],
  ['wiki_access_level', 'private', 'enabled', true],
  ['wiki_access_level', 'enabled', 'disabled', false],
  ['only_allow_merge_if_pipeline_succeeds', 'true', 'false', true],
  ['only_allow_merge_if_pipeline_succeeds', 'false', 'true', false],
  ['description', 'one', 'two', false],
])('the setting %s that was %s and is %s is grave: %s', (attribute, expected, found, isGrave) => {
  expect(isGraveSetting({ attribute, expected, found })).toBe(isGrave);
});

test('grave items lead, and the others keep their order', () => {
  expect(gravestFirst([1, 12, 3, 14], (item) => item > 10)).toEqual([12, 14, 1, 3]);
});
