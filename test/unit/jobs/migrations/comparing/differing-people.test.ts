/** @file People whom an export or import lost, and users whom an import cannot keep. */
import { describe, expect, it, test } from 'vitest';
import {
  differingPeople,
  type PeopleSides,
} from '../../../../../src-main/jobs/migrations/comparing/people/differing-people.ts';
import { comparedRelations } from '../../../../../src-contract/relations.ts';
import type {
  ArchivedRecords,
  ListedRecords,
} from '../../../../../src-main/jobs/migrations/comparing/losses/naming-losses.ts';
import {
  pairPeople,
  type PeoplePair,
} from '../../../../../src-main/jobs/migrations/comparing/people/paired-people.ts';
import {
  archivedPeople,
  listedPeople,
} from '../../../../../src-main/jobs/migrations/comparing/people/record-people.ts';

const exportedAt = Date.parse('2026-11-20T12:00:00Z');
const importedAt = Date.parse('2026-11-20T13:00:00Z');

/** Ids in the archive. */
const [root, alice, bob] = [1, 2, 3];
const idsOnTarget: Record<string, number> = { root: 10, alice: 20, bob: 30, mallory: 40, ghost1: 50 };
const userIn = (username: string) => ({ id: idsOnTarget[username] ?? 99, username });

const pair = (
  iid: number,
  archived: number[],
  listed: string[],
  more: Partial<PeoplePair> = {},
): PeoplePair => ({
  ...{
    relation: 'issues',
    record: { line: iid - 1, iid, title: `Issue ${iid}` },
    name: 'author',
    isFixed: true,
    entry: null,
  },
  ...{ archived, listed: listed.map(userIn), archivedAt: 1, listedAt: 1, ...more },
});
const assignees = (iid: number, archived: number[], listed: string[], more: Partial<PeoplePair> = {}) =>
  pair(iid, archived, listed, { name: 'assignees', isFixed: false, ...more });

function compare(imported: PeopleSides['imported'], more: Partial<PeopleSides> = {}) {
  const { differences, declared, remarks } = differingPeople({
    ...{
      exported: [],
      imported,
      exportedAt,
      importedAt,
      isPrompt: true,
      account: 'root',
      byAdministrator: true,
    },
    archivedUsers: [
      { id: root, username: 'root', email: null },
      { id: alice, username: 'alice', email: 'alice@a.example' },
    ],
    members: [],
    ...more,
  });
  const found = differences.map(({ lost, record, name, expected, found: value, isCertain }) => [
    ...[lost, record.iid, name, expected.replaceAll('\0', '+'), value.replaceAll('\0', '+')],
    isCertain,
  ]);
  return { found, declared: [...remarks, ...declared] };
}

