/** @file Compares the members of source, archive and target: missing ones, changed roles and expiry dates. Pure. */
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import { finderByEmail, finderById, type Person } from './member-identity.ts';
import {
  compareWithArchive,
  describeChanged,
  describeLimitedRoles,
  differencesFromTarget,
  hasHigherRole,
  type Membership,
} from './memberships.ts';
import { sentenceAbout } from '../sentence-about.ts';
import type { UncertainLosses } from '../losses/untimed-losses.ts';

/** A member with an account, in an archive. `line` is GitLab's `line_number`, which also counts invitations. */
export interface ArchivedMember extends Person, Membership {
  line: number;
}

export interface ListedMember extends Person, Membership {
  createdAt: number | null;
}

export interface Members {
  source: readonly ListedMember[] | null;
  archive: readonly ArchivedMember[];
  target: readonly ListedMember[] | null;
  /** Members missing from the target project who have an account there. */
  usernamesWithAccount: ReadonlySet<string>;
  /** The username of the account on the target, which an import makes a Maintainer or Owner. */
  account: string;
  /** Only an administrator's import adds members (gitlab-facts 7). */
  importedByAdministrator: boolean;
}

const relation = 'project_members';

const missingMember = (title: string, lost: MissingRecord['lost'], line: number | null): MissingRecord => ({
  ...{ relation, lost, line, iid: null, title, part: null },
});

/**
 * Members added after the export are not losses. Members that only an administrator could import are declared instead.
 * Roles and expiry dates of the source that differ from the archive are also declared, because GitLab does not report
 * when a membership changed, and records no activity. `remarks` has sentences that leave nothing unknown.
 * @param exportedAt epoch milliseconds by the clock of the source.
 */
export function lostMembers(
  members: Members,
  exportedAt: number,
): { missing: MissingRecord[]; declared: string[]; remarks: string[]; uncertainLosses: UncertainLosses[] } {
  const { source, archive, target, usernamesWithAccount, importedByAdministrator } = members;
  const findArchived = finderById(archive);
  const findOnSource = finderById(source ?? []);
  const findOnTarget = finderByEmail(target ?? []);
  const { lost, changed, undatedCount } = compareWithArchive(source ?? [], findArchived, exportedAt);
  const missing = [
    ...lost.map(({ username }) => missingMember(username, 'on-export', null)),
    ...(target === null || !importedByAdministrator ? [] : archive).flatMap((member): MissingRecord[] => {
      const { username, line } = member;
      const found = findOnTarget(member);
      if (found !== undefined)
        return differencesFromTarget(missingMember(username, 'on-import', line), member, found);
      return usernamesWithAccount.has(username) ? [missingMember(username, 'on-import', line)] : [];
    }),
  ];
  const uncertainLoss = { relation, candidateCount: undatedCount, lostCount: 0, namedCount: 0 };
  const raised = importedByAdministrator ? raisedMembers(members) : [];
  return {
    missing,
    declared: [
      ...describeChanged('members', changed.map(nameOf)),
      ...sentenceAbout(raisedText, raised.map(nameOf)),
    ],
    remarks: importedByAdministrator
      ? describeLimitedRoles('members', {
          archive,
          onSource: source === null ? () => null : findOnSource,
          onTarget: findOnTarget,
          nameOf,
        })
      : [],
    uncertainLosses: undatedCount === 0 ? [] : [uncertainLoss],
  };
}

const nameOf = ({ username }: Person): string => username;

const raisedText =
  'These members have a higher role on the target than in the archive. GitLab does not report when a role changed, so it is not known whether the import raised it';

/**
 * Returns the members of the target with a higher role than in the archive. The list of members leaves out inherited roles.
 * An archive may have a person twice, because exports contain the members of groups, too.
 */
function raisedMembers({ archive, target, account }: Members): ListedMember[] {
  const findOnTarget = finderByEmail(target ?? []);
  const archivedByMember = Map.groupBy(archive, findOnTarget);
  return (target ?? []).filter((member) => {
    const archived = archivedByMember.get(member) ?? [];
    const isRaised = archived.length > 0 && archived.every((one) => hasHigherRole(one, member));
    return isRaised && member.username !== account;
  });
}

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
  const findOnTarget = finderByEmail(target);
  const absent = archive
    .filter((member) => findOnTarget(member) === undefined)
    .map(({ username }) => username);
  if (!importedByAdministrator) {
    const lacks = sentenceAbout('The target lacks these members', absent);
    return { declared: [noMembersImported, ...lacks], isUnproven: absent.length > 0 };
  }
  const unknown = absent.filter((name) => !usernamesWithAccount.has(name));
  return {
    declared: sentenceAbout(
      'These members have no account on the target, so they were not imported',
      unknown,
    ),
    isUnproven: unknown.length > 0,
  };
}

const noMembersImported =
  'The account on the target is not an administrator, so GitLab imported no members and made the account the author of everything.';
