/** @file Compares the avatar of a project on source, archive and target. Pure. */
import type { ContentDifference } from './contents/content-differences.ts';

/** The avatar that an instance shows. */
export interface ShownAvatar {
  isSet: boolean;
  /** Null without an avatar, or if its content was not read. */
  sha256: string | null;
}

export interface AvatarSides {
  /** Null if the source was not read. */
  source: ShownAvatar | null;
  /** The SHA-256 of the avatar in the archive; null without one. */
  archive: string | null;
  target: ShownAvatar;
  /** True if the source may have been edited since the export, or the target since the import. */
  mayBeEdited: { source: boolean; target: boolean };
}

/**
 * Returns whether the project has an uploaded avatar, by its `avatar_url`. Without an uploaded one, GitLab shows an image of
 * the repository, at an address of its own.
 */
export const isUploadedAvatar = (url: unknown): boolean =>
  typeof url === 'string' && url !== '' && !url.endsWith('/avatar');

/** An avatar that only the target or only the archive has is no loss. */
export function differingAvatar({ source, archive, target, mayBeEdited }: AvatarSides): ContentDifference[] {
  const difference = (
    lost: ContentDifference['lost'],
    [before, after]: readonly [before: ShownAvatar, after: ShownAvatar],
    isCertain: boolean,
  ): ContentDifference => ({
    ...{ relation: 'avatar', record: { line: null, iid: null, title: null }, lost, isCertain },
    ...{ name: 'content', expected: textOf(before), found: textOf(after) },
  });
  const archived: ShownAvatar = { isSet: archive !== null, sha256: archive };
  const isLost = (before: ShownAvatar, after: ShownAvatar): boolean => {
    const isRead = before.sha256 !== null && after.sha256 !== null;
    return before.isSet && (!after.isSet || (isRead && before.sha256 !== after.sha256));
  };
  return [
    ...(isLost(archived, target) ? [difference('on-import', [archived, target], !mayBeEdited.target)] : []),
    ...(source !== null && isLost(source, archived)
      ? [difference('on-export', [source, archived], !mayBeEdited.source)]
      : []),
  ];
}

const textOf = ({ isSet, sha256 }: ShownAvatar): string =>
  !isSet ? 'no avatar' : sha256 === null ? 'an avatar' : `SHA-256 ${sha256}`;

export function describeUncomparedAvatar({ source, archive, target }: AvatarSides): string[] {
  const isUnread = (side: ShownAvatar | null): boolean => side?.isSet === true && side.sha256 === null;
  const sides = [...(isUnread(source) ? ['source'] : []), ...(isUnread(target) ? ['target'] : [])];
  return archive === null || sides.length === 0
    ? []
    : [
        `The content of the avatar was not compared with ${sides.join(' and ')}, because GitLab shows it only since 16.9.`,
      ];
}
