import { describe, expect, it } from 'vitest';
import {
  compareInvitations,
  type ArchivedInvitation,
  type Invitation,
  type Invitations,
} from '../../../../../src-main/jobs/migrations/comparing/people/invitations.ts';
import { partWords } from '../../../../support/migrations/part-words.ts';

const day = 86_400_000;
const times = { exportedAt: 100 * day, comparedAt: 101 * day, isPrompt: true };
const invited: Invitation = { email: 'ada@example.com', createdAt: 5, accessLevel: 30, expiresAt: null };
const archived: ArchivedInvitation = { ...invited, line: 4 };
const nothing: Invitations = {
  ...{ source: [], membersOfSource: [], archive: [], target: [], addedMembers: [] },
  ...{ importedByAdministrator: true, knownLosses: [] },
};
const compare = (sides: Partial<Invitations>, changed: Partial<typeof times> = {}) =>
  compareInvitations({ ...nothing, ...sides }, { ...times, ...changed });
const title = 'invitation of ada@example.com';
const onImport = { relation: 'project_members', lost: 'on-import', line: 4, title };

it('an invitation that all sides have alike is no loss, and leaves nothing to say', () => {
  const sides = compare({ source: [invited], archive: [archived], target: [invited] });
  expect(sides).toEqual({
    ...{ missing: [], declared: [], remarks: [], uncertainLosses: [] },
    ...{ acceptedOnSource: new Set(), isUnproven: false },
  });
});

it('an address is the same in any case, unless a side has it in both cases', () => {
  const other = { ...invited, email: 'ADA@example.com' };
  const { missing, declared } = compare({ source: [other], archive: [archived], target: [other] });
  expect([missing, declared]).toEqual([[], []]);
  const both = compare({ archive: [archived, { ...other, line: 5 }], target: [other] });
  expect(both.missing).toMatchObject([onImport]);
});

describe('an invitation that the archive lacks', () => {
  it('was lost on export if it is older than the export', () => {
    const { missing } = compare({ source: [invited, { ...invited, email: 'b@example.com', createdAt: 6 }] });
    expect(missing).toMatchObject([
      { lost: 'on-export', line: null, title, part: null },
      { lost: 'on-export', title: 'invitation of b@example.com' },
    ]);
  });

  it('is no loss if it is newer, and may be one if its time is not reported', () => {
    expect(compare({ source: [{ ...invited, createdAt: times.exportedAt }] })).toMatchObject({
      ...{ missing: [], uncertainLosses: [] },
    });
    expect(compare({ source: [{ ...invited, createdAt: null }] })).toMatchObject({
      missing: [],
      uncertainLosses: [{ relation: 'invitations', candidateCount: 1, lostCount: 0, namedCount: 0 }],
    });
  });
});

describe('an invitation whose role or expiry date differs between source and archive', () => {
  it.each<[string, Partial<Invitation>, number]>([
    ['with a higher role on the source', { accessLevel: 40 }, 1],
    ['with an expiry date on the source', { expiresAt: '2031-01-01' }, 1],
    ['with a lower role on the source, which lost nothing', { accessLevel: 10 }, 0],
    ['that was sent again after the export', { accessLevel: 40, createdAt: times.exportedAt }, 0],
  ])('%s', (_, change, sentences) => {
    const { missing, declared } = compare({
      ...{ source: [{ ...invited, ...change }], archive: [archived], target: [invited] },
    });
    expect(missing).toEqual([]);
    expect(declared).toHaveLength(sentences);
    expect(declared.join()).toMatch(sentences === 0 ? /^$/ : /not known whether the export lost them: ada@/);
  });
});

