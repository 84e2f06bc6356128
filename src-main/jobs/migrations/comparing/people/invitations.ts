/**
 * @file Compares the invitations of source, archive and target: missing ones, lower roles and other expiry dates. An accepted
 * invitation is the same row of GitLab as before, and thereafter a member with the same time. Pure.
 */
import { dayMs } from '../../../../../src-contract/bounds.ts';
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import { lossKey } from '../losses/loss-key.ts';
import type { UncertainLosses } from '../losses/untimed-losses.ts';
import type { ListedMember } from './members.ts';
import { foldCase } from './member-identity.ts';
import {
  compareWithArchive,
  describeChanged,
  describeLimitedRoles,
  differencesFromTarget,
  type Membership,
} from './memberships.ts';
import { sentenceAbout } from '../sentence-about.ts';

/** `createdAt` is in epoch milliseconds; null if not reported. */
export interface Invitation extends Membership {
  email: string;
  createdAt: number | null;
}

/** `line` is GitLab's line of `project_members`, which has invitations and members. */
export interface ArchivedInvitation extends Invitation {
  line: number;
}

export interface Invitations {
  /** Null if they could not be listed; empty if the source was not read. Likewise `target`. */
  source: readonly Invitation[] | null;
  membersOfSource: readonly ListedMember[];
  archive: readonly ArchivedInvitation[];
  target: readonly Invitation[] | null;
  /** Members of the target whom the archive does not have, because some may have accepted; null if they are not known. */
  addedMembers: readonly ListedMember[] | null;
  /** Only an administrator's import adds invitations (gitlab-facts 7). */
  importedByAdministrator: boolean;
  knownLosses: readonly MissingRecord[];
}

export interface InvitationTimes {
  /** Epoch milliseconds by the clock of the source. */
  exportedAt: number;
  /** Epoch milliseconds. */
  comparedAt: number;
  /** True if nobody is expected to have answered or changed an invitation since the import. */
  isPrompt: boolean;
}

export interface ComparedInvitations {
  missing: MissingRecord[];
  declared: string[];
  /** Sentences that leave nothing unknown. */
  remarks: string[];
  uncertainLosses: UncertainLosses[];
  /**
   * Members of the source who were invited before the export and accepted later. The archive has their invitations, so the
   * export did not lose them.
   */
  acceptedOnSource: ReadonlySet<ListedMember>;
  /** True if it is not known whether the invitations arrived on the target. */
  isUnproven: boolean;
}

/** The name of the list, for users. */
export const invitationList = 'invitations';
const relation = 'project_members';
const titleStart = 'invitation of ';

/** Returns the name of the list that shows a lost record. An archive has invitations among its members. */
export const listShowing = (loss: { relation: string; title?: string | null }): string =>
  loss.relation === relation && loss.title?.startsWith(titleStart) === true ? invitationList : loss.relation;

const missingInvitation = (
  email: string,
  lost: MissingRecord['lost'],
  line: number | null,
): MissingRecord => ({
  ...{ relation, lost, line, iid: null, title: `${titleStart}${email}`, part: null },
});

export function compareInvitations(sides: Invitations, times: InvitationTimes): ComparedInvitations {
  const exported = comparedWithSource(sides, times.exportedAt);
  const imported = comparedWithTarget(sides, times);
  return {
    missing: [...exported.missing, ...imported.missing],
    declared: [...exported.declared, ...imported.declared],
    remarks: [...exported.remarks, ...imported.remarks],
    uncertainLosses: exported.uncertainLosses,
    acceptedOnSource: exported.acceptedOnSource,
    isUnproven: imported.isUnproven,
  };
}

/**
 * Invitations are sent again as new ones, so one that is older than the export and that the archive lacks was lost. GitLab
 * does not report when a role or an expiry date changed.
 */
function comparedWithSource({ source, archive, membersOfSource }: Invitations, exportedAt: number) {
  const findArchived = finderOf(archive, source ?? []);
  const { lost, changed, undatedCount } = compareWithArchive(source ?? [], findArchived, exportedAt);
  const findOnSource = finderOf(source ?? [], archive);
  const answered = archive.filter((invitation) => findOnSource(invitation) === undefined);
  const accepted = acceptances(answered, membersOfSource, isSameRow);
  return {
    acceptedOnSource: new Set(accepted.values()),
    remarks: sentenceAbout(
      'These invitations of the archive have since been accepted on the source, so their people are members there',
      [...accepted.keys()].map(emailOf),
    ),
    missing: lost.map(({ email }) => missingInvitation(email, 'on-export', null)),
    declared: describeChanged('invitations', changed.map(emailOf)),
    uncertainLosses:
      undatedCount === 0
        ? []
        : [{ relation: invitationList, candidateCount: undatedCount, lostCount: 0, namedCount: 0 }],
  };
}

