/** @file Losses of an earlier comparison, if the source or the target was edited since. */
import { describe, expect, it } from 'vitest';
import type { MissingRecord } from '../../../../src-contract/transfers/import.ts';
import { valueText } from '../../../../src-main/jobs/migrations/comparing/contents/field-values.ts';
import { withKnownLosses } from '../../../../src-main/jobs/migrations/comparing/losses/known-losses.ts';
import { toLaterComparison } from '../../../../src-main/services/migrations/comparing/sides/later-comparison.ts';
import { archiveOf, sidesOf, unshown, without } from '../../../support/migrations/later-sides.ts';

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
      loss('issues', { part: { name: 'assignees', values: { expected: 'alice, bob', found: 'alice' } } }),
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
    expect(
      keeps(earlier, {}, record('merge_requests', { users: { approvers: [{ id: 1, username: 'A' }] } })),
    ).toBe(false);
  });

  it('is kept for a right that the target does not show, unless nobody has it', () => {
    const rules = (found: object) => ({
      protectedRefs: { protected_branches: [{ name: 'main', rules: found }] },
    });
    const earlier = loss('protected_branches', { part: { name: 'code owner approval', values } });
    expect(keeps(earlier, rules({ 'code owner approval': 1 }), rules({}))).toBe(true);
    expect(keeps(earlier, rules({ 'code owner approval': 0, 'push access level': null }), rules({}))).toBe(
      false,
    );
  });

  it('is kept for a page of a wiki that the source may have renamed', () => {
    const earlier = loss('wiki', { lost: 'on-import', part: { name: 'content', values } });
    const pages = (...slugs: string[]) => ({ wikiPages: slugs.map((slug) => ({ slug, sha256: slug })) });
    expect(keeps(earlier, pages('start'), pages('main'))).toBe(true);
    expect(keeps(earlier, pages('start'), pages('main', 'start'))).toBe(false);
  });

  it('is kept for a schedule whose title was edited, and ends for one of two snippets with the same title', () => {
    const archived = { key: '7', iid: null, title: 'main' };
    const schedule = (description: string) => ({
      listed: {
        pipeline_schedules: [{ ...archived, title: description, contents: { description } }],
      },
    });
    const shortened = loss('pipeline_schedules', { part: { name: 'description', values } });
    const archive = archiveOf('pipeline_schedules', archived);
    expect(keeps(shortened, schedule('every night'), schedule('main'), archive)).toBe(true);
    expect(keeps(shortened, schedule('every night'), schedule('every night'), archive)).toBe(false);

    const snippets = {
      listed: { snippets: ['7', '8'].map((key) => ({ ...archived, key, contents: { description: 'A' } })) },
    };
    const repaired = loss('snippets', { lost: 'on-import', part: { name: 'description', values } });
    expect(keeps(repaired, {}, snippets, archiveOf('snippets', archived))).toBe(false);
  });

  it.each([
    ['a label', 'labels', { key: 'bug', iid: null, title: 'bug', createdAt: null }],
    ['an issue', 'issues', { key: '4', iid: 4, title: null, createdAt: 1 }],
  ])('is kept for %s while the source lists it and the archive lacks it', (_, relation, listed) => {
    const earlier = loss(relation, { line: null, iid: listed.iid, title: listed.title });
    const other = { ...listed, iid: 5, title: 'feature', key: 'feature' };
    const side = (...records: object[]) => ({ listed: { issues: null, [relation]: records } });
    expect(keeps(earlier, side(other, listed), side())).toBe(true);
    expect(keeps(earlier, side(), side())).toBe(false);
    expect(keeps(earlier, side(listed), side(), archiveOf(relation, listed))).toBe(false);
    // Without a time of creation, another record may be the lost one with a new name.
    expect(keeps(earlier, side(other), side())).toBe(listed.createdAt === null);
    // An issue of the target with the same number may be another one.
    expect(keeps(earlier, side(listed), side(listed))).toBe(listed.iid !== null);
  });

  it('ends once the target has what was lost, although the source has another value by now', () => {
    const ref = { part: { name: 'commit', values: { expected: 'bbbb', found: 'aaaa' } } };
    const branch = (sha: string) => record('branches', { shas: [sha] });
    expect(keeps(loss('branches', ref), branch('cccc1'), branch('bbbb1'))).toBe(false);
    expect(keeps(loss('branches', ref), branch('cccc1'), branch('aaaa1'))).toBe(true);

    const description = (text: string) => record('labels', { contents: { description: text } });
    const text = loss('labels', { part: { name: 'description', values: { expected: 'A', found: '' } } });
    expect(keeps(text, description('B'), description('A'))).toBe(false);
    expect(keeps(text, description('B'), description(''))).toBe(true);

    const names = (...labels: string[]) => record('issues', { contents: { labels: labels.join('\0') } });
    const lostNames = { expected: 'bug, ui', found: 'ui' };
    const labels = loss('issues', { part: { name: 'labels', values: lostNames } });
    expect(keeps(labels, names('new', 'ui'), names('ui'))).toBe(false);
    expect(keeps(labels, names('bug', 'new'), names('bug', 'ui'))).toBe(false);
    expect(keeps(labels, names('bug', 'new'), names('ui'))).toBe(true);

    const rules = (push: number, force: number) => ({
      protectedRefs: {
        protected_branches: [{ name: 'main', rules: { 'push access level': push, 'force push': force } }],
      },
    });
    const right = loss('protected_branches', {
      part: { name: 'force push', values: { expected: '0', found: '1' } },
    });
    expect(keeps(right, rules(30, 0), rules(40, 0))).toBe(false);
    expect(keeps(right, rules(30, 0), rules(40, 1))).toBe(true);
  });

  it('is kept for an issue and its parts while the account might not see it', () => {
    const side = (accessLevel: number, iids: number[]) => ({
      ...{ administrator: false, details: { attributes: {}, project: { accessLevel } } },
      listed: { issues: iids.map((iid) => ({ iid, key: String(iid), contents: { labels: '' } })) },
    });
    const issue = loss('issues', { line: null, iid: 12, title: null });
    expect(keeps(issue, side(10, [11]), {})).toBe(true);
    expect(keeps(issue, side(15, [11]), {})).toBe(false);
    for (const part of [null, { name: 'labels', values }]) {
      const lost = loss('issues', { lost: 'on-import', iid: 12, title: null, part });
      expect(keeps(lost, {}, side(10, [11]))).toBe(true);
      expect(keeps(lost, {}, side(10, [11, 12]))).toBe(false);
      expect(keeps(lost, {}, side(15, [11]))).toBe(false);
    }
  });

  it('ends for a user whom the source no longer has, also if the target knows the others by other names', () => {
    const lost = { expected: 'alice, bob', found: 'alice' };
    const earlier = loss('issues', { part: { name: 'assignees', values: lost } });
    expect(keeps(earlier, users('alice'), users('asmith'))).toBe(false);
    expect(keeps(earlier, users('alice', 'carol'), users('asmith'))).toBe(false);
    expect(keeps(earlier, users('alice', 'bob'), users('asmith'))).toBe(true);
    expect(keeps(earlier, users('alice', 'bob'), users('asmith', 'bob'))).toBe(false);
  });

  it('ends for the user of a reaction that the source no longer has, but not if its reactions were not read', () => {
    const lost = { expected: 'tada by bob', found: 'tada by nobody' };
    const earlier = loss('issues', { part: { name: 'emoji_users', values: lost } });
    const reactions = (usernames: string[], contents: object = { emoji: '' }) =>
      record('issues', {
        contents,
        users: Object.fromEntries(usernames.map((username) => ['emoji_users\0tada', [{ id: 1, username }]])),
      });
    expect(keeps(earlier, reactions(['bob']), reactions([]))).toBe(true);
    expect(keeps(earlier, reactions(['bob']), reactions(['bob']))).toBe(false);
    expect(keeps(earlier, reactions([]), reactions([]))).toBe(false);
    expect(keeps(earlier, reactions([], {}), reactions([]))).toBe(true);
  });

  describe('is kept for users whom the import exchanged while the target shows the other ones', () => {
    const exchanged = (name: string, expected: string, found: string, more: Partial<MissingRecord> = {}) =>
      loss('issues', { lost: 'on-import', part: { name, values: { expected, found } }, ...more });
    const usersOf = (role: string, usernames: string[]) =>
      record('issues', { users: { [role]: usernames.map((username) => ({ id: 1, username })) } });

    it('in a role of a record', () => {
      const earlier = exchanged('assignees', 'alice, bob', 'carol');
      const keepsWith = (...usernames: string[]) => keeps(earlier, {}, usersOf('assignees', usernames));
      expect([keepsWith('carol'), keepsWith('carol', 'alice')]).toEqual([true, true]);
      expect([keepsWith('carol', 'alice', 'bob'), keepsWith('alice'), keepsWith()]).toEqual(
        Array(3).fill(false),
      );
    });

    it('in a role that has nobody', () => {
      const earlier = exchanged('assignees', 'user 3', '');
      expect(keeps(earlier, {}, usersOf('assignees', []))).toBe(true);
      expect(keeps(earlier, {}, usersOf('assignees', ['bob']))).toBe(false);
    });

    it('in a list that was shortened', () => {
      const [lost, found] = ['alice', 'carol'].map((name) =>
        Array.from({ length: 30 }, (_, index) => `${name}${index}`).sort(),
      );
      const earlier = exchanged(
        'assignees',
        valueText((lost ?? []).join('\0')),
        valueText((found ?? []).join('\0')),
      );
      expect(keeps(earlier, {}, usersOf('assignees', found ?? []))).toBe(true);
      expect(keeps(earlier, {}, usersOf('assignees', lost ?? []))).toBe(false);
    });

    it('in the entries of a record, also if it has further ones', () => {
      const earlier = exchanged('emoji_users', 'tada by alice', 'tada by bob');
      const reactions = (...usernames: string[]) =>
        record('issues', {
          contents: { emoji: 'tada' },
          users: { 'emoji_users\0tada': usernames.map((username) => ({ id: 1, username })) },
        });
      expect([keeps(earlier, {}, reactions('bob')), keeps(earlier, {}, reactions('bob', 'carol'))]).toEqual([
        true,
        true,
      ]);
      expect(keeps(earlier, {}, reactions('alice'))).toBe(false);
    });

    it('for the author of a note', () => {
      const earlier = exchanged('author of the note of today', 'alice', 'bob');
      const authoredBy = (username: string) => ({
        listed: { issues: [] },
        comparedNotes: {
          ...unshown.comparedNotes,
          people: [
            {
              ...{ relation: 'issues', record: { line: 0, iid: null, title: 'main' }, entry: null },
              ...{ name: 'author of the note of today', listed: [{ id: 1, username }] },
            },
          ],
        },
      });
      expect([keeps(earlier, {}, authoredBy('bob')), keeps(earlier, {}, authoredBy('alice'))]).toEqual([
        true,
        false,
      ]);
      expect(keeps(earlier, {}, { listed: { issues: [] } })).toBe(false);
    });

    it('for the users of an approval rule', () => {
      const earlier = exchanged('users', 'alice', 'bob', { relation: 'approval_rules' });
      const usedBy = (username: string) => ({
        protectedRefs: { approval_rules: [{ name: 'main', rules: {}, users: [{ id: 1, username }] }] },
      });
      expect([keeps(earlier, {}, usedBy('bob')), keeps(earlier, {}, usedBy('alice'))]).toEqual([true, false]);
    });
  });

  it('is kept for a member on import if the account is no administrator any more', () => {
    const earlier = loss('project_members', { lost: 'on-import' });
    expect(keeps(earlier, {}, { administrator: false })).toBe(true);
    expect(keeps(earlier, {}, {})).toBe(false);
  });
});
