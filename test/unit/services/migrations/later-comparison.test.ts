/** @file Losses of an earlier comparison, if a later one could not read all lists. */
import { describe, expect, it } from 'vitest';
import type { MissingRecord, Reconciliation } from '../../../../src-contract/transfers/import.ts';
import { withKnownLosses } from '../../../../src-main/jobs/migrations/comparing/losses/known-losses.ts';
import type { Sides } from '../../../../src-main/services/migrations/comparing/sides/compared-sides.ts';
import { toLaterComparison } from '../../../../src-main/services/migrations/comparing/sides/later-comparison.ts';

const loss = (title: string, lost: MissingRecord['lost']): MissingRecord => ({
  ...{ relation: 'project_members', lost, line: 1, iid: null, title, part: null },
});
const unshown = {
  avatar: { isSet: false, sha256: null },
  comparedNotes: { commitNoteCount: 0, uncomparedLines: new Map() },
  lostChanges: { uncomparedLines: new Set() },
  comparedUploads: { unread: { titles: new Set() } },
  administrator: true,
};
const without: Reconciliation = {
  ...{ at: '2026-11-20T01:00:00.000Z', depth: 'names', reconciled: true, rows: [], settings: [] },
  ...{ missing: [], missingCount: 0, declared: [], notCompared: [] },
};

/** Returns the titles of the earlier losses that a later comparison still counts, which found none itself. */
function keptTitles(lists: { members: [] | null; invitations: [] | null }): (string | null)[] {
  const missing = (['on-export', 'on-import'] as const).flatMap((lost) => [
    loss(`mia ${lost}`, lost),
    loss(`invitation of ada@example.com ${lost}`, lost),
  ]);
  const unnamed = [{ relation: 'invitations', lost: 'on-export', count: 2, lines: [] as number[] }] as const;
  const earlier: Reconciliation = { ...without, missing, missingCount: 6, unnamed: [...unnamed] };
  const side = {
    listed: { issues: null },
    protectedRefs: {},
    uploads: [],
    wikiPages: [],
    ...unshown,
    ...lists,
  };
  const sides = {
    source: side,
    target: { ...side, details: { attributes: {}, project: {} } },
    archiveRecords: { records: { issues: [] } },
  };
  const kept = withKnownLosses(without, earlier, toLaterComparison(sides as unknown as Sides, null, false));
  return [
    ...kept.missing.map(({ title }) => title),
    ...(kept.unnamed ?? []).map(({ relation, count }) => `${count} ${relation}`),
  ];
}

it('lost members and invitations are checked again unless their own list may not be read', () => {
  expect(keptTitles({ members: [], invitations: [] })).toEqual([]);
  expect(keptTitles({ members: [], invitations: null })).toEqual([
    'invitation of ada@example.com on-export',
    'invitation of ada@example.com on-import',
    '2 invitations',
  ]);
  expect(keptTitles({ members: null, invitations: [] })).toEqual(['mia on-export', 'mia on-import']);
});

it('a setting that the export lost stays lost until the target shows its value, if the source is gone', () => {
  const attributes = {
    topics: ['b', 'a'],
    approvals: { reset_approvals_on_push: false },
    custom_attributes: [{ key: 'team.name', value: 'red' }],
    build_timeout: 60,
    restrict_user_defined_variables: null,
  };
  const values = {
    topics: ['a, b', 'c'],
    'approvals.reset_approvals_on_push': ['false', 'true'],
    'custom_attributes.team.name': ['red', 'blue'],
    build_timeout: ['60', '3600'],
    restrict_user_defined_variables: ['false', 'true'],
    // The target does not show it.
    'error_tracking.api_url': [null, 'https://errors.example.com'],
  };
  const losses = (index: 0 | 1): Reconciliation['settings'] =>
    Object.entries(values).flatMap(([attribute, { [index]: expected = null }]) =>
      expected === null
        ? []
        : [{ attribute, expected, found: 'other', lost: attribute === 'topics' ? null : 'on-export' }],
    );
  const target = {
    ...unshown,
    listed: { issues: null },
    protectedRefs: {},
    details: { attributes, project: {} },
  };
  const sides = { source: null, target, archiveRecords: { records: { issues: [] } } } as unknown as Sides;
  const later = (settings: Reconciliation['settings']) =>
    withKnownLosses(without, { ...without, settings }, toLaterComparison(sides, null, false));
  expect(later(losses(0))).toMatchObject({ reconciled: true, settings: [] });
  expect(later(losses(1))).toMatchObject({ reconciled: false, settings: losses(1) });
});

