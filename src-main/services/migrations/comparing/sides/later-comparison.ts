/** @file Decides which lists a comparison reads: losses of an earlier one that it cannot check stay open. */
import { commitNotes } from '../../../../../src-contract/relations.ts';
import type { LaterComparison } from '../../../../jobs/migrations/comparing/losses/known-losses.ts';
import { lfsObjects } from '../../../../jobs/migrations/comparing/lfs-objects.ts';
import { invitationList } from '../../../../jobs/migrations/comparing/people/invitations.ts';
import { hasValue } from '../../../../jobs/migrations/comparing/settings/setting-table.ts';
import { wiki } from '../../../../jobs/migrations/comparing/wiki.ts';
import { hiddenIssues } from './checked-lists.ts';
import { isSourceEdited } from './compare-sides.ts';
import type { Sides } from './compared-sides.ts';
import type { SourceSide, TargetSide } from './fetching-sides.ts';

/**
 * Returns what a comparison of these sides can check.
 * @param changedSince when the source was changed after its export; null if not changed, or unknown.
 */
export function toLaterComparison(sides: Sides, changedSince: number | null): LaterComparison {
  const { source, target, archiveRecords } = sides;
  return {
    wasReadFromSource: (list) =>
      source !== null &&
      // The settings of an edited source are not compared.
      (list === 'settings' ? !isSourceEdited(sides, changedSince) : isRead(listsOf(source), list)),
    // Pages of a wiki are compared with the source.
    wasReadFromTarget: (list) =>
      list === wiki
        ? (source?.wikiPages ?? null) !== null && target.wikiPages !== null
        : isRead({ ...listsOf(target), [lfsObjects]: target.lfsObjects }, list),
    hasTargetSetting: (attribute, value) => hasValue(target.details.attributes, attribute, value),
    hidden: hiddenIssues({ archiveRecords, target }),
  };
}

/** A list that a side does not know, such as one that a later version added, was not read. */
const isRead = (lists: Record<string, unknown>, list: string): boolean => (lists[list] ?? null) !== null;

const listsOf = ({
  listed,
  members,
  invitations,
  uploads,
  protectedRefs,
  wikiPages,
  avatar,
  comparedNotes,
}: SourceSide | TargetSide): Record<string, unknown> => ({
  ...{ ...listed, ...protectedRefs, uploads, [wiki]: wikiPages },
  ...{ project_members: members, [invitationList]: invitations },
  avatar: avatar.isSet && avatar.sha256 === null ? null : avatar,
  [commitNotes]: comparedNotes.commitNoteCount,
});
