/** @file Compares the role and the end of a membership, or of an invitation to one. Pure. */
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import { roleText } from '../../../../../src-contract/words/roles.ts';
import { accessLevels } from '../../access-levels.ts';
import { sentenceAbout } from '../sentence-about.ts';

/**
 * `accessLevel` is GitLab's number of the role, `expiresAt` the day of expiry. Each is null or absent if not reported;
 * `expiresAt` also if the membership has no expiry date.
 */
export interface Membership {
  accessLevel?: number | null;
  expiresAt?: string | null;
}

type FieldValue = string | number | null;
const differing = (
  lost: MissingRecord,
  name: string,
  expected: FieldValue,
  found: FieldValue,
): MissingRecord => ({
  ...lost,
  part: { name, values: { expected: String(expected ?? ''), found: String(found ?? '') } },
});
const accessLevel = 'access level';
const membershipEnd = 'end of the membership';

/** The highest role that an import gives in a project (gitlab-facts 7). */
const maxImportedLevel = accessLevels.maintainer;

/**
 * Returns one difference for a lower role than the import gives, and one for another expiry date.
 * @param lost the record without a part.
 */
export function differencesFromTarget(
  lost: MissingRecord,
  archived: Membership,
  found: Membership,
): MissingRecord[] {
  const targetLevel = found.accessLevel ?? null;
  const importedLevel =
    typeof archived.accessLevel === 'number' ? Math.min(archived.accessLevel, maxImportedLevel) : null;
  const [end, endNow] = [archived.expiresAt ?? null, found.expiresAt ?? null];
  // A member with a higher role may have another membership, with its own expiry.
  return [
    ...(isLower(targetLevel, importedLevel)
      ? [differing(lost, accessLevel, importedLevel, targetLevel)]
      : []),
    ...(end === endNow || (end === null && hasHigherRole(archived, found))
      ? []
      : [differing(lost, membershipEnd, end, endNow)]),
  ];
}

/** A member or an invitation of the source. `createdAt` is in epoch milliseconds; null if not reported. */
interface ListedMembership extends Membership {
  createdAt: number | null;
}

export interface ComparedMemberships<T> {
  /** Those that are older than the export, and that the archive lacks. */
  lost: T[];
  /** Number of those that the archive lacks, and that may be newer than the export. */
  undatedCount: number;
  /** Those with another role or expiry date in the archive, which are not newer than the export. */
  changed: T[];
}

/**
 * Compares the members or invitations of the source with the archive.
 * @param exportedAt epoch milliseconds by the clock of the source.
 */
export function compareWithArchive<T extends ListedMembership>(
  source: readonly T[],
  findArchived: (membership: T) => Membership | undefined,
  exportedAt: number,
): ComparedMemberships<T> {
  const notArchived = source.filter((membership) => findArchived(membership) === undefined);
  return {
    lost: notArchived.filter(({ createdAt }) => createdAt !== null && createdAt < exportedAt),
    undatedCount: notArchived.filter(({ createdAt }) => createdAt === null).length,
    changed: source.filter((membership) => {
      const found = findArchived(membership);
      const isLater = membership.createdAt !== null && membership.createdAt >= exportedAt;
      return found !== undefined && !isLater && differsFromArchive(membership, found);
    }),
  };
}

/** Returns a sentence about members or invitations of the source that differ from the archive. */
export const describeChanged = (noun: 'members' | 'invitations', names: readonly string[]): string[] =>
  sentenceAbout(
    `These ${noun} have another role or expiry date on the source than in the archive. They may have changed after the export, because GitLab does not report when, so it is not known whether the export lost them`,
    names,
  );

/**
 * Returns whether the archive has a lower role, or another expiry date. The archive also has inherited members, and a
 * higher inherited role has its own expiry date.
 */
function differsFromArchive(source: Membership, archived: Membership): boolean {
  const [sourceLevel, archivedLevel] = [source.accessLevel ?? null, archived.accessLevel ?? null];
  const hasOtherEnd = source.expiresAt !== undefined && source.expiresAt !== (archived.expiresAt ?? null);
  return isLower(archivedLevel, sourceLevel) || (hasOtherEnd && !isLower(sourceLevel, archivedLevel));
}

export interface LimitedRoles<T extends Membership> {
  /** Those of the archive. */
  archive: readonly T[];
  /** Returns the same person on the source; null if the source was not read, undefined without a direct membership. */
  onSource: (archived: T) => Membership | null | undefined;
  onTarget: (archived: T) => Membership | undefined;
  nameOf: (archived: T) => string;
}

/**
 * Returns a sentence on roles that are higher than an import gives, if the person has the highest one on the target
 * that an import gives. A lower one is a loss. An archive also has the members of groups, who keep their role in the
 * groups. If the source shows who has the role in the project itself, only these are named.
 * @param subject those who have the roles, such as `members`.
 */
export function describeLimitedRoles<T extends Membership>(
  subject: string,
  { archive, onSource, onTarget, nameOf }: LimitedRoles<T>,
): string[] {
  const limited = archive.filter((archived) => {
    const listed = onSource(archived);
    if (listed === undefined || onTarget(archived)?.accessLevel !== maxImportedLevel) return false;
    const level = archived.accessLevel ?? null;
    return [listed?.accessLevel ?? level, level].every((expected) => isLower(maxImportedLevel, expected));
  });
  const highest = roleText(maxImportedLevel);
  const text = `An import gives ${subject} at most the role ${highest}. These have a higher one in the archive than on the target`;
  return sentenceAbout(text, limited.map(nameOf));
}

/** Returns whether a member of the target has a higher role than the archive gives. */
export const hasHigherRole = (archived: Membership, found: Membership): boolean =>
  isLower(archived.accessLevel ?? null, found.accessLevel ?? null);

const isLower = (level: number | null, than: number | null): boolean =>
  level !== null && than !== null && level < than;
