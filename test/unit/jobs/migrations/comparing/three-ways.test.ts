import { describe, expect, it } from 'vitest';
import { verdictOf } from '../../../../../src-main/jobs/importing/reconcile.ts';
import type { ListedRecord } from '../../../../../src-main/jobs/migrations/comparing/losses/naming-losses.ts';
import {
  lostMembers,
  type ArchivedMember,
  type ListedMember,
} from '../../../../../src-main/jobs/migrations/comparing/people/members.ts';
import {
  countsOfListed,
  lfsAmount,
} from '../../../../../src-main/jobs/migrations/comparing/three-way-comparison.ts';
import { partWords } from '../../../../support/migrations/part-words.ts';

describe('the size of LFS objects', () => {
  const rows: [string, { lfsObjects: number; lfsBytes?: number }, number | null, number | null, string][] = [
    ['that is the same on all sides is equal', { lfsObjects: 2, lfsBytes: 30 }, 30, 30, 'equal'],
    ['was lost on export if the archive has less', { lfsObjects: 1, lfsBytes: 20 }, 30, 20, 'lost-on-export'],
    ['was lost on export if the archive has none', { lfsObjects: 0 }, 30, 0, 'lost-on-export'],
    ['was lost on import if the target has less', { lfsObjects: 2, lfsBytes: 30 }, 30, 20, 'lost-on-import'],
    ['was lost on both sides if both have less', { lfsObjects: 2, lfsBytes: 20 }, 30, 10, 'lost-on-both'],
    ['is no loss if the source has not counted it yet', { lfsObjects: 2, lfsBytes: 30 }, 0, 30, 'equal'],
    ['is no loss if servers count it for two repositories', { lfsObjects: 2, lfsBytes: 30 }, 40, 40, 'more'],
    ['is unknown if the target does not report it', { lfsObjects: 2, lfsBytes: 30 }, 40, null, 'unknown'],
    ['is unknown if the archive has no sum', { lfsObjects: 2 }, 30, 30, 'unknown'],
  ];
  it.each(rows)('%s', (_, archivedObjects, before, after, verdict) => {
    const { source, archive, target } = lfsAmount(archivedObjects, before, after);
    expect(verdictOf(source, archive, target)).toBe(verdict);
  });
});

describe('a list of records', () => {
  const record = (notes: number | null): ListedRecord => ({
    key: null,
    id: null,
    iid: null,
    title: null,
    notes,
    createdAt: null,
    updatedAt: null,
  });
  const none = null as ListedRecord[] | null;
  const listed: Parameters<typeof countsOfListed>[0] = {
    labels: [],
    milestones: none,
    issues: [record(2), record(3)],
    merge_requests: [record(2), record(null)],
    releases: none,
    ci_pipelines: none,
    branches: none,
    tags: none,
  };

  it('is counted with its notes, unless it may not be read or a record does not report its notes', () => {
    expect(countsOfListed(listed)).toMatchObject({
      labels: 0,
      milestones: null,
      issues: 2,
      issue_notes: 5,
      merge_requests: 2,
      merge_request_notes: null,
    });
  });
});

describe('a member that the target lacks', () => {
  it('is named with its own line, whatever invitations precede it', () => {
    const { missing } = lostMembers(
      {
        source: [
          { username: 'ada', createdAt: 10 },
          { username: 'bob', createdAt: 10 },
        ],
        archive: [
          { line: 1, username: 'ada' },
          { line: 4, username: 'bob' },
        ],
        target: [{ username: 'ada', createdAt: null }],
        usernamesWithAccount: new Set(['bob']),
        account: 'root',
        importedByAdministrator: true,
      },
      100,
    );
    expect(missing).toMatchObject([
      { relation: 'project_members', lost: 'on-import', line: 4, title: 'bob' },
    ]);
  });
});

describe('a member that the target has', () => {
  const archivedMember = { line: 2, username: 'ada', accessLevel: 40, expiresAt: '2027-01-01' };
  it.each<[string, Partial<ListedMember>, string[]]>([
    ['with the same role and expiry is no loss', {}, []],
    ['with a lower role lost its role', { accessLevel: 10 }, ['access level 40 10']],
    ['with a higher role lost nothing', { accessLevel: 50 }, []],
    ['whose role is not reported is not compared by role', { accessLevel: null }, []],
    ['without an expiry lost its expiry', { expiresAt: null }, ['end of the membership 2027-01-01 ']],
    [
      'with another expiry lost its expiry',
      { expiresAt: '2028-01-01' },
      ['end of the membership 2027-01-01 2028-01-01'],
    ],
  ])('%s', (_rule, changes, parts) => {
    expect(missingParts(archivedMember, changes)).toEqual(parts);
  });

  it.each<[string, Partial<ListedMember>, string[]]>([
    ['without an expiry, as before, is no loss', { expiresAt: null }, []],
    ['with a new expiry is a loss', {}, ['end of the membership  2027-01-01']],
    ['with a new expiry and a higher role has another membership', { accessLevel: 50 }, []],
  ])('%s', (_rule, changes, parts) => {
    expect(missingParts({ ...archivedMember, expiresAt: null }, changes)).toEqual(parts);
  });

  it('with a higher role than archived is declared, unless the import made it the owner, or the archive has that role, too', () => {
    const archived = { line: 2, username: 'ada', accessLevel: 30 };
    const ada = { username: 'Ada', createdAt: null, accessLevel: 50 };
    const declaredFor = (more: Partial<Parameters<typeof lostMembers>[0]>) => {
      const { missing, declared } = lostMembers(
        {
          ...{ source: null, archive: [archived], target: [ada], usernamesWithAccount: new Set<string>() },
          ...{ account: 'root', importedByAdministrator: true, ...more },
        },
        100,
      );
      expect(missing).toEqual([]);
      return declared;
    };
    expect(declaredFor({})).toEqual([
      expect.stringMatching(/higher role on the target.*not known whether the import raised it: Ada\.$/),
    ]);
    expect(declaredFor({ account: 'Ada' })).toEqual([]);
    expect(declaredFor({ archive: [archived, { ...archived, line: 3, accessLevel: 50 }] })).toEqual([]);
    expect(declaredFor({ archive: [] })).toEqual([]);
  });

  function missingParts(archived: ArchivedMember, changes: Partial<ListedMember>): (string | null)[] {
    const found = { username: 'Ada', createdAt: null, accessLevel: 40, expiresAt: '2027-01-01', ...changes };
    const members = {
      source: null,
      archive: [archived],
      target: [found],
      usernamesWithAccount: new Set<string>(),
    };
    const { missing } = lostMembers({ ...members, account: 'root', importedByAdministrator: true }, 100);
    expect(
      missing.every(({ lost, line, title }) => lost === 'on-import' && line === 2 && title === 'ada'),
    ).toBe(true);
    return missing.map(partWords);
  }
});

