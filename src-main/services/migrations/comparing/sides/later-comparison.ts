/** @file Decides what a comparison compared: losses of an earlier one that it could not find again stay open. */
import { commitNotes, comparedRelations, isRef } from '../../../../../src-contract/relations.ts';
import { fieldsOf } from '../../../../jobs/migrations/comparing/contents/compared-fields.ts';
import { recordRelations } from '../../../../jobs/migrations/comparing/contents/differing-fields.ts';
import {
  ownRefs,
  protectedRelations,
  type ProtectedRef,
  type ProtectedRelation,
} from '../../../../jobs/migrations/comparing/refs/protected-refs.ts';
import type {
  EarlierLoss,
  LaterComparison,
} from '../../../../jobs/migrations/comparing/losses/known-losses.ts';
import { lossGroupOf } from '../../../../jobs/migrations/comparing/losses/loss-key.ts';
import { lfsObjects } from '../../../../jobs/migrations/comparing/lfs-objects.ts';
import {
  hasRole,
  isRole,
  roleOf,
  type Person,
} from '../../../../jobs/migrations/comparing/people/record-people.ts';
import { relationsWithNotes } from '../../../../jobs/migrations/comparing/notes/changed-notes.ts';
import { hasSameCommit } from '../../../../jobs/migrations/comparing/refs/compare-refs.ts';
import type { ListedRecord } from '../../../../jobs/migrations/comparing/losses/naming-losses.ts';
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
  const uncertain = uncertainKeys(sides);
  const hasCompared = (loss: EarlierLoss): boolean => {
    const side = loss.lost === 'on-export' ? source : target;
    const list = listShowing(loss);
    if (archiveRecords === null || side === null || !isRead(listsOf(side), list)) return false;
    // Members are compared with the archive only if the account is an administrator.
    if (side === target && isOfMembers(list) && !target.administrator) return false;
    // Pages of a wiki are compared with the source.
    if (loss.relation === wiki)
      return (source?.wikiPages ?? null) !== null && isPageSameOrDeleted(loss, source, target);
    // Any of the contents that differ may be one of the losses without names, unless all of these are records.
    if (loss.count !== undefined && loss.lines?.length !== loss.count && uncertain.has(lossGroupOf(loss)))
      return false;
    if (loss.lost === 'on-import' || source === null) return !isPartUncompared(loss, side);
    if (isUndated(loss.relation)) return !mayHaveChanged || isSameOrDeleted(loss, source, target);
    return (
      !isPartUncompared(loss, source) &&
      !differsFromTarget(loss, source, target) &&
      !mayNotesDiffer(loss, sides, uncertain)
    );
  };
  return {
    hasCompared,
    hasComparedSettings: (lost) =>
      lost === 'on-import'
        ? archivedSettings !== null
        : source !== null && !isSourceEdited(sides, changedSince),
    hasTargetSetting: (attribute, value) => hasValue(target.details.attributes, attribute, value),
    hidden: hiddenIssues({ archiveRecords, target }),
  };
}

/** Returns whether only the project's own time shows that a ref or a protection is older than the export. */
const isUndated = (relation: string): boolean =>
  isProtected(relation) || comparedRelations.some((each) => each === relation && isRef(each));
const isProtected = (relation: string): relation is ProtectedRelation =>
  protectedRelations.some((each) => each === relation);

const isOfMembers = (list: string): boolean => list === 'project_members' || list === invitationList;

/** Returns the keys of contents that differ, but may have been edited later: of their record, and of its relation. */
const uncertainKeys = ({ contents }: Sides): ReadonlySet<string> =>
  new Set(contents?.uncertain.flatMap((loss) => [lossGroupOf(loss), recordKey(loss)]));
const recordKey = (loss: EarlierLoss): string => `${lossGroupOf(loss)} ${String(loss.line)}`;

/** Returns whether a title is the one of the loss. A loss without a name may have any title. */
const mayHaveTitle = (loss: EarlierLoss, title: string | null): boolean =>
  loss.title === undefined || loss.title === title;

/** Returns whether source and target have the same page now, or the source has deleted it. */
function isPageSameOrDeleted(loss: EarlierLoss, source: SourceSide | null, target: TargetSide): boolean {
  const onTarget = new Map(target.wikiPages?.map(({ slug, sha256 }) => [slug, sha256]));
  const pages = (source?.wikiPages ?? []).filter(({ slug }) => mayHaveTitle(loss, slug));
  return pages.every(({ slug, sha256 }) => sha256 !== null && onTarget.get(slug) === sha256);
}

