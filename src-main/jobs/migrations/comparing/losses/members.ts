/** @file Compares the members of source, archive and target: missing ones, changed roles and expiry dates. Pure. */
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import { joinNames } from '../../../../../src-contract/transfers/relation-members.ts';
import type { UncertainLosses } from './untimed-losses.ts';

/**
 * `accessLevel` is GitLab's number of the role, `expiresAt` the day of expiry. Each is null or absent if not reported;
 * `expiresAt` also if the membership has no expiry date.
 */
interface Membership {
  accessLevel?: number | null;
  expiresAt?: string | null;
}

/** A member with an account, in an archive. `line` is GitLab's `line_number`, which also counts invitations. */
export interface ArchivedMember extends Membership {
  line: number;
  username: string;
}

export interface ListedMember extends Membership {
  username: string;
  createdAt: number | null;
}

export interface Members {
  source: readonly ListedMember[] | null;
  archive: readonly ArchivedMember[];
  target: readonly ListedMember[] | null;
  /** Members missing from the target project who have an account there. */
  usernamesWithAccount: ReadonlySet<string>;
  /** Only an administrator's import adds members (gitlab-facts 7). */
  importedByAdministrator: boolean;
  /** True if the source was edited, or may have been edited, after its export began. */
  hasSourceChanged: boolean;
}

const relation = 'project_members';
const foldCase = (name: string): string => name.toLowerCase();

const missingMember = (title: string, lost: MissingRecord['lost'], line: number | null): MissingRecord => ({
  ...{ relation, lost, line, iid: null, title, part: null },
});

/**
 * Members added after the export are not losses. Members that only an administrator could import are declared instead.
 * If the source was edited after the export, differing roles and expiry dates of the archive are also declared, because
 * GitLab does not report when a membership changed.
 * @param exportedAt epoch milliseconds by the clock of the source.
 */
export function lostMembers(
  members: Members,
  exportedAt: number,
): { missing: MissingRecord[]; declared: string[]; uncertainLosses: UncertainLosses[] } {
  const { source, archive, target, usernamesWithAccount, importedByAdministrator, hasSourceChanged } =
    members;
  const archivedByName = new Map(archive.map((member) => [foldCase(member.username), member]));
  const targetByName = new Map(target?.map((member) => [foldCase(member.username), member]));
  const notArchived = (source ?? []).filter(({ username }) => !archivedByName.has(foldCase(username)));
  const withoutDate = notArchived.filter(({ createdAt }) => createdAt === null).length;
  const archivedDifferences = (source ?? []).flatMap((member): MissingRecord[] => {
    const found = archivedByName.get(foldCase(member.username));
    const isLater = member.createdAt !== null && member.createdAt >= exportedAt;
    return found === undefined || isLater ? [] : archiveDifferences(member, found);
  });
  const missing = [
    ...notArchived
      .filter(({ createdAt }) => createdAt !== null && createdAt < exportedAt)
      .map(({ username }) => missingMember(username, 'on-export', null)),
    ...(hasSourceChanged ? [] : archivedDifferences),
    ...(target === null || !importedByAdministrator ? [] : archive).flatMap((member): MissingRecord[] => {
      const { username, line } = member;
      const found = targetByName.get(foldCase(username));
      if (found !== undefined) return targetDifferences(member, found);
      return usernamesWithAccount.has(username) ? [missingMember(username, 'on-import', line)] : [];
    }),
  ];
  const uncertainLoss = { relation, candidateCount: withoutDate, lostCount: 0, namedCount: 0 };
  const changed = [...new Set(archivedDifferences.map(({ title }) => title ?? ''))];
  return {
    missing,
    declared: hasSourceChanged && changed.length > 0 ? [`${changedSince} ${joinNames(changed)}.`] : [],
    uncertainLosses: withoutDate === 0 ? [] : [uncertainLoss],
  };
}

const changedSince =
  'The source was edited, or may have been edited, after its export. These members have another role or expiry date on the source than in the archive:';

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

/** Returns one difference for a lower role, and one for another expiry date. */
function targetDifferences(archivedMember: ArchivedMember, found: ListedMember): MissingRecord[] {
  const lost = missingMember(archivedMember.username, 'on-import', archivedMember.line);
  const [archivedLevel, targetLevel] = [archivedMember.accessLevel ?? null, found.accessLevel ?? null];
  const [end, endNow] = [archivedMember.expiresAt ?? null, found.expiresAt ?? null];
  // A member with a higher role may have another membership, with its own expiry.
  const hasHigherRole = isLower(archivedLevel, targetLevel);
  return [
    ...(isLower(targetLevel, archivedLevel)
      ? [differing(lost, accessLevel, archivedLevel, targetLevel)]
      : []),
    ...(end === endNow || (end === null && hasHigherRole)
      ? []
      : [differing(lost, membershipEnd, end, endNow)]),
  ];
}

/**
 * Like `targetDifferences`, but for the archive, which also has inherited members. A higher inherited role has its own
 * expiry date.
 */
function archiveDifferences(source: ListedMember, archivedMember: ArchivedMember): MissingRecord[] {
  const lost = missingMember(archivedMember.username, 'on-export', archivedMember.line);
  const [sourceLevel, archived] = [source.accessLevel ?? null, archivedMember.accessLevel ?? null];
  const hasHigherRole = isLower(sourceLevel, archived);
  const [end, archivedEnd] = [source.expiresAt, archivedMember.expiresAt ?? null];
  return [
    ...(isLower(archived, sourceLevel) ? [differing(lost, accessLevel, sourceLevel, archived)] : []),
    ...(end === undefined || end === archivedEnd || hasHigherRole
      ? []
      : [differing(lost, membershipEnd, end, archivedEnd)]),
  ];
}

const isLower = (level: number | null, than: number | null): boolean =>
  level !== null && than !== null && level < than;

/** Returns sentences about absent members that do not count as lost, and about members whose arrival is unknown. */
export function describeMembers(members: Members): { declared: string[]; isUnproven: boolean } {
  const { archive, importedByAdministrator, target, usernamesWithAccount } = members;
  if (archive.length === 0) return { declared: [], isUnproven: false };
  if (target === null) {
    const arrivalText = `${archive.length === 1 ? 'the member' : `the ${archive.length} members`} of the archive arrived`;
    return {
      declared: [`The members of the target could not be listed, so it is not known whether ${arrivalText}.`],
      isUnproven: true,
    };
  }
  const targetUsernames = new Set(target.map(({ username }) => foldCase(username)));
  const absent = archive
    .map(({ username }) => username)
    .filter((name) => !targetUsernames.has(foldCase(name)));
  if (!importedByAdministrator) {
    const lacks = absent.length === 0 ? [] : [`The target lacks these members: ${joinNames(absent)}.`];
    return { declared: [noMembersImported, ...lacks], isUnproven: absent.length > 0 };
  }
  const unknown = absent.filter((name) => !usernamesWithAccount.has(name));
  if (unknown.length === 0) return { declared: [], isUnproven: false };
  return {
    declared: [
      `These members have no account on the target, so they were not imported: ${joinNames(unknown)}.`,
    ],
    isUnproven: true,
  };
}

const noMembersImported =
  'The account on the target is not an administrator, so GitLab imported no members and made the account the author of everything.';