describe('a setting that the export lost, after an earlier comparison', () => {
  const requestedAt = Date.parse('2026-11-20T00:00:00Z');
  const settings: Reconciliation['settings'] = [
    { attribute: 'build_timeout', expected: '60', found: '3600', lost: 'on-export' },
  ];
  const later = (timeout: number, updatedAt: string, changedSince: number | null) => {
    const lists = { ...unshown, listed: { issues: null }, protectedRefs: {} };
    const sides = {
      source: { ...lists, details: { attributes: { build_timeout: 60, updated_at: updatedAt } } },
      target: { ...lists, details: { attributes: { build_timeout: timeout }, project: {} } },
      ...{ archiveRecords: { records: { issues: [] } }, moment: { requestedAt } },
    } as unknown as Sides;
    return withKnownLosses(
      without,
      { ...without, settings },
      toLaterComparison(sides, changedSince, changedSince !== null),
    );
  };
  const [before, after] = ['2026-11-19T00:00:00Z', '2026-11-21T00:00:00Z'];

  it.each([
    ['has new activity', before, requestedAt + 1],
    ['was edited', after, null],
  ])('stays lost until the target shows its value, if the source %s', (_, updatedAt, changedSince) => {
    expect(later(3600, updatedAt, changedSince)).toMatchObject({ reconciled: false, settings });
    expect(later(60, updatedAt, changedSince)).toMatchObject({ reconciled: true, settings: [] });
  });

  it('is decided by the settings of a source without changes', () => {
    expect(later(3600, before, null)).toMatchObject({ reconciled: true, settings: [] });
  });
});

describe('an amount that the export lost', () => {
  const row = (relation: string, source: number | null, archive: number, target: number | null) => ({
    ...{ relation, source, archive, target },
    verdict: source === null ? ('equal' as const) : ('lost-on-export' as const),
  });
  const sides = {
    source: null,
    target: {
      ...unshown,
      listed: { issues: null },
      protectedRefs: {},
      details: { attributes: {}, project: {} },
    },
    archiveRecords: { records: { issues: [] } },
  } as unknown as Sides;
  const later = (earlier: Reconciliation['rows'], rows: Reconciliation['rows']) =>
    withKnownLosses(
      { ...without, rows },
      { ...without, rows: earlier },
      toLaterComparison(sides, null, false),
    );

  it.each([
    ['lfs_objects_size', row('lfs_objects_size', 10, 5, 5), [row('lfs_objects_size', null, 5, 5)]],
    ['wiki', row('wiki', 1, 0, 0), []],
  ])('of %s stays lost if the changed source is no longer compared', (_, lost, rows) => {
    expect(later([lost], rows)).toMatchObject({ reconciled: false, rows: [lost] });
  });

  it('is no longer lost once the target has it', () => {
    const rows = [row('lfs_objects_size', null, 5, 10)];
    expect(later([row('lfs_objects_size', 10, 5, 5)], rows)).toMatchObject({ reconciled: true, rows });
  });
});

describe.each([
  ['avatar', { avatar: { isSet: true, sha256: null } }],
  ['wiki', { wikiPages: null }],
  ['commit_notes', { comparedNotes: { ...unshown.comparedNotes, commitNoteCount: null } }],
])('a loss of %s', (relation, unread) => {
  const missing: MissingRecord[] = (['on-export', 'on-import'] as const).map((lost) => ({
    ...{ relation, lost, line: null, iid: null, title: 'home' },
    part: { name: 'content', values: { expected: 'SHA-256 1', found: 'SHA-256 2' } },
  }));
  const later = (read: object) => {
    const side = { listed: { issues: null }, protectedRefs: {}, wikiPages: [], ...unshown, ...read };
    const sides = {
      ...{ source: side, target: { ...side, details: { attributes: {}, project: {} } } },
      archiveRecords: { records: { issues: [] } },
    } as unknown as Sides;
    return withKnownLosses(without, { ...without, missing }, toLaterComparison(sides, null, false)).missing;
  };

  it('is kept only as long as its side cannot be read again', () => {
    expect(later({})).toEqual([]);
    expect(later(unread)).toEqual(missing);
  });
});