describe('an author on the target', () => {
  it('is lost if another record shows that the import mapped the user', () => {
    const imported = [pair(1, [alice], ['alice']), pair(2, [alice], ['root'])];
    expect(compare(imported).found).toEqual([['on-import', 2, 'author', 'alice', 'root', true]]);
  });

  it('is lost if a member of the target has the address of the user, and the comparison follows the import', () => {
    const imported = [pair(1, [alice], ['root']), pair(2, [alice], ['root'])];
    const members = [{ username: 'alicia', email: 'alice@a.example' }];
    const { found } = compare(imported, { members });
    expect(found).toEqual([
      ['on-import', 1, 'author', 'alicia', 'root', true],
      ['on-import', 2, 'author', 'alicia', 'root', true],
    ]);
    // Somebody may have added the member later.
    expect(compare(imported, { members, isPrompt: false }).found).toEqual([]);
  });

  it('is the importing account for users without a mapping, which is declared with their number of records', () => {
    const imported = [pair(1, [alice], ['root']), pair(2, [alice], ['root']), pair(3, [bob], ['root'])];
    const exported = [pair(3, [bob], ['root'], { listed: [{ id: bob, username: 'bob' }] })];
    expect(compare(imported, { exported })).toEqual({
      found: [],
      declared: [
        'The import used its own account, root, in place of users that it did not map (number of their records, notes, reactions and changes): alice (2), bob (1).',
      ],
    });
  });

  it('is not known to be lost if a member only has the same username, because it may be somebody else', () => {
    const { found, declared } = compare([pair(1, [alice], ['root']), pair(2, [root], ['root'])], {
      members: [{ username: 'Alice', email: null }],
    });
    expect(found).toEqual([]);
    expect(declared[1]).toMatch(
      /members with the usernames of users that the import did not map, so it is not known .*: alice\.$/,
    );
  });

  it('with another username than on the source is no loss, and is declared', () => {
    const imported = [pair(1, [alice], ['alicia']), pair(2, [alice], ['alicia'])];
    expect(compare(imported)).toEqual({
      found: [],
      declared: ['These users have another username on the target than on the source: alice (alicia).'],
    });
  });

  it('with the records of somebody else is declared if a member has the username, or the addresses differ', () => {
    const imported = [pair(1, [alice], ['bob']), pair(2, [alice], ['bob'])];
    const declaredWith = (...members: { username: string; email: string | null }[]) => {
      const { found, declared } = compare(imported, { members });
      expect(found).toEqual([]);
      return declared;
    };
    const doubt = [expect.stringMatching(/not known whether the import exchanged them: alice \(bob\)\.$/)];
    expect(declaredWith({ username: 'Alice', email: null })).toEqual(doubt);
    expect(declaredWith({ username: 'bob', email: 'bob@a.example' })).toEqual(doubt);
    const renamed = [expect.stringContaining('another username on the target than on the source')];
    expect(declaredWith({ username: 'bob', email: null })).toEqual(renamed);
    expect(declaredWith({ username: 'bob', email: 'Alice@a.example' })).toEqual(renamed);
  });

  it('is not known if records contradict each other equally', () => {
    const { found, declared } = compare([pair(1, [bob], ['alicia']), pair(2, [bob], ['root'])]);
    expect(found).toEqual([]);
    expect(declared.join()).toContain('It is not known which users of the target these users are');
  });

  it('may be a ghost, because the user may have been deleted', () => {
    const imported = [1, 2, 3].map((iid) => pair(iid, [alice], [iid === 3 ? 'ghost1' : 'alice']));
    expect(compare(imported).found).toEqual([['on-import', 3, 'author', 'alice', 'ghost1', false]]);
  });
});

describe('an import by an account that is no administrator', () => {
  const account = { account: 'root', byAdministrator: false };

  it('makes the account the author of everything, so that another author is a loss', () => {
    const imported = [pair(1, [alice], ['root']), pair(2, [bob], ['root']), pair(3, [4], ['mallory'])];
    expect(compare(imported, account).found).toEqual([['on-import', 3, 'author', 'root', 'mallory', true]]);
  });

  it('may have been started by another account than that of the comparison', () => {
    const imported = [pair(1, [alice], ['mallory']), pair(2, [bob], ['mallory'])];
    const { found, declared } = compare(imported, account);
    expect(found).toEqual([]);
    expect(declared.join()).toContain('alice (mallory)');
  });
});

