/** @file Decides what a comparison compared: losses of an earlier one that it could not find again stay open. */
import { commitNotes } from '../../../../../src-contract/relations.ts';
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import { fieldOf } from '../../../../jobs/migrations/comparing/contents/compared-fields.ts';
import type {
  LaterComparison,
  LossGroup,
} from '../../../../jobs/migrations/comparing/losses/known-losses.ts';
import { lossGroupOf } from '../../../../jobs/migrations/comparing/losses/loss-key.ts';
import type { ArchivedRecords } from '../../../../jobs/migrations/comparing/losses/naming-losses.ts';
import { lfsObjects } from '../../../../jobs/migrations/comparing/lfs-objects.ts';
import { isRole } from '../../../../jobs/migrations/comparing/people/record-people.ts';
import { relationsWithNotes } from '../../../../jobs/migrations/comparing/notes/changed-notes.ts';
import { invitationList, listShowing } from '../../../../jobs/migrations/comparing/people/invitations.ts';
import {
  hasValue,
  settingText,
  showsSetting,
} from '../../../../jobs/migrations/comparing/settings/setting-table.ts';
import {
  mayNotSeeIssues,
  possiblyHiddenIssues,
} from '../../../../jobs/migrations/comparing/unknown/hidden-issues.ts';
import { wiki } from '../../../../jobs/migrations/comparing/wiki.ts';
import { isSourceEdited } from '../export-moment.ts';
import type { Sides } from './compared-sides.ts';
import type { SourceSide, TargetSide } from './fetching-sides.ts';
import {
  arePagesRepaired,
  isGroupRepaired,
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
  const sideOf = ({ lost }: LossGroup): SourceSide | TargetSide | null =>
    lost === 'on-export' ? source : target;
  const hasCompared = (loss: MissingRecord): boolean => {
    const { relation, title, lost } = loss;
    const side = sideOf(loss);
    if (archiveRecords === null || side === null || !isListShown(listShowing(loss), side, side === target))
      return false;
    const archive = archiveRecords.records;
    // Pages of a wiki are compared with the source.
    if (relation === wiki)
      return showsPages(source) && arePagesRepaired((slug) => slug === title, source, target);
    if (isHidden(loss, side) || isPartUncompared(loss, side, archive)) return false;
    if (lost === 'on-import') return !showsFoundUsers(loss, target, archive);
    if (source === null || (isUndated(relation) && !mayHaveChanged)) return true;
    return (
      isRepaired(loss, { source, archive, target }, sides.knownLosses) &&
      !mayNotesDiffer(loss, source, archive, sides)
    );
  };
  const hasComparedGroup = (group: LossGroup): boolean => {
    const { relation, lost } = group;
    const side = sideOf(group);
    if (archiveRecords === null || side === null) return false;
    const archive = archiveRecords.records;
    // Losses of members without names may be invitations.
    const lists = isOfMembers(relation) ? [relation, invitationList] : [relation];
    if (!lists.every((list) => isListShown(list, side, side === target))) return false;
    if (relation === wiki) return showsPages(source) && arePagesRepaired(() => true, source, target);
    if (mayHideLosses(group, side, archive)) return false;
    if (lost === 'on-import' || source === null || (isUndated(relation) && !mayHaveChanged)) return true;
    return isGroupRepaired(group, { source, archive, target });
  };
  return {
    hasCompared,
    hasComparedGroup,
    openLosses: (losses) => (hasComparedGroup(losses) ? remainingUnnamed(losses, sides) : losses),
    hasComparedSetting: ({ attribute, lost }) => {
      if (!showsSetting(target.details.attributes, attribute)) return false;
      if (lost === 'on-import') return archivedSettings !== null;
      if (source === null || !showsSetting(source.details.attributes, attribute)) return false;
      // Both instances may have been set to the same value since.
      return !isSourceEdited(sides, changedSince) || hasSameSetting(source, target, attribute);
    },
    hasTargetSetting: (attribute, value) => hasValue(target.details.attributes, attribute, value),
  };
}

const hasSameSetting = (source: SourceSide, target: TargetSide, attribute: string): boolean => {
  const value = settingText(source.details.attributes, attribute);
  return value !== null && hasValue(target.details.attributes, attribute, value);
};

const showsPages = (source: SourceSide | null): source is SourceSide => (source?.wikiPages ?? null) !== null;

/** Returns whether the account may read the list. */
function isListShown(list: string, side: SourceSide | TargetSide, isTarget: boolean): boolean {
  // Members are compared with the archive only if the account is an administrator.
  if (isTarget && isOfMembers(list) && !side.administrator) return false;
  return isRead(listsOf(side), list);
}

const isOfMembers = (list: string): boolean => list === 'project_members' || list === invitationList;

const readerOf = ({ administrator, details }: SourceSide | TargetSide) => ({
  administrator,
  accessLevel: details.project.accessLevel,
});

/** Returns whether the account might not see the issue with the loss. */
const isHidden = ({ relation, iid }: MissingRecord, side: SourceSide | TargetSide): boolean =>
  relation === 'issues' &&
  mayNotSeeIssues(readerOf(side)) &&
  side.listed.issues?.some((issue) => issue.iid === iid) !== true;

/**
 * Returns whether the account might not see some of these losses. The target must have each archived issue, so it hides one
 * only if it does not list one of these. The source may hide issues that the archive lacks.
 */
function mayHideLosses(
  { relation, lost }: LossGroup,
  side: SourceSide | TargetSide,
  archive: ArchivedRecords,
): boolean {
  const reader = readerOf(side);
  if (relation !== 'issues' || !mayNotSeeIssues(reader)) return false;
  const hidden = possiblyHiddenIssues({ ...reader, archive: archive.issues, listed: side.listed.issues });
  return lost === 'on-export' || hidden.length > 0;
}

/**
 * Returns whether the loss is one of notes that the comparison may not have found again, because somebody may have edited
 * them or their record on the source.
 */
function mayNotesDiffer(
  loss: MissingRecord,
  source: SourceSide,
  archive: ArchivedRecords,
  { moment, depth, contents }: Sides,
): boolean {
  const { relation, part } = loss;
  const hasNotes = relation === commitNotes || relationsWithNotes.some((each) => each === relation);
  if (part === null || !hasNotes) return false;
  if (fieldOf(relation, part.name) !== undefined || isRole(relation, part.name)) return false;
  const isOfSameRecord = (other: MissingRecord): boolean =>
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