/** Returns whether the target has the ref or the protection like the source, or the source has deleted it. */
function isSameOrDeleted(loss: EarlierLoss, source: SourceSide, target: TargetSide): boolean {
  const { relation } = loss;
  if (isProtected(relation)) {
    const [own, found] = [source, target].map((side) => ownRefs(side.protectedRefs[relation]) ?? []);
    const onTarget = new Map(found?.map(({ name, rules }) => [name, rules]));
    return (own ?? [])
      .filter(({ name }) => mayHaveTitle(loss, name))
      .every(({ name, rules }) => hasSameRules(rules, onTarget.get(name)));
  }
  const refsOf = ({ listed }: SourceSide | TargetSide) =>
    comparedRelations.flatMap((each) => (each === relation ? (listed[each] ?? []) : []));
  const onTarget = new Map(refsOf(target).map((ref) => [ref.title, ref]));
  return refsOf(source)
    .filter(({ title }) => mayHaveTitle(loss, title))
    .every((ref) => hasSameCommit(ref, onTarget.get(ref.title) ?? {}));
}

/** An absent right is not shown. A right that is null belongs to no role. */
const hasSameRules = (own: ProtectedRef['rules'], found: ProtectedRef['rules'] | undefined): boolean =>
  found !== undefined &&
  Object.entries(own).every(([rule, level]) => found[rule] === undefined || found[rule] === level);

/**
 * Returns whether the source has the lost field, users or avatar, and the target does not have the same. The source may have
 * edited them since its export, so that the comparison no longer recognizes the loss by its values.
 */
function differsFromTarget(loss: EarlierLoss, source: SourceSide, target: TargetSide): boolean {
  const { relation, part = null } = loss;
  if (part === null) return false;
  if (relation === 'avatar')
    return source.avatar.isSet && (source.avatar.sha256 ?? '') !== target.avatar.sha256;
  const [own] = recordsOf(loss, source);
  const [found] = recordsOf(loss, target);
  if (isField(loss, part.name)) {
    const value = own?.contents?.[part.name] ?? '';
    return value !== '' && value !== found?.contents?.[part.name];
  }
  return Object.entries(own?.users ?? {}).some(
    ([key, users]) =>
      roleOf(key).role === part.name &&
      users.length > 0 &&
      usernamesOf(users) !== usernamesOf(found?.users?.[key] ?? []),
  );
}

const usernamesOf = (users: readonly Person[]): string =>
  users
    .map(({ username }) => username)
    .toSorted()
    .join();

/**
 * Returns whether the loss is one of notes that the comparison may not have found again, because somebody may have edited
 * them or their record on the source.
 */
function mayNotesDiffer(
  loss: EarlierLoss,
  { source, moment, depth }: Sides,
  uncertain: ReadonlySet<string>,
): boolean {
  const { relation, part = null } = loss;
  const hasNotes = relation === commitNotes || relationsWithNotes.some((each) => each === relation);
  if (source === null || part === null || !hasNotes) return false;
  if (isField(loss, part.name) || isRole(relation, part.name)) return false;
  if (uncertain.has(recordKey(loss))) return true;
  // Only a comparison of contents reads the notes. Others compare their number, unless the record was edited.
  return (
    part.name === 'notes' &&
    depth !== 'contents' &&
    recordsOf(loss, source).some(({ updatedAt }) => updatedAt === null || updatedAt >= moment.requestedAt)
  );
}

const isField = ({ relation }: EarlierLoss, name: string): boolean =>
  recordRelations.some((each) => each === relation && Object.hasOwn(fieldsOf(each), name));

/** Returns the records of a side that are, or may be, the one with the loss. */
const recordsOf = (
  { relation, iid = null, title = null }: EarlierLoss,
  { listed }: SourceSide | TargetSide,
): ListedRecord[] =>
  recordRelations
    .filter((each) => each === relation)
    .flatMap((each) => listed[each] ?? [])
    .filter((record) => (iid === null ? record.title === title : record.iid === iid));

/** Returns whether the side did not show the lost part, or several of its records may be the one with the loss. */
function isPartUncompared(loss: EarlierLoss, side: SourceSide | TargetSide): boolean {
  const { relation, line, title = '', part = null } = loss;
  if (part === null) return false;
  if (relation === 'uploads') return side.comparedUploads.unread.titles.has(title ?? '');
  const records = recordsOf(loss, side);
  const { role } = roleOf(part.name);
  if (isField(loss, part.name))
    return (
      records.length > 1 ||
      !isFieldListed(loss, part.name, side) ||
      records.some(({ contents }) => contents?.[part.name] === undefined)
    );
  if (isRole(relation, role))
    return records.length > 1 || records.some(({ users = {} }) => !hasRole(users, role));
  const { comparedNotes, lostChanges } = side;
  const lines = comparedNotes.uncomparedLines.get(relation);
  return (
    typeof line === 'number' &&
    (lines?.has(line) === true || (relation === 'merge_requests' && lostChanges.uncomparedLines.has(line)))
  );
}

/** Returns whether the account may list the records that GitLab shows in the field, such as the milestones of a release. */
const isFieldListed = (
  { relation }: EarlierLoss,
  name: string,
  { listed }: SourceSide | TargetSide,
): boolean =>
  recordRelations.every((each) => {
    const needs = each === relation ? fieldsOf(each)[name]?.needs : undefined;
    return needs === undefined || listed[needs] !== null;
  });

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