describe('assignees on the target', () => {
  const known = [pair(1, [alice], ['alice']), pair(2, [root], ['root'])];

  it('are lost if one is missing or exchanged, unless the record was edited later', () => {
    expect(compare([...known, assignees(3, [alice, root], ['alice'])]).found).toEqual([
      ['on-import', 3, 'assignees', 'alice+root', 'alice', true],
    ]);
    const edited = { listedAt: importedAt + 1 };
    expect(compare([...known, assignees(3, [alice], ['mallory'], edited)]).found).toEqual([
      ['on-import', 3, 'assignees', 'alice', 'mallory', false],
    ]);
  });

  it('are the importing account once for all users without a mapping', () => {
    const imported = [...known, pair(3, [bob], ['root']), assignees(4, [bob, root], ['root'])];
    expect(compare(imported).found).toEqual([]);
  });

  it('are lost if nobody is assigned, even if the mapping of the user is unknown', () => {
    expect(compare([...known, assignees(3, [bob, 4], [])]).found).toEqual([
      ['on-import', 3, 'assignees', 'user 3+user 4', '', true],
    ]);
  });

  it('of a later edit do not show how the import mapped a user', () => {
    const edited = assignees(3, [bob], ['mallory'], { listedAt: importedAt + 1 });
    const { found } = compare([...known, edited, assignees(4, [bob, alice], ['root', 'alice'])]);
    expect(found.filter(([, iid]) => iid === 4)).toEqual([]);
  });
});

describe('people on the source', () => {
  const onSource = (people: PeoplePair, ...users: [number, string][]): PeoplePair => ({
    ...people,
    listed: users.map(([id, username]) => ({ id, username })),
  });

  it('are compared by id, so that a renamed user is no loss', () => {
    expect(
      compare([], { exported: [onSource(pair(1, [alice], []), [alice, 'alice.renamed'])] }).found,
    ).toEqual([]);
    expect(compare([], { exported: [onSource(pair(1, [bob], []), [alice, 'alice'])] }).found).toEqual([
      ['on-export', 1, 'author', 'alice', 'user 3', true],
    ]);
  });

  it('that were assigned after the export are no certain loss', () => {
    const later = assignees(1, [], [], { listedAt: exportedAt + 1 });
    expect(compare([], { exported: [onSource(later, [alice, 'alice'])] }).found).toMatchObject([
      ['on-export', 1, 'assignees', 'alice', '', false],
    ]);
  });

  it('whom the archive cannot contain are declared', () => {
    const reviewers = {
      ...onSource(assignees(1, [], []), [alice, 'alice']),
      archived: null,
      name: 'reviewers',
    };
    expect(compare([], { exported: [reviewers] }).declared).toEqual([
      'These users were not compared, because the archive does not contain them: reviewers of issues.',
    ]);
  });
});

test('the users of a record are read from the columns of an archive and from the fields of a list', () => {
  const user = { id: 5, username: 'eve', name: 'Eve' };
  expect(
    archivedPeople('merge_requests', {
      author_id: 5,
      merge_request_assignees: [{ user_id: 5, state: null }],
    }),
  ).toEqual({ author: [5], assignees: [5] });
  expect(listedPeople('merge_requests', { author: user, assignees: [user], reviewers: [] })).toEqual({
    ...{ author: [{ id: 5, username: 'eve' }], assignees: [{ id: 5, username: 'eve' }], reviewers: [] },
  });
  expect(archivedPeople('releases', { author_id: null })).toEqual({ author: [] });
  expect(archivedPeople('labels', { author_id: 5 })).toEqual({});
});

const noRecords = Object.fromEntries(comparedRelations.map((relation) => [relation, []]));
const identified = { key: '1', iid: 1, title: 'A', notes: null, createdAt: 1, updatedAt: 1, line: 0 };
/** Compares two records whose users are read from the columns of an archive, and from the fields of a list. */
function compareRecords(relation: string, archive: object, list: object, more: object = {}) {
  const record = { ...identified, userIds: archivedPeople(relation, { ...archive }) };
  const row = { ...identified, id: 9, users: listedPeople(relation, { ...list }), ...more };
  const pairs = pairPeople(
    { ...noRecords, [relation]: [record] } as unknown as ArchivedRecords,
    { ...noRecords, [relation]: [row] } as unknown as ListedRecords,
  );
  return compare([], { exported: pairs });
}
const differencesOf = (...records: Parameters<typeof compareRecords>) => compareRecords(...records).found;