function comparedWithTarget(
  { archive, target, addedMembers, importedByAdministrator, knownLosses }: Invitations,
  { comparedAt, isPrompt }: InvitationTimes,
): Omit<ComparedInvitations, 'uncertainLosses' | 'acceptedOnSource'> {
  const nothing = { missing: [], declared: [], remarks: [], isUnproven: false };
  if (archive.length === 0) return nothing;
  if (target === null) {
    const text =
      'The invitations of the target could not be listed, so it is not known whether these arrived';
    return { ...nothing, declared: sentenceAbout(text, archive.map(emailOf)), isUnproven: true };
  }
  const findOnTarget = finderOf(target, archive);
  const absent = archive.filter((invitation) => findOnTarget(invitation) === undefined);
  if (!importedByAdministrator) {
    const text =
      'The account on the target is not an administrator, so GitLab imported no invitations. The target lacks these invitations';
    return { ...nothing, declared: sentenceAbout(text, absent.map(emailOf)), isUnproven: absent.length > 0 };
  }
  // An administrator may also have added the invited person as a member.
  const accepted = acceptances(
    absent,
    addedMembers ?? [],
    (...pair) => isSamePerson(...pair) || isSameRow(...pair),
  );
  const unanswered = absent.filter((invitation) => !accepted.has(invitation));
  const isEnded = ({ expiresAt = null }: Invitation): boolean =>
    // GitLab's day may begin earlier than that of UTC.
    expiresAt !== null && Date.parse(expiresAt) <= comparedAt + dayMs;
  const known = new Set(knownLosses.map(lossKey));
  const isLoss = (loss: MissingRecord): boolean =>
    known.has(lossKey(loss)) || (isPrompt && (loss.part !== null || addedMembers !== null));
  const differences = archive.flatMap((invitation) => {
    const loss = missingInvitation(invitation.email, 'on-import', invitation.line);
    const found = findOnTarget(invitation);
    const isMissing = unanswered.includes(invitation) && !isEnded(invitation);
    if (found === undefined) return isMissing ? [{ invitation, loss }] : [];
    return differencesFromTarget(loss, invitation, found).map((part) => ({ invitation, loss: part }));
  });
  const uncertain = differences.filter(({ loss }) => !isLoss(loss)).map(({ invitation }) => invitation);
  return {
    missing: differences.map(({ loss }) => loss).filter(isLoss),
    remarks: [
      ...sentenceAbout(
        'These invitations of the archive have since been accepted on the target, so their people are members there',
        [...accepted.keys()].map(emailOf),
      ),
      ...describeLimitedRoles('invitations', {
        archive,
        onSource: () => null,
        onTarget: findOnTarget,
        nameOf: emailOf,
      }),
    ],
    declared: [
      ...sentenceAbout(
        'The target lacks these invitations, which have expired or expire today. GitLab does not import expired invitations and removes them, so it is not known whether the import lost them',
        unanswered.filter(isEnded).map(emailOf),
      ),
      ...sentenceAbout(
        'The target lacks these invitations, or they have another role or expiry date there. They may have been answered, changed or withdrawn after the import, because GitLab does not report when, so it is not known whether the import lost them',
        uncertain.map(emailOf),
      ),
    ],
    isUnproven: false,
  };
}

/** Returns the archived invitations that the target lacks, and their parts that are different there. */
export function differingInvitations(
  archive: readonly ArchivedInvitation[],
  target: readonly Invitation[],
): MissingRecord[] {
  const findOnTarget = finderOf(target, archive);
  return archive.flatMap((invitation) => {
    const loss = missingInvitation(invitation.email, 'on-import', invitation.line);
    const found = findOnTarget(invitation);
    return found === undefined ? [loss] : differencesFromTarget(loss, invitation, found);
  });
}

/** Pairs invitations with the members that they became: each member with one of them. */
function acceptances(
  invitations: readonly Invitation[],
  members: readonly ListedMember[],
  isAcceptance: (invitation: Invitation, member: ListedMember) => boolean,
): Map<Invitation, ListedMember> {
  const left = new Set(members);
  return new Map(
    invitations.flatMap((invitation): [Invitation, ListedMember][] => {
      const found = [...left].find((member) => isAcceptance(invitation, member));
      if (found === undefined) return [];
      left.delete(found);
      return [[invitation, found]];
    }),
  );
}

const emailOf = ({ email }: Invitation): string => email;
const isSameRow = (invitation: Invitation, member: ListedMember): boolean =>
  invitation.createdAt !== null && invitation.createdAt === member.createdAt;
const isSamePerson = ({ email }: Invitation, member: ListedMember): boolean =>
  foldCase(member.email ?? '') === foldCase(email);

/**
 * Finds an invitation by its address, in any case unless `others` contains the address in that case: GitLab may have
 * both.
 */
function finderOf<T extends Invitation>(
  invitations: readonly T[],
  others: readonly Invitation[],
): (invitation: Invitation) => T | undefined {
  const otherEmails = new Set(others.map(({ email }) => email));
  const exact = new Map(invitations.map((invitation) => [invitation.email, invitation]));
  const inAnyCase = new Map(
    invitations
      .filter(({ email }) => !otherEmails.has(email))
      .map((invitation) => [foldCase(invitation.email), invitation]),
  );
  return ({ email }) => exact.get(email) ?? inAnyCase.get(foldCase(email));
}
