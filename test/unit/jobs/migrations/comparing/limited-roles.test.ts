import { describe, expect, it } from 'vitest';
import {
  lostMembers,
  type ArchivedMember,
  type ListedMember,
  type Members,
} from '../../../../../src-main/jobs/migrations/comparing/people/members.ts';
import { partWords } from '../../../../support/migrations/part-words.ts';

const [owner, maintainer, developer] = [50, 40, 30];
const archived = (line: number, username: string, accessLevel: number): ArchivedMember => ({
  ...{ line, username, userId: line, email: `${username}@example.com`, accessLevel, expiresAt: null },
});
const listed = (userId: number, username: string, accessLevel: number | null): ListedMember => ({
  ...{ username, userId, email: `${username}@example.com`, accessLevel, expiresAt: null, createdAt: 1 },
});

/** The Owners root and mel of the group are members in the archive, but not direct members of the source. */
const members: Members = {
  source: [listed(1, 'dev', developer)],
  archive: [archived(1, 'dev', developer), archived(2, 'root', owner), archived(3, 'mel', owner)],
  target: [listed(12, 'root', maintainer), listed(11, 'dev', developer), listed(13, 'mel', maintainer)],
  usernamesWithAccount: new Set(),
  account: 'root',
  importedByAdministrator: true,
};
const compare = (changes: Partial<Members> = {}) => lostMembers({ ...members, ...changes }, 100);
const limited = (names: string) => [
  `An import gives members at most the role Maintainer. These have a higher one in the archive than on the target: ${names}.`,
];

describe('Owners of the archive, who become Maintainers on import', () => {
  it('lose nothing if they are Owners of the group only', () => {
    expect(compare()).toEqual({ missing: [], declared: [], remarks: [], uncertainLosses: [] });
  });

  it('are named if they are Owners of the project itself, and lose nothing', () => {
    const source = [...(members.source ?? []), listed(3, 'mel', owner)];
    expect(compare({ source })).toEqual({
      ...{ missing: [], declared: [], uncertainLosses: [], remarks: limited('mel') },
    });
    expect(compare({ source: [listed(3, 'renamed', null)] }).remarks).toEqual(limited('mel'));
    expect(compare({ source: [listed(3, 'mel', developer)] }).remarks).toEqual([]);
  });

  it('are all named if the source was not read', () => {
    const { missing, declared, remarks } = compare({ source: null });
    expect([missing, declared]).toEqual([[], []]);
    expect(remarks).toEqual(limited('root, mel'));
  });

  it('are not named if the target has them as Owners, or an import that is no administrator’s brought none', () => {
    const target = members.target?.map((member) => ({ ...member, accessLevel: owner })) ?? [];
    expect(compare({ source: null, target }).remarks).toEqual([]);
    expect(compare({ source: null, importedByAdministrator: false }).remarks).toEqual([]);
  });

  it('lost a role if the target gives them less than Maintainer', () => {
    const target = [listed(11, 'dev', developer), listed(13, 'mel', developer)];
    const { missing, remarks } = compare({ target, source: [listed(3, 'mel', owner)] });
    expect(remarks).toEqual([]);
    expect(missing).toMatchObject([{ lost: 'on-import', line: 3, title: 'mel' }]);
    expect(missing.map(partWords)).toEqual(['access level 40 30']);
  });
});