test('users in a role that a reply does not show are named for its side, unless the archive has none', () => {
  const archive = { author_id: 2, issue_assignees: [{ user_id: 3 }], closed_by_id: null };
  const shown = { author: { id: 2, username: 'alice' } };
  expect(compareRecords('issues', archive, shown)).toEqual({
    found: [],
    declared: [
      'These users were not compared with the source, because it does not show them: assignees of issues.',
    ],
  });
  const reviewed = { merge_request_reviewers: [{ user_id: 3 }], approvals: [{ user_id: 3 }] };
  expect(compareRecords('merge_requests', reviewed, {}).declared).toEqual([
    'These users were not compared with the source, because it does not show them: reviewers of merge requests.',
  ]);
});

test('the lists of a board are compared with their users by their order, unless one is missing', () => {
  const archive = (...users: number[]) => ({
    lists: users.map((id, position) => ({ list_type: 'assignee', user_id: id, position })),
  });
  const list = (...users: number[]) => ({
    lists: users.map((id, position) => ({ assignee: { id, username: `user${id}` }, position })),
  });
  expect(differencesOf('boards', archive(2, 3), list(2, 3))).toEqual([]);
  expect(differencesOf('boards', archive(2, 3), { lists: list(2, 3).lists.toReversed() })).toEqual([]);
  expect(differencesOf('boards', archive(3, 2), list(2, 3), { updatedAt: null })).toEqual([
    [
      ...['on-export', 1, 'list_assignees', 'list 1 of 2: user2+list 2 of 2: user3'],
      ...['list 1 of 2: user3+list 2 of 2: user2', false],
    ],
  ]);
  // The comparison of the lists finds a missing one.
  expect(differencesOf('boards', archive(3), list(2, 3))).toEqual([]);
});

test('states of reviews that users exchanged are no certain loss, because GitLab shows no time of a change of a state', () => {
  const states = (alicesState: string, bobsState: string) => [
    { user_id: alice, user: { id: alice, username: 'alice' }, state: alicesState },
    { user_id: bob, user: { id: bob, username: 'bob' }, state: bobsState },
  ];
  const exchanged = differencesOf(
    'merge_requests',
    { merge_request_reviewers: states('approved', 'reviewed') },
    { reviewer_states: states('reviewed', 'approved') },
    { partTimes: { review_states: 1 } },
  );
  expect(exchanged).toEqual([
    [
      'on-export',
      1,
      'review_state_users',
      'approved by bob+reviewed by alice',
      'approved by alice+reviewed by bob',
      false,
    ],
  ]);
});

test('approvers have no time of a change, because an approval may come without one; other users have that of the record', () => {
  const record = { key: '1', iid: 1, title: 'A', notes: null, createdAt: 1, updatedAt: 1, line: 0 };
  const users = { approvers: [{ id: 5, username: 'eve' }], reviewers: [] };
  const lists = {
    archive: [{ ...record, userIds: { approvers: [5], reviewers: [] } }],
    list: [{ ...record, id: 9, users, partTimes: { approvers: 7 } }],
  };
  const none = Object.fromEntries(comparedRelations.map((relation) => [relation, []]));
  const pairs = pairPeople(
    { ...none, merge_requests: lists.archive } as unknown as ArchivedRecords,
    { ...none, merge_requests: lists.list } as unknown as ListedRecords,
  );
  expect([...pairs].map(({ name, listedAt }) => [name, listedAt])).toEqual([
    ['approvers', null],
    ['reviewers', 1],
  ]);
  // If the archive has no approval, the newest one decides whether all are older than the export.
  const unapproved = pairPeople(
    { ...none, merge_requests: [{ ...record, userIds: { approvers: [] } }] } as unknown as ArchivedRecords,
    {
      ...none,
      merge_requests: [{ ...record, id: 9, users, partTimes: { approvers: 7 } }],
    } as unknown as ListedRecords,
  );
  expect([...unapproved]).toMatchObject([{ name: 'approvers', listedAt: 7 }, { name: 'reviewers' }]);
});
