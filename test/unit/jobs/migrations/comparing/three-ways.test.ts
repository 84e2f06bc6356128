import { describe, expect, it } from 'vitest';
import { verdictOf } from '../../../../../src-main/jobs/importing/reconcile.ts';
import type {
  ListedRecords,
  ListedRecord,
} from '../../../../../src-main/jobs/migrations/comparing/naming-losses.ts';
import {
  lostMembers,
  type ArchivedMember,
  type ListedMember,
} from '../../../../../src-main/jobs/migrations/comparing/members.ts';
import {
  countsOfListed,
  lfsAmount,
} from '../../../../../src-main/jobs/migrations/comparing/three-way-comparison.ts';

describe('the size of LFS objects', () => {
  const rows: [string, { lfsObjects: number; lfsBytes?: number }, number | null, number | null, string][] = [
    ['that is the same on all sides is equal', { lfsObjects: 2, lfsBytes: 30 }, 30, 30, 'equal'],
    ['that the archive lacks was lost on export', { lfsObjects: 1, lfsBytes: 20 }, 30, 20, 'lost-on-export'],
    ['of which the archive has nothing was lost on export', { lfsObjects: 0 }, 30, 0, 'lost-on-export'],
    ['that the target lacks was lost on import', { lfsObjects: 2, lfsBytes: 30 }, 30, 20, 'lost-on-import'],
    ['that both lack was lost on both', { lfsObjects: 2, lfsBytes: 20 }, 30, 10, 'lost-on-both'],
    ['that a source has not counted yet accuses nobody', { lfsObjects: 2, lfsBytes: 30 }, 0, 30, 'equal'],
    ['that servers count for two repositories is no loss', { lfsObjects: 2, lfsBytes: 30 }, 40, 40, 'more'],
    ['that the target does not tell accuses nobody', { lfsObjects: 2, lfsBytes: 30 }, 40, null, 'unknown'],
    ['that was not added up is not known', { lfsObjects: 2 }, 30, 30, 'unknown'],
  ];
  it.each(rows)('%s', (_, held, before, after, verdict) => {
    const { source, archive, target } = lfsAmount(held, before, after);
    expect(verdictOf(source, archive, target)).toBe(verdict);
  });
});

describe('what is listed', () => {
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
  const listed: ListedRecords = {
    labels: [],
    milestones: none,
    issues: [record(2), record(3)],
    merge_requests: [record(2), record(null)],
    releases: none,
    ci_pipelines: none,
    branches: none,
    tags: none,
  };

  it('counts with its notes, unless a list may not be read or a record does not tell its notes', () => {
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
  it('is named by its own line, whatever invitations stand before it', () => {
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
        importedByAdministrator: true,
        sourceEdited: false,
      },
      100,
    );
    expect(missing).toMatchObject([
      { relation: 'project_members', lost: 'on-import', line: 4, title: 'bob' },
    ]);
  });
});

describe('a member that the target has', () => {
  const held = { line: 2, username: 'ada', accessLevel: 40, expiresAt: '2027-01-01' };
  it.each<[string, Partial<ListedMember>, string[]]>([
    ['with the same role and end is no loss', {}, []],
    ['with a lower role lost it', { accessLevel: 10 }, ['access level 40, now 10']],
    ['with a higher role lost nothing', { accessLevel: 50 }, []],
    ['whose role is not told is not compared by it', { accessLevel: null }, []],
    ['for ever lost its end', { expiresAt: null }, ['end of the membership on 2027-01-01, now never']],
    [
      'until another day lost its end',
      { expiresAt: '2028-01-01' },
      ['end of the membership on 2027-01-01, now on 2028-01-01'],
    ],
  ])('%s', (_rule, changes, parts) => {
    expect(missingParts(held, changes)).toEqual(parts);
  });

  it.each<[string, Partial<ListedMember>, string[]]>([
    ['for ever as before is no loss', { expiresAt: null }, []],
    ['until some day got an end', {}, ['end of the membership never, now on 2027-01-01']],
    ['until some day with a higher role has another membership', { accessLevel: 50 }, []],
  ])('%s', (_rule, changes, parts) => {
    expect(missingParts({ ...held, expiresAt: null }, changes)).toEqual(parts);
  });

  function missingParts(archived: ArchivedMember, changes: Partial<ListedMember>): (string | undefined)[] {
    const found = { username: 'Ada', createdAt: null, accessLevel: 40, expiresAt: '2027-01-01', ...changes };
    const members = {
      source: null,
      archive: [archived],
      target: [found],
      usernamesWithAccount: new Set<string>(),
    };
    const { missing } = lostMembers({ ...members, importedByAdministrator: true, sourceEdited: false }, 100);
    expect(
      missing.every(({ lost, line, title }) => lost === 'on-import' && line === 2 && title === 'ada'),
    ).toBe(true);
    return missing.map(({ part }) => part?.name);
  }
});

describe('a member that the archive holds', () => {
  const held = { line: 2, username: 'ada', accessLevel: 30, expiresAt: '2027-01-01' };
  const compared = (changes: Partial<ListedMember>, sourceMoved = false) =>
    lostMembers(
      {
        source: [{ username: 'Ada', createdAt: 10, accessLevel: 30, expiresAt: '2027-01-01', ...changes }],
        archive: [held],
        target: null,
        usernamesWithAccount: new Set(),
        importedByAdministrator: true,
        sourceEdited: sourceMoved,
      },
      100,
    );

  it.each<[string, Partial<ListedMember>, string[]]>([
    ['with the same role and end is no loss', {}, []],
    [
      'with a lower role than on the source lost it',
      { accessLevel: 40 },
      ['access level 40, archived as 30'],
    ],
    ['with a higher role, which it inherits, lost nothing', { accessLevel: 20, expiresAt: null }, []],
    ['whose role the source does not tell is not compared by it', { accessLevel: null }, []],
    [
      'until a day although the source has no end lost that',
      { expiresAt: null },
      ['end of the membership never, archived as on 2027-01-01'],
    ],
    [
      'until another day than on the source lost its end',
      { expiresAt: '2028-01-01' },
      ['end of the membership on 2028-01-01, archived as on 2027-01-01'],
    ],
    ['with less than the source gave after the export lost nothing', { accessLevel: 50, createdAt: 101 }, []],
  ])('%s', (_rule, changes, parts) => {
    const { missing, declared } = compared(changes);
    expect(missing.map(({ part }) => part?.name)).toEqual(parts);
    expect(
      missing.every(({ lost, line, title }) => lost === 'on-export' && line === 2 && title === 'ada'),
    ).toBe(true);
    expect(declared).toEqual([]);
  });

  it('with less than on a source that was edited since is named in a sentence, and no loss', () => {
    const { missing, declared } = compared({ accessLevel: 40 }, true);
    expect(missing).toEqual([]);
    expect(declared).toEqual([expect.stringMatching(/been edited, after its export.*: ada\.$/)]);
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
        importedByAdministrator: true,
        sourceEdited: false,
      },
      100,
    );

  it('was lost on export, unless it came afterwards', () => {
    expect(lost(99).missing).toMatchObject([{ lost: 'on-export', line: null, title: 'ada' }]);
    expect(lost(101)).toEqual({ missing: [], declared: [], doubts: [] });
  });

  it('shows no loss where the source does not tell when it came, and that is reported', () => {
    expect(lost(null)).toEqual({
      missing: [],
      declared: [],
      doubts: [{ relation: 'project_members', candidates: 1, lost: 0, named: 0 }],
    });
  });
});
