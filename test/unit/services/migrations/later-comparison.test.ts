/** @file Losses of an earlier comparison, if a later one could not read all lists. */
import { describe, expect, it } from 'vitest';
import type { MissingRecord, Reconciliation } from '../../../../src-contract/transfers/import.ts';
import { withKnownLosses } from '../../../../src-main/jobs/migrations/comparing/losses/known-losses.ts';
import { toLaterComparison } from '../../../../src-main/services/migrations/comparing/sides/later-comparison.ts';
import { archiveOf, noRecords, sidesOf, unshown, without } from '../../../support/migrations/later-sides.ts';

const loss = (title: string, lost: MissingRecord['lost']): MissingRecord => ({
  ...{ relation: 'project_members', lost, line: 1, iid: null, title, part: null },
});
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

it.each([
  ['approvals.reset_approvals_on_push', { approvals: { reset_approvals_on_push: true } }],
  ['custom_attributes.team', { custom_attributes: [{ key: 'team', value: 'blue' }] }],
  ['error_tracking.api_url', { error_tracking: { api_url: 'https://errors.example.com' } }],
  ['container_expiration_policy_attributes', { container_expiration_policy: { cadence: '7d' } }],
])('a lost setting stays lost while a side no longer shows it: %s', (attribute, shown) => {
  const moment = { requestedAt: Date.parse('2026-11-20T00:00:00Z') };
  const side = (attributes: object) => ({ details: { attributes, project: {} } });
  const keeps = (lost: 'on-export' | 'on-import', source: object, target: object): boolean => {
    const settings = [{ attribute, expected: 'false', found: 'true', lost }];
    const sides = sidesOf(side(source), side(target), { moment, archivedSettings: {} });
    const later = toLaterComparison(sides, null, false);
    return withKnownLosses(without, { ...without, settings }, later).settings.length > 0;
  };
  for (const lost of ['on-export', 'on-import'] as const) {
    expect(keeps(lost, shown, {})).toBe(true);
    expect(keeps(lost, shown, shown)).toBe(false);
  }
  expect(keeps('on-export', {}, shown)).toBe(true);
  expect(keeps('on-import', {}, shown)).toBe(false);
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

  it('of issues stays lost if their count is no longer used and no list was read', () => {
    const counted = row('issues', 10, 9, 9);
    const rows = [row('issues', null, 9, 9)];
    const compared = (listed: object) =>
      withKnownLosses(
        { ...without, rows },
        { ...without, rows: [counted] },
        toLaterComparison(sidesOf({ listed }, {}), null, true),
      );
    expect(compared({ issues: null })).toMatchObject({ reconciled: false, rows: [counted] });
    // A comparison of the list names the lost records.
    expect(compared({ issues: [] })).toMatchObject({ reconciled: true, rows });
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
    const earlier = { ...withUnnamed(unnamed(2, [1, 2])), missing, missingCount: 4 };
    expect(withKnownLosses(later, earlier, unread)).toEqual(later);
  });

  it('keep the larger number and all lines if the later comparison found some of them, or other ones', () => {
    const later = (all: NonNullable<Reconciliation['unnamed']>, count: number, lines: number[]) =>
      withKnownLosses(withUnnamed(all), withUnnamed(unnamed(count, lines)), unread);
    expect(later(unnamed(2, [1, 2]), 2, [3, 4])).toMatchObject({
      ...{ missingCount: 4, unnamed: unnamed(4, [1, 2, 3, 4]) },
    });
    expect(later(unnamed(3, [1]), 500, [2])).toMatchObject({
      ...{ reconciled: false, missingCount: 500, unnamed: unnamed(500, [1, 2]) },
    });
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
    ['contents that differ, but may have been edited', 'labels', {}, 1],
    [
      'branches of a source that has commits that the target lacks',
      'branches',
      {
        listed: { issues: null, branches: [{ iid: null, title: 'main', shas: ['a'] }] },
      },
      2,
    ],
    ['pages of a wiki that differ', 'wiki', { wikiPages: [{ slug: 'home', sha256: '1' }] }, 2],
    [
      'labels that the archive lacks',
      'labels',
      { listed: { issues: null, labels: [{ key: 'bug', iid: null, title: 'bug', createdAt: null }] } },
      2,
    ],
    [
      'notes that were not read',
      'labels',
      { comparedNotes: { ...unshown.comparedNotes, uncomparedLines: new Map([['labels', new Set([3])]]) } },
      2,
    ],
  ])('are kept for %s, but no more than these', (_, relation, source, count) => {
    const uncertain = { ...loss('bug', 'on-export'), relation: 'labels' };
    const kept = (listed: object, target: object, losses: MissingRecord[]) => {
      const shown = (side: object) => ({ listed: { issues: null, labels: [], branches: [] }, ...side });
      const sides = sidesOf(shown(listed), shown(target), { contents: { uncertain: losses } });
      const earlier = withUnnamed([{ relation, lost: 'on-export', count: 2, lines: [] }]);
      return withKnownLosses(without, earlier, toLaterComparison(sides, null, true)).unnamed;
    };
    expect(kept(source, {}, [uncertain])).toMatchObject([{ relation, count }]);
    expect(kept({}, {}, [])).toBeUndefined();
  });

  describe('of fields and users that a side no longer shows', () => {
    const issue = (more: object) => ({ key: '1', iid: 1, title: 'bug', ...more });
    const kept = (lost: MissingRecord['lost'], archived: object, shown: object, depth = 'contents') => {
      const side = { listed: { issues: [issue(shown)] } };
      const records = { ...noRecords, issues: [{ ...issue(archived), line: 0 }] };
      const sides = sidesOf(side, side, { archiveRecords: { records, invitations: [] }, depth });
      const earlier = withUnnamed([{ relation: 'issues', lost, count: 3, lines: [] }]);
      return withKnownLosses(without, earlier, toLaterComparison(sides, null, true)).unnamed?.[0]?.count;
    };
    const refused = { contents: {} };

    it('are kept, also if the archive has none of these, because the export may have lost all', () => {
      const archived = { contents: { label_events: '', description: 'text' }, userIds: { assignees: [] } };
      const shown = { contents: { label_events: '', description: '' }, users: { assignees: [] } };
      expect(kept('on-export', archived, refused)).toBe(3);
      expect(kept('on-export', archived, { ...shown, contents: { description: '' } })).toBe(1);
      expect(kept('on-export', archived, { contents: shown.contents })).toBe(1);
      expect(kept('on-export', archived, shown)).toBeUndefined();
      // Comparisons of less never found these losses.
      expect(kept('on-export', archived, refused, 'keys')).toBeUndefined();
    });

    it('end if an import cannot have lost them, because the archive has none of these', () => {
      const without = { contents: { label_events: '' }, userIds: { assignees: [] } };
      expect(kept('on-import', without, refused)).toBeUndefined();
      expect(kept('on-import', { ...without, contents: { label_events: 'bug' } }, refused)).toBe(1);
      expect(kept('on-import', { ...without, userIds: { assignees: [7] } }, refused)).toBe(1);
    });
  });

  describe('of issues, if the role of the account may not suffice to see confidential ones', () => {
    const issue = { key: '1', iid: 1, title: 'bug', contents: { confidential: 'true' } };
    const kept = (lost: MissingRecord['lost'], issues: object[]) => {
      const details = { attributes: {}, project: { accessLevel: null } };
      const side = { administrator: false, details, listed: { issues } };
      const sides = sidesOf(side, side, archiveOf('issues', issue));
      const earlier = withUnnamed([{ relation: 'issues', lost, count: 3, lines: [0, 1, 2] }]);
      return withKnownLosses(without, earlier, toLaterComparison(sides, null, true)).unnamed?.[0]?.count;
    };

    it('end once the target lists each confidential issue of the archive', () => {
      expect(kept('on-import', [])).toBe(3);
      expect(kept('on-import', [issue])).toBeUndefined();
    });

    it('are kept on export, because the archive may lack the hidden ones', () => {
      expect(kept('on-export', [issue])).toBe(3);
    });
  });

  describe('of a group that somebody may have changed on the target since', () => {
    const kept = (relation: string, lines: number[], archived: object, target: object) => {
      const sides = sidesOf({}, target, {
        archiveRecords: { records: noRecords, invitations: [], ...archived },
      });
      const earlier = withUnnamed([{ relation, lost: 'on-import', count: 3, lines }]);
      return withKnownLosses(without, earlier, toLaterComparison(sides, null, false)).unnamed;
    };

    it('are kept for each branch whose commit is still another one, or not known', () => {
      const branches = (...commits: string[][]) =>
        commits.map((shas, line) => ({ key: `b${line}`, line, iid: null, title: `b${line}`, shas }));
      const archived = { records: { ...noRecords, branches: branches(['a'], ['a'], ['a', 'tag']) } };
      const listed = (...commits: string[][]) => ({
        listed: { issues: null, branches: branches(...commits) },
      });
      expect(kept('branches', [], archived, listed(['b'], [], ['tag']))).toMatchObject([
        { count: 2, lines: [] },
      ]);
      expect(kept('branches', [], archived, listed(['a'], ['a'], ['a']))).toBeUndefined();
    });

    it('are kept for each invitation that is absent or different, but no more than these', () => {
      const invitation = (email: string, line: number, accessLevel: number) => ({
        ...{ email, line, accessLevel, createdAt: null },
      });
      const archived = {
        invitations: [invitation('ada@a.example', 4, 30), invitation('bob@a.example', 5, 30)],
      };
      const lines = (all: number[], invitations: object[] | null) =>
        kept('project_members', all, archived, { invitations });
      expect(lines([4, 9], [])).toMatchObject([{ count: 1, lines: [4] }]);
      const limited = [invitation('ADA@a.example', 4, 10), invitation('bob@a.example', 5, 30)];
      expect(lines([4, 9], limited)).toMatchObject([{ count: 1, lines: [] }]);
      expect(lines([4, 9], archived.invitations)).toBeUndefined();
      expect(lines([4, 9], null)).toMatchObject([{ count: 3, lines: [4, 9] }]);
    });

    it('are kept for each label whose place another one took', () => {
      const label = (title: string, line: number, id: number) => ({
        ...{ key: title, iid: null, title, contents: { color: '#fff' }, line, id },
      });
      const archived = { records: { ...noRecords, labels: [label('bug', 0, 1), label('old', 1, 2)] } };
      const listed = (...labels: object[]) => ({ listed: { issues: null, labels } });
      expect(
        kept('labels', [0, 1, 2], archived, listed(label('bug', 0, 1), label('new', 1, 2))),
      ).toMatchObject([{ count: 1, lines: [1] }]);
      expect(kept('labels', [0, 1, 2], archived, listed(...archived.records.labels))).toBeUndefined();
    });
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
