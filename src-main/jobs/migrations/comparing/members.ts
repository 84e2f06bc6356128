/** @file Compares the members of source, archive and target: missing ones, changed roles and expiry dates. Pure. */
import type { MissingRecord } from '../../../../src-contract/transfers/import.ts';
import { firstNames } from '../../../../src-contract/transfers/relation-members.ts';
import type { UncertainLosses } from './untimed-losses.ts';

/**
 * `level` is GitLab's number of the role, `expiresAt` the day of expiry. Each is null or absent if it is not reported;
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
  sourceEdited: boolean;
}

const relation = 'project_members';
const folded = (name: string): string => name.toLowerCase();

const named = (title: string, lost: MissingRecord['lost'], line: number | null): MissingRecord => ({
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
): { missing: MissingRecord[]; declared: string[]; doubts: UncertainLosses[] } {
  const { source, archive, target, usernamesWithAccount, importedByAdministrator, sourceEdited } = members;
  const held = new Map(archive.map((member) => [folded(member.username), member]));
  const there = new Map(target?.map((member) => [folded(member.username), member]));
  const unheld = (source ?? []).filter(({ username }) => !held.has(folded(username)));
  const untimed = unheld.filter(({ createdAt }) => createdAt === null).length;
  const lessArchived = (source ?? []).flatMap((member): MissingRecord[] => {
    const found = held.get(folded(member.username));
    const isLater = member.createdAt !== null && member.createdAt >= exportedAt;
    return found === undefined || isLater ? [] : lessInArchive(member, found);
  });
  const missing = [
    ...unheld
      .filter(({ createdAt }) => createdAt !== null && createdAt < exportedAt)
      .map(({ username }) => named(username, 'on-export', null)),
    ...(sourceEdited ? [] : lessArchived),
    ...(target === null || !importedByAdministrator ? [] : archive).flatMap((member): MissingRecord[] => {
      const { username, line } = member;
      const found = there.get(folded(username));
      if (found !== undefined) return lessOnTarget(member, found);
      return usernamesWithAccount.has(username) ? [named(username, 'on-import', line)] : [];
    }),
  ];
  const doubt = { relation, candidates: untimed, lost: 0, named: 0 };
  const changed = [...new Set(lessArchived.map(({ title }) => title ?? ''))];
  return {
    missing,
    declared: sourceEdited && changed.length > 0 ? [`${changedSince} ${firstNames(changed)}.`] : [],
    doubts: untimed === 0 ? [] : [doubt],
  };
}

const changedSince =
  'The source was edited, or may have been edited, after its export. These members have another role or expiry date on the source than in the archive:';

const part = (lost: MissingRecord, name: string): MissingRecord => ({
  ...lost,
  part: { name, expected: 1, found: 0 },
});

/** Returns one part for a lower role, and one for a membership that ends on another day. */
function lessOnTarget(held: ArchivedMember, found: ListedMember): MissingRecord[] {
  const lost = named(held.username, 'on-import', held.line);
  const [before, now] = [held.accessLevel ?? null, found.accessLevel ?? null];
  const [end, endNow] = [held.expiresAt ?? null, found.expiresAt ?? null];
  // A member with a higher role may have another membership, with its own expiry.
  const isOther = isLower(before, now);
  return [
    ...(isLower(now, before) ? [part(lost, `access level ${before}, now ${now}`)] : []),
    ...(end === endNow || (end === null && isOther)
      ? []
      : [part(lost, `end of the membership ${dayText(end)}, now ${dayText(endNow)}`)]),
  ];
}

/**
 * Like `lessOnTarget`, but for the archive, which also holds inherited members. A higher inherited role has its own
 * expiry date.
 */
function lessInArchive(source: ListedMember, held: ArchivedMember): MissingRecord[] {
  const lost = named(held.username, 'on-export', held.line);
  const [before, archived] = [source.accessLevel ?? null, held.accessLevel ?? null];
  const isOther = isLower(before, archived);
  const [end, archivedEnd] = [source.expiresAt, held.expiresAt ?? null];
  return [
    ...(isLower(archived, before) ? [part(lost, `access level ${before}, archived as ${archived}`)] : []),
    ...(end === undefined || end === archivedEnd || isOther
      ? []
      : [part(lost, `end of the membership ${dayText(end)}, archived as ${dayText(archivedEnd)}`)]),
  ];
}

const isLower = (level: number | null, than: number | null): boolean =>
  level !== null && than !== null && level < than;

const dayText = (day: string | null): string => (day === null ? 'never' : `on ${day}`);

/** Returns sentences about absent members that do not count as lost, and about members whose arrival is unknown. */
export function describeMembers(members: Members): { declared: string[]; isUnproven: boolean } {
  const { archive, importedByAdministrator, target, usernamesWithAccount } = members;
  if (archive.length === 0) return { declared: [], isUnproven: false };
  if (target === null) {
    const whether = `${archive.length === 1 ? 'the member' : `the ${archive.length} members`} of the archive arrived`;
    return {
      declared: [`The members of the target could not be listed, so it is not known whether ${whether}.`],
      isUnproven: true,
    };
  }
  const there = new Set(target.map(({ username }) => folded(username)));
  const absent = archive.map(({ username }) => username).filter((name) => !there.has(folded(name)));
  if (!importedByAdministrator) {
    const lacks = absent.length === 0 ? [] : [`The target lacks these members: ${firstNames(absent)}.`];
    return { declared: [broughtNone, ...lacks], isUnproven: absent.length > 0 };
  }
  const unknown = absent.filter((name) => !usernamesWithAccount.has(name));
  if (unknown.length === 0) return { declared: [], isUnproven: false };
  return {
    declared: [
      `These members have no account on the target, so they were not imported: ${firstNames(unknown)}.`,
    ],
    isUnproven: true,
  };
}

const broughtNone =
  'The account on the target is not an administrator, so GitLab imported no members and made the account the author of everything.';
