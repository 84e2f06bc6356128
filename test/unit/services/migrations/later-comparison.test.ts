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
/** Returns sides that list nothing, except for what is given. */
const sidesOf = (source: object | null, target: object, more: object = {}): Sides => {
  const empty = { listed: { issues: null }, protectedRefs: {}, wikiPages: [], members: [], ...unshown };
  const details = { attributes: {}, project: {} };
  return {
    source: source && { ...empty, uploads: [], ...source },
    target: { ...empty, uploads: [], details, ...target },
    archiveRecords: { records: { issues: [] } },
    ...more,
  } as unknown as Sides;
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
  const kept = withKnownLosses(without, earlier, toLaterComparison(sidesOf(lists, lists), null, false));
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
  const sides = sidesOf(null, { details: { attributes, project: {} } });
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
    const sides = sidesOf(
      { details: { attributes: { build_timeout: 60, updated_at: updatedAt } } },
      { details: { attributes: { build_timeout: timeout }, project: {} } },
      { moment: { requestedAt } },
    );
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
  const sides = sidesOf(null, {});
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
    const later = toLaterComparison(sidesOf(read, read), null, false);
    return withKnownLosses(without, { ...without, missing }, later).missing;
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
  const keeps = (
    earlier: MissingRecord,
    source: object | null,
    target: object,
    more: object = {},
  ): boolean => {
    const later = toLaterComparison(sidesOf(source, target, more), null, true);
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
    const avatar = loss('avatar', { title: null, part: { name: 'content', values } });
    const uncertain = [user, avatar];
    expect(keeps(user, users('alice', 'bob'), users('bob', 'alice'), { contents: { uncertain } })).toBe(
      false,
    );
    expect(keeps(avatar, shownAvatar('2'), shownAvatar('2'), { contents: { uncertain } })).toBe(false);
  });

  it('is kept for pages of a wiki if the source cannot be read', () => {
    const earlier = loss('wiki', { lost: 'on-import', part: { name: 'content', values } });
    expect(keeps(earlier, null, {})).toBe(true);
  });

  it('is kept for a note if the notes of its record still differ, and may have been edited', () => {
    const part = { name: 'text of the note of 2026-11-20T01:00:00.000Z', values };
    const earlier = loss('issues', { iid: 3, line: 2, title: null, part });
    const found = { ...earlier, part: { ...part, values: { ...values, expected: 'B' } } };
    const uncertain = (...losses: MissingRecord[]) => ({ contents: { uncertain: losses } });
    const issue = record('issues', { iid: 3 });
    expect(keeps(earlier, issue, issue, uncertain(found))).toBe(true);
    expect(keeps(earlier, issue, issue, uncertain({ ...found, line: 3 }))).toBe(false);
    expect(keeps(earlier, issue, issue, uncertain({ ...found, lost: 'on-import' }))).toBe(false);
  });

  it('is kept for a number of notes if their record was edited and its notes were not read', () => {
    const requestedAt = Date.parse('2026-11-20T00:00:00Z');
    const earlier = loss('issues', { iid: 3, title: null, part: { name: 'notes', expected: 3, found: 2 } });
    const issue = (updatedAt: number | null) => record('issues', { iid: 3, updatedAt });
    const at = (depth: string) => ({ moment: { requestedAt }, depth });
    expect(keeps(earlier, issue(requestedAt), {}, at('names'))).toBe(true);
    expect(keeps(earlier, issue(null), {}, at('names'))).toBe(true);
    expect(keeps(earlier, issue(requestedAt - 1), {}, at('names'))).toBe(false);
    expect(keeps(earlier, issue(requestedAt), {}, at('contents'))).toBe(false);
    expect(keeps(earlier, record('issues', { iid: 4, updatedAt: null }), {}, at('names'))).toBe(false);
  });

  it('is kept for a field while the account may not list what GitLab shows in it', () => {
    const earlier = loss('releases', { part: { name: 'milestones', values } });
    const release = { listed: { releases: [{ iid: null, title: 'main', contents: { milestones: '' } }] } };
    const refused = { listed: { ...release.listed, milestones: null, issues: null } };
    const listed = { listed: { ...release.listed, milestones: [], issues: null } };
    expect(keeps(earlier, refused, refused)).toBe(true);
    expect(keeps(earlier, listed, listed)).toBe(false);
    expect(keeps({ ...earlier, lost: 'on-import' }, listed, refused)).toBe(true);
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

describe('losses without names', () => {
  const missing = [1, 2].map((line) => ({ ...loss(`user ${line}`, 'on-import'), line }));
  const note: MissingRecord = {
    ...{ relation: 'project_members', lost: 'on-import', line: 1, iid: null, title: 'user 1' },
    part: { name: 'role', values: { expected: 'Owner', found: 'Guest' } },
  };
  const unnamed = (count: number, lines: number[], lost: MissingRecord['lost'] = 'on-import') => [
    { relation: 'project_members', lost, count, lines },
  ];
  const unread = toLaterComparison(sidesOf(null, { members: null }), null, false);
  const withUnnamed = (all: NonNullable<Reconciliation['unnamed']>): Reconciliation => ({
    ...{ ...without, unnamed: all, missingCount: all.reduce((sum, { count }) => sum + count, 0) },
  });

  it('are not counted twice if the later comparison found the same records', () => {
    const later = withUnnamed(unnamed(2, [1, 2]));
    const earlier = { ...withUnnamed(unnamed(2, [3, 4])), missing, missingCount: 4 };
    expect(withKnownLosses(later, earlier, unread)).toEqual(later);
  });

  it('do not replace earlier losses that the later comparison could not find', () => {
    const later = withUnnamed(unnamed(3, [2, 5, 6]));
    const [first] = missing;
    const earlier = { ...without, missing: [...missing, note], missingCount: 3 };
    expect(withKnownLosses(later, earlier, unread)).toMatchObject({
      missing: [first, note],
      missingCount: 5,
    });
  });

  it.each([
    ['contents that differ, but may have been edited', 'labels', {}],
    [
      'branches of a source that has commits that the target lacks',
      'branches',
      {
        listed: { issues: null, branches: [{ iid: null, title: 'main', shas: ['a'] }] },
      },
    ],
    ['pages of a wiki that differ', 'wiki', { wikiPages: [{ slug: 'home', sha256: '1' }] }],
  ])('are kept for %s', (_, relation, source) => {
    const uncertain = { ...loss('bug', 'on-export'), relation: 'labels' };
    const kept = (listed: object, target: object, losses: MissingRecord[]) => {
      const shown = (side: object) => ({ listed: { issues: null, labels: [] }, ...side });
      const sides = sidesOf(shown(listed), shown(target), { contents: { uncertain: losses } });
      const earlier = withUnnamed([{ relation, lost: 'on-export', count: 2, lines: [] }]);
      return withKnownLosses(without, earlier, toLaterComparison(sides, null, true)).unnamed;
    };
    expect(kept(source, { listed: { issues: null, labels: [], branches: [] } }, [uncertain])).toMatchObject([
      { relation, count: 2 },
    ]);
    expect(kept(source, source, [])).toBeUndefined();
  });

  it('are records if each has a line, so differences of contents do not keep them', () => {
    const later = (lines: number[]) => {
      const uncertain = [{ ...note, lost: 'on-import' as const }];
      const sides = sidesOf({}, {}, { contents: { uncertain } });
      return withKnownLosses(without, withUnnamed(unnamed(2, lines)), toLaterComparison(sides, null, false));
    };
    expect(later([1, 2]).unnamed).toBeUndefined();
    expect(later([1]).unnamed).toHaveLength(1);
  });
});
