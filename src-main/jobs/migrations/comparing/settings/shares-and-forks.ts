/**
 * @file Names the groups that have less access to the target than to the source, and a fork relation that the target
 * does not show. No export contains either (gitlab-facts 7), so neither is a loss. An account sees only the groups and
 * origins that it may read (gitlab-facts 14.1). Pure.
 */
import { roleText } from '../../../../../src-contract/words/roles.ts';
import { dayOf } from '../../../../platform/clock.ts';
import { isFields, listOf, type Fields } from '../contents/field-readers.ts';
import { foldCase } from '../people/member-identity.ts';
import { sentenceAbout } from '../sentence-about.ts';
import type { Attributes } from './setting-table.ts';

/** Nothing else says which groups lose access, so a comparison names all that GitLab lists. */
const maxNamedGroups = 1000;

/** Compares attributes of both projects. Groups are the same if they have the same full path on both instances. */
export function describeSharesAndForks(source: Attributes, target: Attributes): string[] {
  const onTarget = new Map(sharesOf(target).map((share) => [foldCase(share.path), share]));
  const lacking = sharesOf(source).flatMap((share) => {
    const found = onTarget.get(foldCase(share.path));
    if (found === undefined) return [nameOf(share)];
    const isLess = found.level < share.level || endsEarlier(found, share);
    return isLess ? [`${nameOf(share)}, and on the target ${roleOf(found)}`] : [];
  });
  const [origin, originOfTarget] = [originOf(source), originOf(target)];
  return [
    ...sentenceAbout(
      'An export does not contain the groups that the project is shared with, so share the target with them if they need access',
      lacking,
      maxNamedGroups,
    ),
    ...(origin === null || foldCase(origin) === foldCase(originOfTarget ?? '')
      ? []
      : [
          `An export does not contain the fork relation: the source is a fork of ${origin}, and the target ${originOfTarget === null ? 'shows no fork relation' : `is a fork of ${originOfTarget}`}.`,
        ]),
  ];
}

interface Share {
  path: string;
  level: number;
  /** The last day of the access; null without one. */
  expiresAt: string | null;
}

const endsEarlier = ({ expiresAt: end }: Share, { expiresAt: otherEnd }: Share): boolean =>
  end !== null && (otherEnd === null || end < otherEnd);

/** Newer versions of GitLab show only groups that the account may see (gitlab-facts 14.1). */
const sharesOf = ({ shared_with_groups: groups }: Attributes): Share[] =>
  (listOf(groups) ?? []).flatMap((group: Fields) => {
    const { group_full_path: path, group_access_level: level, expires_at: end } = group;
    if (typeof path !== 'string' || typeof level !== 'number') return [];
    return [{ path, level, expiresAt: typeof end === 'string' ? dayOf(end) : null }];
  });

const roleOf = ({ level, expiresAt }: Share): string =>
  `${roleText(level)}${expiresAt === null ? '' : ` until ${expiresAt}`}`;
const nameOf = (share: Share): string => `${share.path} (${roleOf(share)})`;

/** Returns the path of the project that the project was forked from; null if the project shows none. */
function originOf({ forked_from_project: origin }: Attributes): string | null {
  const path = isFields(origin) ? origin['path_with_namespace'] : null;
  return typeof path === 'string' ? path : null;
}