describe('a loss of a source that was used again', () => {
  const loss = (relation: string, more: Partial<MissingRecord>): MissingRecord => ({
    ...{ relation, lost: 'on-export', line: 0, iid: null, title: 'main', part: null },
    ...more,
  });
  const values = { expected: 'A', found: '' };
  const record = (relation: string, more: object) => ({
    listed: { issues: null, [relation]: [{ iid: null, title: 'main', contents: {}, ...more }] },
  });
  const protection = (level: number | null) => ({
    protectedRefs: { protected_branches: [{ name: 'main', rules: { 'push access level': level } }] },
  });
  const page = (sha256: string | null) => ({ wikiPages: [{ slug: 'main', sha256 }] });
  const keeps = (earlier: MissingRecord, source: object, target: object): boolean => {
    const side = { listed: { issues: null }, protectedRefs: {}, wikiPages: [], members: [], ...unshown };
    const sides = {
      source: { ...side, ...source },
      target: { ...side, details: { attributes: {}, project: {} }, ...target },
      archiveRecords: { records: { issues: [] } },
    } as unknown as Sides;
    const later = toLaterComparison(sides, null, true);
    return withKnownLosses(without, { ...without, missing: [earlier] }, later).missing.length > 0;
  };

  it.each([
    [
      'a branch',
      loss('branches', {}),
      record('branches', { shas: ['a'] }),
      record('branches', { shas: ['b'] }),
    ],
    ['a protection', loss('protected_branches', {}), protection(40), protection(30)],
    [
      'a level of a protection',
      loss('protected_branches', { part: { name: 'push access level', expected: 40, found: 0 } }),
      ...([protection(40), protection(30)] as const),
    ],
    [
      'a field',
      loss('labels', { part: { name: 'description', values } }),
      record('labels', { contents: { description: 'A and more' } }),
      record('labels', { contents: { description: '' } }),
    ],
    ['a page', loss('wiki', { lost: 'on-import', part: { name: 'content', values } }), page('2'), page('1')],
  ])('is kept for %s until the target is like the source', (_, earlier, source, target) => {
    expect(keeps(earlier, source, target)).toBe(true);
    expect(keeps(earlier, source, source)).toBe(false);
  });

  const shownAvatar = (sha256: string | null) => ({ avatar: { isSet: sha256 !== null, sha256 } });
  const users = (...usernames: string[]) =>
    record('issues', { users: { assignees: usernames.map((username, id) => ({ id, username })) } });

  it.each([
    [
      'the avatar',
      loss('avatar', { title: null, part: { name: 'content', values } }),
      shownAvatar('2'),
      shownAvatar(null),
    ],
    [
      'a user',
      loss('issues', { part: { name: 'assignees', values } }),
      users('alice', 'bob'),
      users('alice'),
    ],
    [
      'the level of a protection that nobody else has',
      loss('protected_branches', { part: { name: 'push access level', values } }),
      ...([protection(40), protection(null)] as const),
    ],
    [
      'a branch with an unknown commit',
      loss('branches', { part: { name: 'commit', values } }),
      ...([record('branches', { shas: ['a'] }), record('branches', {})] as const),
    ],
    [
      'a page with unknown content',
      loss('wiki', { lost: 'on-import', part: { name: 'content', values } }),
      ...([page(null), {}] as const),
    ],
  ])(
    'is kept for %s if the source was edited and the target still lacks it',
    (_, earlier, source, target) => {
      expect(keeps(earlier, source, target)).toBe(true);
    },
  );

  it('is kept for a protection that only a group of the target has', () => {
    const inherited = {
      protectedRefs: {
        protected_branches: [{ name: 'main', rules: { 'push access level': 40 }, isInherited: true }],
      },
    };
    expect(keeps(loss('protected_branches', {}), protection(40), inherited)).toBe(true);
  });

  it('ends if the source no longer has the lost avatar, user or text', () => {
    const text = (description: string) => record('labels', { contents: { description } });
    const field = loss('labels', { part: { name: 'description', values } });
    expect(keeps(field, text(''), text('B'))).toBe(false);
    const user = loss('issues', { part: { name: 'assignees', values } });
    expect(keeps(user, users(), users('carol'))).toBe(false);
    const avatar = loss('avatar', { title: null, part: { name: 'content', values } });
    expect(keeps(avatar, shownAvatar(null), shownAvatar('1'))).toBe(false);
  });

  it('ends if the target has the avatar and the users of the source', () => {
    const user = loss('issues', { part: { name: 'assignees', values } });
    expect(keeps(user, users('alice', 'bob'), users('bob', 'alice'))).toBe(false);
    const avatar = loss('avatar', { title: null, part: { name: 'content', values } });
    expect(keeps(avatar, shownAvatar('2'), shownAvatar('2'))).toBe(false);
  });

  it('is kept for pages of a wiki if the source cannot be read', () => {
    const earlier = loss('wiki', { lost: 'on-import', part: { name: 'content', values } });
    const details = { attributes: {}, project: {} };
    const target = { ...unshown, listed: { issues: null }, protectedRefs: {}, wikiPages: [], details };
    const sides = { source: null, target, archiveRecords: { records: {} } } as unknown as Sides;
    expect(toLaterComparison(sides, null, true).hasCompared(earlier)).toBe(false);
  });

  it('is kept for users whose list is refused', () => {
    const earlier = loss('merge_requests', { lost: 'on-import', part: { name: 'approvers', values } });
    expect(keeps(earlier, {}, record('merge_requests', { users: {} }))).toBe(true);
    expect(keeps(earlier, {}, record('merge_requests', { users: { approvers: [] } }))).toBe(false);
  });

  it('is kept for a member on import if the account is no administrator any more', () => {
    const earlier = loss('project_members', { lost: 'on-import' });
    expect(keeps(earlier, {}, { administrator: false })).toBe(true);
    expect(keeps(earlier, {}, {})).toBe(false);
  });
});

it('losses that the later comparison found without naming them are not counted twice', () => {
  const missing = [1, 2].map((line) => ({ ...loss(`user ${line}`, 'on-import'), line }));
  const unnamed = [{ relation: 'project_members', lost: 'on-import' as const, count: 2, lines: [] }];
  const later = { ...without, unnamed, missingCount: 2 };
  const sides = {
    source: null,
    target: {
      ...unshown,
      listed: { issues: null },
      protectedRefs: {},
      members: null,
      details: { attributes: {}, project: {} },
    },
    archiveRecords: { records: { issues: [] } },
  } as unknown as Sides;
  const earlier = { ...without, missing, missingCount: 4, unnamed };
  expect(withKnownLosses(later, earlier, toLaterComparison(sides, null, false))).toEqual(later);
});
