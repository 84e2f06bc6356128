/** @file Decides what a comparison compared: losses of an earlier one that it could not find again stay open. */
import { commitNotes, comparedRelations, isRef } from '../../../../../src-contract/relations.ts';
import { fieldsOf } from '../../../../jobs/migrations/comparing/contents/compared-fields.ts';
import { recordRelations } from '../../../../jobs/migrations/comparing/contents/differing-fields.ts';
import {
  protectedRelations,
  type ProtectedRelation,
} from '../../../../jobs/migrations/comparing/refs/protected-refs.ts';
import type {
  EarlierLoss,
  LaterComparison,
} from '../../../../jobs/migrations/comparing/losses/known-losses.ts';
import { lfsObjects } from '../../../../jobs/migrations/comparing/lfs-objects.ts';
import { invitationList, listShowing } from '../../../../jobs/migrations/comparing/people/invitations.ts';
import { hasValue } from '../../../../jobs/migrations/comparing/settings/setting-table.ts';
import { wiki } from '../../../../jobs/migrations/comparing/wiki.ts';
import { hiddenIssues } from './checked-lists.ts';
import { isSourceEdited } from './compare-sides.ts';
import type { Sides } from './compared-sides.ts';
import type { SourceSide, TargetSide } from './fetching-sides.ts';

/**
 * Returns what a comparison of these sides compared.
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
    if (archiveRecords === null || side === null || !isRead(listsOf(side), listShowing(loss))) return false;
    // Pages of a wiki are compared with the source.
    if (loss.relation === wiki && (source === null || source.wikiPages === null)) return false;
    if (loss.lost === 'on-export' && mayHaveChanged && isUndated(loss.relation))
      return isOnTarget(loss, target);
    return !isPartUncompared(loss, side);
  };
  return {
    hasCompared,
    hasComparedSettings: (lost) =>
      lost === 'on-export'
        ? source !== null && !isSourceEdited(sides, changedSince)
        : archivedSettings !== null,
    hasTargetSetting: (attribute, value) => hasValue(target.details.attributes, attribute, value),
    hidden: hiddenIssues({ archiveRecords, target }),
  };
}

/** Returns whether only the project's own time shows that a ref or a protection is older than the export. */
const isUndated = (relation: string): boolean =>
  isProtected(relation) || comparedRelations.some((each) => each === relation && isRef(each));
const isProtected = (relation: string): relation is ProtectedRelation =>
  protectedRelations.some((each) => each === relation);

/** Returns whether the target has the ref, at the commit that the source had, or the protection. */
function isOnTarget({ relation, title, part = null }: EarlierLoss, target: TargetSide): boolean {
  if (isProtected(relation))
    return part === null && (target.protectedRefs[relation] ?? []).some(({ name }) => name === title);
  const listed = Object.entries(target.listed).find(([name]) => name === relation)?.[1] ?? [];
  const found = listed.find((record) => record.title === title);
  if (found === undefined || part === null) return found !== undefined;
  return 'values' in part && (found.shas ?? []).some((sha) => sha.startsWith(part.values.expected));
}

/** Returns whether the lost part takes requests of its own that the side refused, or that were not sent. */
function isPartUncompared(
  { relation, line, iid, title, part = null }: EarlierLoss,
  { listed, comparedNotes, lostChanges, comparedUploads }: SourceSide | TargetSide,
): boolean {
  if (part === null) return false;
  if (relation === 'uploads') return comparedUploads.unread.count > 0;
  const [recordRelation] = recordRelations.filter((each) => each === relation);
  if (recordRelation === undefined) return false;
  if (Object.hasOwn(fieldsOf(recordRelation), part.name)) {
    const record = listed[recordRelation]?.find((each) =>
      iid === null || iid === undefined ? each.title === title : each.iid === iid,
    );
    return record !== undefined && record.contents?.[part.name] === undefined;
  }
  const lines = comparedNotes.uncomparedLines.get(relation);
  return (
    typeof line === 'number' &&
    (lines?.has(line) === true || (relation === 'merge_requests' && lostChanges.uncomparedLines.has(line)))
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