describe('an invitation that somebody accepted', () => {
  const member = { username: 'ada', createdAt: invited.createdAt };

  it('after the export makes no member of the source a loss, but one member only', () => {
    const other = { username: 'bob', createdAt: 7 };
    const { acceptedOnSource, remarks } = compare({
      ...{ archive: [archived], target: [invited], membersOfSource: [other, member, { ...member }] },
    });
    expect([...acceptedOnSource]).toEqual([member]);
    expect(remarks.join()).toContain('accepted on the source');
  });

  it('still is an invitation if the source lists it', () => {
    const sides = { source: [invited], archive: [archived], target: [invited], membersOfSource: [member] };
    expect(compare(sides)).toMatchObject({ acceptedOnSource: new Set(), remarks: [] });
  });

  it('is no member with the same address and another time', () => {
    const membersOfSource = [{ username: 'ada', email: invited.email, createdAt: 9 }];
    const { acceptedOnSource } = compare({ archive: [archived], target: [invited], membersOfSource });
    expect(acceptedOnSource.size).toBe(0);
  });

  it.each([
    ['by its time', member],
    ['by the address of a new member', { username: 'ada', email: 'Ada@example.com', createdAt: 9 }],
  ])('on the target is no loss: %s', (_, added) => {
    const { missing, remarks } = compare({ archive: [archived], addedMembers: [added] });
    expect(missing).toEqual([]);
    expect(remarks.join()).toContain('accepted on the target');
    const two = [archived, { ...archived, email: 'b@example.com', line: 5 }];
    expect(compare({ archive: two, addedMembers: [added] }).missing).toHaveLength(1);
  });
});

describe('an invitation that the target lacks', () => {
  it('was lost on import', () => {
    expect(compare({ archive: [archived] }).missing).toMatchObject([{ ...onImport, part: null }]);
  });

  it.each<[string, Partial<Invitations>, Partial<typeof times>]>([
    ['if it may have been withdrawn since', {}, { isPrompt: false }],
    ['if the members of the target are not known', { addedMembers: null }, {}],
    ['if its expiry date has come', { archive: [{ ...archived, expiresAt: '1970-04-12' }] }, {}],
  ])('is named and no loss %s', (_, sides, changed) => {
    const { missing, declared } = compare({ archive: [archived], ...sides }, changed);
    expect(missing).toEqual([]);
    expect(declared.join()).toMatch(/not known whether the import lost them: ada@example\.com\.$/);
  });

  it('stays a loss that an earlier comparison found', () => {
    const { missing: knownLosses } = compare({ archive: [archived] });
    const later = compare({ archive: [archived], knownLosses }, { isPrompt: false });
    expect(later).toMatchObject({ missing: knownLosses, declared: [] });
  });

  it.each<[string, Partial<Invitations>, RegExp]>([
    ['if the account is no administrator', { importedByAdministrator: false }, /not an administrator.*ada@/],
    ['if the target does not list invitations', { target: null }, /could not be listed.*arrived: ada@/],
  ])('is not proven to have arrived %s', (_, sides, sentence) => {
    const compared = compare({ archive: [archived], ...sides });
    expect(compared).toMatchObject({ missing: [], isUnproven: true });
    expect(compared.declared.join()).toMatch(sentence);
  });
});

describe('an invitation that the target has', () => {
  it('is named and no loss if it was one as Owner, because imports give at most the role Maintainer', () => {
    const { missing, declared, remarks } = compare({
      source: [{ ...invited, accessLevel: 50 }],
      archive: [{ ...archived, accessLevel: 50 }],
      target: [{ ...invited, accessLevel: 40 }],
    });
    expect([missing, declared]).toEqual([[], []]);
    expect(remarks).toEqual([expect.stringMatching(/at most the role Maintainer.*: ada@example\.com\.$/)]);
  });

  it.each<[string, Partial<Invitation>, string[]]>([
    ['with a lower role lost its role', { accessLevel: 10 }, ['access level 30 10']],
    ['with a higher role lost nothing', { accessLevel: 40 }, []],
    ['with another end lost its end', { expiresAt: '2031-01-02' }, ['end of the membership  2031-01-02']],
  ])('%s', (_, change, parts) => {
    const sides = { archive: [archived], target: [{ ...invited, ...change }] };
    const { missing, declared } = compare(sides);
    expect(missing.map(partWords)).toEqual(parts);
    expect(declared).toEqual([]);
    const later = compare(sides, { isPrompt: false });
    expect(later.missing).toEqual([]);
    expect(later.declared).toHaveLength(parts.length);
  });
});