describe('a member that the archive contains', () => {
  const archivedMember = { line: 2, username: 'ada', userId: 7, accessLevel: 30, expiresAt: '2027-01-01' };
  const compared = (changes: Partial<ListedMember>) =>
    lostMembers(
      {
        source: [{ username: 'Ada', createdAt: 10, accessLevel: 30, expiresAt: '2027-01-01', ...changes }],
        archive: [archivedMember],
        target: null,
        usernamesWithAccount: new Set(),
        account: 'root',
        importedByAdministrator: true,
      },
      100,
    );

  it.each<[string, Partial<ListedMember>]>([
    ['with the same role and expiry agrees', {}],
    ['with a higher role, which it inherits, agrees', { accessLevel: 20, expiresAt: null }],
    ['whose role the source does not report is not compared by role', { accessLevel: null }],
    [
      'with a lower role than the source granted to a later member agrees',
      { accessLevel: 50, createdAt: 101 },
    ],
    [
      'and that the source lists with another name agrees',
      { username: 'ada.renamed', userId: 7, createdAt: 10 },
    ],
  ])('%s', (_rule, changes) => {
    expect(compared(changes)).toEqual({ missing: [], declared: [], remarks: [], uncertainLosses: [] });
  });

  it.each<[string, Partial<ListedMember>]>([
    ['a lower role', { accessLevel: 40 }],
    ['an expiry that the source does not have', { expiresAt: null }],
    ['another expiry', { expiresAt: '2028-01-01' }],
  ])('with %s than on the source is declared, because GitLab shows no time of a change', (_rule, changes) => {
    const { missing, declared } = compared(changes);
    expect(missing).toEqual([]);
    expect(declared).toEqual([expect.stringMatching(/not known whether the export lost them: Ada\.$/)]);
  });

  it('is another person than a later member of the source with the same name', () => {
    expect(compared({ userId: 8 }).missing).toMatchObject([{ lost: 'on-export', title: 'Ada' }]);
  });
});

describe('a member with an address', () => {
  const archivedMember = { line: 2, username: 'ada', email: 'ada@example.com', accessLevel: 40 };
  const compared = (target: Partial<ListedMember>, withAccount: string[] = []) =>
    lostMembers(
      {
        source: null,
        archive: [archivedMember],
        target: [{ username: 'ada', createdAt: null, accessLevel: 40, ...target }],
        usernamesWithAccount: new Set(withAccount),
        account: 'root',
        importedByAdministrator: true,
      },
      100,
    ).missing;

  it('arrived if the target has a member with the address, even under another name', () => {
    expect(compared({ username: 'ada.lovelace', email: 'Ada@example.com' }, ['ada'])).toEqual([]);
    expect(compared({ username: 'ada.lovelace', email: 'ada@example.com', accessLevel: 10 })).toHaveLength(1);
  });

  it('did not arrive if the member with the name has another address', () => {
    expect(compared({ email: 'other@example.com' }, ['ada'])).toMatchObject([{ lost: 'on-import', line: 2 }]);
  });

  it('arrived if the member with the name shows no address', () => {
    expect(compared({ email: null }, ['ada'])).toEqual([]);
  });
});

describe('a member that the archive lacks', () => {
  const lost = (since: number | null) =>
    lostMembers(
      {
        source: [{ username: 'ada', createdAt: since }],
        archive: [],
        target: [],
        usernamesWithAccount: new Set(),
        account: 'root',
        importedByAdministrator: true,
      },
      100,
    );

  it('was lost on export unless it was added afterwards', () => {
    expect(lost(99).missing).toMatchObject([{ lost: 'on-export', line: null, title: 'ada' }]);
    expect(lost(101)).toEqual({ missing: [], declared: [], remarks: [], uncertainLosses: [] });
  });

  it('is no loss if the source does not report when it was added, and the doubt is reported', () => {
    expect(lost(null)).toEqual({
      ...{ missing: [], declared: [], remarks: [] },
      uncertainLosses: [{ relation: 'project_members', candidateCount: 1, lostCount: 0, namedCount: 0 }],
    });
  });
});
