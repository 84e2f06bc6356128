import { describe, expect, it } from 'vitest';
import {
  describeUncomparedAvatar,
  differingAvatar,
  isUploadedAvatar,
  type AvatarSides,
} from '../../../../../src-main/jobs/migrations/comparing/avatar.ts';

const shown = (sha256: string | null) => ({ isSet: true, sha256 });
const none = { isSet: false, sha256: null };
const sidesOf = (sides: Partial<AvatarSides>): AvatarSides => ({
  ...{ source: shown('a'), archive: 'a', target: shown('a') },
  mayBeEdited: { source: false, target: false },
  ...sides,
});

describe('an avatar', () => {
  it.each([
    ['that the target lacks is lost on import', { target: none }, 'on-import', 'SHA-256 a', 'no avatar'],
    ['with another content is lost on import', { target: shown('b') }, 'on-import', 'SHA-256 a', 'SHA-256 b'],
    [
      'that the archive lacks is lost on export',
      { archive: null, source: shown(null), target: none },
      'on-export',
      'an avatar',
      'no avatar',
    ],
    ['with another content is lost on export', { source: shown('b') }, 'on-export', 'SHA-256 b', 'SHA-256 a'],
  ] as const)('%s', (_, sides, lost, expected, found) => {
    const difference = { relation: 'avatar', name: 'content', lost, expected, found, isCertain: true };
    expect(differingAvatar(sidesOf(sides))).toMatchObject([difference]);
    const mayBeEdited = { source: true, target: true };
    expect(differingAvatar(sidesOf({ ...sides, mayBeEdited }))).toMatchObject([{ isCertain: false }]);
  });

  it('is no loss if all sides have it, none has it, or it was removed from the source', () => {
    expect(differingAvatar(sidesOf({}))).toEqual([]);
    expect(differingAvatar(sidesOf({ source: none, archive: null, target: none }))).toEqual([]);
    expect(differingAvatar(sidesOf({ source: none }))).toEqual([]);
    expect(differingAvatar(sidesOf({ source: null }))).toEqual([]);
  });

  it('whose content an instance does not show is declared, not lost', () => {
    const sides = sidesOf({ source: shown(null), target: shown(null) });
    expect(differingAvatar(sides)).toEqual([]);
    expect(describeUncomparedAvatar(sides)).toEqual([
      expect.stringContaining('with source and target') as string,
    ]);
    expect(describeUncomparedAvatar(sidesOf({}))).toEqual([]);
  });

  it('that is an image of the repository is no uploaded one', () => {
    const urls = [
      'https://a.example/uploads/-/system/project/avatar/1/a.png',
      'https://a.example/a/b/-/avatar',
      null,
    ];
    expect(urls.map(isUploadedAvatar)).toEqual([true, false, false]);
  });
});
