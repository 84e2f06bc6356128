import { expect, it } from 'vitest';
import { relationEffects } from '../../../../src-main/jobs/importing/relation-effects.ts';
import { assertKeepsMembers } from '../../../../src-contract/transfers/relation-members.ts';
import type { RelationTarget } from '../../../../src-contract/transfers/relation-target-schema.ts';

const member = (id: number, username: string, level = 30) => ({ id, username, level });
const target = (changes: Partial<RelationTarget> = {}): RelationTarget => ({
  account: { id: 1, username: 'me', administrator: true },
  attributes: { visibility: 'private', archived: false, updated_at: '1' },
  members: [member(1, 'me', 40), member(2, 'dora')],
  ...changes,
});

it.each<[string, RelationTarget['members'], string | null]>([
  [
    'members are safe if the account is the first member and a Maintainer',
    [member(1, 'me', 40), member(2, 'dora')],
    null,
  ],
  ['members are safe if the account is the first member and an Owner', [member(1, 'me', 50)], null],
  ['members are safe if the project has none', [], null],
  [
    'members are at risk if the account is the first member but a Developer',
    [member(1, 'me', 30), member(2, 'dora')],
    'me (30), dora (30)',
  ],
  [
    'members are at risk if the account is the second member',
    [member(2, 'dora'), member(1, 'me', 40)],
    'dora (30), me (40)',
  ],
  ['members are at risk if the account is not a member', [member(2, 'dora', 50)], 'dora (50)'],
])('%s; an accepted risk is no error', (_what, members, risk) => {
  const check = (accepted: boolean) => () => {
    assertKeepsMembers(target({ members }), 'a/b', accepted);
  };
  if (risk === null) expect(check(false)).not.toThrow();
  else expect(check(false)).toThrow(expect.objectContaining({ code: 'members-at-risk' }) as Error);
  if (risk !== null) expect(check(false)).toThrow(risk);
  expect(check(true)).not.toThrow();
});

it('members that cannot be read are at risk', () => {
  expect(() => {
    assertKeepsMembers(target({ members: null }), 'a/b', false);
  }).toThrow(/cannot be read/);
});

it('only the changes that an import made to attributes, members and authors are reported', () => {
  const before = target();
  const sent = [
    { iid: 4, author: 'dora' },
    { iid: 5, author: 'me' },
    { iid: 6, author: null },
    { iid: 7, author: 'dora' },
  ];
  const unchanged = { before, after: target({ attributes: { ...before.attributes, updated_at: '2' } }) };
  const kept = new Map([
    [4, 'dora-elsewhere'],
    [5, 'me'],
  ]);
  expect(relationEffects({ ...unchanged, sent, authors: kept })).toEqual([]);
  expect(relationEffects({ ...unchanged, sent, authors: null })).toEqual([]);
  const after = target({
    attributes: { visibility: 'public', archived: true },
    members: [member(1, 'me', 30), member(3, 'new', 20)],
  });
  const authors = new Map([4, 5, 6].map((iid) => [iid, 'me']));
  const effects = relationEffects({ before, after, sent, authors });
  expect(effects.map(({ code, message }) => [code, message])).toEqual([
    ['attribute-changed', 'visibility of the project is "public" now and was "private".'],
    ['attribute-changed', 'archived of the project is true now and was false.'],
    ['member-removed', 'These are no longer direct members: dora (30).'],
    ['member-added', 'These became direct members: new (20).'],
    ['member-level', 'These members have another role now: me (30).'],
    ['author-lost', 'These records belong to me now: #4 (dora), #6 (not named in the archive).'],
  ]);
  const unread = relationEffects({ before, after: target({ members: null }), sent: [], authors: null });
  expect(unread).toMatchObject([{ code: 'members-not-compared' }]);
});
