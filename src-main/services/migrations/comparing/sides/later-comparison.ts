/** @file Decides what a comparison compared: losses of an earlier one that it could not find again stay open. */
import { commitNotes } from '../../../../../src-contract/relations.ts';
import { fieldOf } from '../../../../jobs/migrations/comparing/contents/compared-fields.ts';
import type {
  EarlierLoss,
  LaterComparison,
} from '../../../../jobs/migrations/comparing/losses/known-losses.ts';
import { lossGroupOf } from '../../../../jobs/migrations/comparing/losses/loss-key.ts';
import type { ArchivedRecords } from '../../../../jobs/migrations/comparing/losses/naming-losses.ts';
import { lfsObjects } from '../../../../jobs/migrations/comparing/lfs-objects.ts';
import { isRole } from '../../../../jobs/migrations/comparing/people/record-people.ts';
import { relationsWithNotes } from '../../../../jobs/migrations/comparing/notes/changed-notes.ts';
import { invitationList, listShowing } from '../../../../jobs/migrations/comparing/people/invitations.ts';
import { hasValue, showsSetting } from '../../../../jobs/migrations/comparing/settings/setting-table.ts';
import {
  mayNotSeeIssues,
  possiblyHiddenIssues,
} from '../../../../jobs/migrations/comparing/unknown/hidden-issues.ts';
import { wiki } from '../../../../jobs/migrations/comparing/wiki.ts';
import { isSourceEdited } from './compare-sides.ts';
import type { Sides } from './compared-sides.ts';
import type { SourceSide, TargetSide } from './fetching-sides.ts';
import {
  isPageRepaired,
  isRepaired,
  isUndated,
  recordsWithLoss,
  showsFoundUsers,
} from './repaired-losses.ts';
import { isPartUncompared } from './uncompared-parts.ts';
import { remainingUnnamed } from './unnamed-losses.ts';

/**
 * Returns what a comparison of these sides compared. A loss that was not found again ends only if its side shows what was
 * lost, and for a loss on export only if the target has it, or the source has deleted it.
 * @param changedSince when the source was changed after its export; null if not changed, or unknown.
 * @param mayHaveChanged whether the source may have been changed after its export.
 */
export function toLaterComparison(
  sides: Sides,
  changedSince: number | null,
  mayHaveChanged: boolean,
): LaterComparison {
  const { source, target, archiveRecords, archivedSettings } = sides;
  const hasCompared = (loss: EarlierLoss): boolean => {
    const side = loss.lost === 'on-export' ? source : target;
    if (archiveRecords === null || side === null || !isListShown(loss, side, side === target)) return false;
    const archive = archiveRecords.records;
    // Pages of a wiki are compared with the source.
    if (loss.relation === wiki)
      return (source?.wikiPages ?? null) !== null && source !== null && isPageRepaired(loss, source, target);
    if (isHidden(loss, side, archive) || isPartUncompared(loss, side, archive)) return false;
    if (loss.lost === 'on-import') return !showsFoundUsers(loss, target, archive);
    if (source === null) return true;
    if (isUndated(loss.relation) && !mayHaveChanged) return true;
    return isRepaired(loss, { source, archive, target }) && !mayNotesDiffer(loss, source, archive, sides);
  };
  return {
    hasCompared,
    openLosses: (losses) => (hasCompared(losses) ? remainingUnnamed(losses, sides) : losses),
    hasComparedSetting: ({ attribute, lost }) => {
      if (!showsSetting(target.details.attributes, attribute)) return false;
      if (lost === 'on-import') return archivedSettings !== null;
      if (source === null || isSourceEdited(sides, changedSince)) return false;
      return showsSetting(source.details.attributes, attribute);
    },
    hasTargetSetting: (attribute, value) => hasValue(target.details.attributes, attribute, value),
  };
}

/** Returns whether the account may read the list with the loss. */
function isListShown(loss: EarlierLoss, side: SourceSide | TargetSide, isTarget: boolean): boolean {
  const list = listShowing(loss);
  // Members are compared with the archive only if the account is an administrator.
  if (isTarget && isOfMembers(list) && !side.administrator) return false;
  // Losses without names may be members or invitations.
  const lists = loss.title === undefined && isOfMembers(list) ? [list, invitationList] : [list];
  return lists.every((each) => isRead(listsOf(side), each));
}

const isOfMembers = (list: string): boolean => list === 'project_members' || list === invitationList;

/**
 * Returns whether the account might not see the issue with the loss. The target must have each archived issue, so a loss
 * without a name is hidden there only if an archived issue is. The source may hide issues that the archive lacks.
 */
function isHidden(
  { relation, lost, iid }: EarlierLoss,
  { administrator, details, listed }: SourceSide | TargetSide,
  archive: ArchivedRecords,
): boolean {
  const reader = { administrator, accessLevel: details.project.accessLevel };
  if (relation !== 'issues' || !mayNotSeeIssues(reader)) return false;
  if (iid !== undefined) return listed.issues?.some((issue) => issue.iid === iid) !== true;
  const hidden = possiblyHiddenIssues({ ...reader, archive: archive.issues, listed: listed.issues });
  return lost === 'on-export' || hidden.length > 0;
}

/**
 * Returns whether the loss is one of notes that the comparison may not have found again, because somebody may have edited
 * them or their record on the source.
 */
function mayNotesDiffer(
  loss: EarlierLoss,
  source: SourceSide,
  archive: ArchivedRecords,
  { moment, depth, contents }: Sides,
): boolean {
  const { relation, part = null } = loss;
  const hasNotes = relation === commitNotes || relationsWithNotes.some((each) => each === relation);
  if (part === null || !hasNotes) return false;
  if (fieldOf(relation, part.name) !== undefined || isRole(relation, part.name)) return false;
  const isOfSameRecord = (other: EarlierLoss): boolean =>
    lossGroupOf(other) === lossGroupOf(loss) && other.line === loss.line;
  if (contents?.uncertain.some(isOfSameRecord) === true) return true;
  // Only a comparison of contents reads the notes. Others compare their number, unless the record was edited.
  return (
    part.name === 'notes' &&
    depth !== 'contents' &&
    recordsWithLoss(loss, source, archive).some(
      ({ updatedAt }) => updatedAt === null || updatedAt >= moment.requestedAt,
    )
  );
}

/** A list that a side does not know, such as one that a later version added, was not read. */
const isRead = (lists: Record<string, unknown>, list: string): boolean => (lists[list] ?? null) !== null;

function listsOf(side: SourceSide | TargetSide): Record<string, unknown> {
  const { listed, members, invitations, uploads, protectedRefs, wikiPages, avatar, comparedNotes } = side;
  return {
    ...{ ...listed, ...protectedRefs, uploads, [wiki]: wikiPages, project_members: members },
    ...{ [invitationList]: invitations, [commitNotes]: comparedNotes.commitNoteCount },
    [lfsObjects]: 'lfsObjects' in side ? side.lfsObjects : null,
    avatar: avatar.isSet && avatar.sha256 === null ? null : avatar,
  };
}
