/**
 * @file Decides whether the target has what an export lost, or the source has deleted it, and whether the target still shows
 * other users than an import should have used. A source that was edited after its export may have other values, so a
 * comparison does not find such a loss again. Pure.
 */
import { comparedRelations, isRef } from '../../../../../src-contract/relations.ts';
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import { fieldOf } from '../../../../jobs/migrations/comparing/contents/compared-fields.ts';
import { recordRelations } from '../../../../jobs/migrations/comparing/contents/differing-fields.ts';
import {
  hasName,
  isShortened,
  isListKind,
  namesIn,
  shownNames,
  valueText,
} from '../../../../jobs/migrations/comparing/contents/field-values.ts';
import type { LossGroup } from '../../../../jobs/migrations/comparing/losses/known-losses.ts';
import type {
  ArchivedRecords,
  ListedRecord,
} from '../../../../jobs/migrations/comparing/losses/naming-losses.ts';
import {
  isRole,
  namesInRole,
  namesOfUsers,
} from '../../../../jobs/migrations/comparing/people/record-people.ts';
import { recordsByKey } from '../../../../jobs/migrations/comparing/records-by-key.ts';
import { hasExpectedCommit, hasSameCommit } from '../../../../jobs/migrations/comparing/refs/compare-refs.ts';
import {
  ownRefs,
  protectedRelations,
  rightText,
  type ProtectedRef,
  type ProtectedRelation,
} from '../../../../jobs/migrations/comparing/refs/protected-refs.ts';
import type { SourceSide, TargetSide } from './fetching-sides.ts';

interface ReadSides {
  source: SourceSide;
  archive: ArchivedRecords;
  target: TargetSide;
}

const isProtected = (relation: string): relation is ProtectedRelation =>
  protectedRelations.some((each) => each === relation);

/** Returns whether only the project's own time shows that a ref or a protection is older than the export. */
export const isUndated = (relation: string): boolean =>
  isProtected(relation) || comparedRelations.some((each) => each === relation && isRef(each));

type IsLost = (title: string) => boolean;

/**
 * Returns whether source and target have the same lost pages now, or the source has deleted them. A page that the target
 * lacks may be a lost one with a new name.
 */
export function arePagesRepaired(
  isLost: IsLost,
  { wikiPages: pages }: Pick<SourceSide, 'wikiPages'>,
  target: TargetSide,
): boolean {
  const onTarget = new Map(target.wikiPages?.map(({ slug, sha256 }) => [slug, sha256]));
  const own = pages?.filter(({ slug }) => isLost(slug)) ?? [];
  if (own.length === 0) return pages?.every(({ slug }) => onTarget.has(slug)) === true;
  return own.every(({ slug, sha256 }) => sha256 !== null && onTarget.get(slug) === sha256);
}

/**
 * Returns whether the target has what the export lost, or the source has deleted it.
 * @param knownLosses all losses of the earlier comparison.
 */
export function isRepaired(
  loss: MissingRecord,
  sides: ReadSides,
  knownLosses: readonly MissingRecord[],
): boolean {
  const { relation, part } = loss;
  const isSame = isUndatedRepaired(relation, (title) => title === loss.title, sides);
  if (isSame !== null) return isSame || hasLostPart(loss, sides.target);
  if (part !== null) return isPartRepaired(loss, part, sides);
  const names = new Set(knownLosses.filter((each) => each.relation === relation).map(({ title }) => title));
  const lost = lostFromArchive(relation, sides);
  const own = lost.filter(({ iid, title }) => (iid === null ? title === loss.title : iid === loss.iid));
  // Without a number, a record is the same one on both sides if it has the same name.
  const onTarget = recordsByKey(recordsOf(relation, sides.target));
  if (own.length > 0) return own.every(({ iid, key }) => iid === null && onTarget.has(key));
  // A record without a time of creation may be the lost one with a new name.
  return lost.every(({ title, createdAt }) => createdAt !== null || names.has(title));
}

/** Returns whether a ref of the target has the commit, or a protection the right, that the earlier comparison expected. */
function hasLostPart(loss: MissingRecord, target: TargetSide): boolean {
  const { relation, title, part } = loss;
  if (part === null || !('values' in part)) return false;
  if (!isProtected(relation)) {
    const ref = refsOf(relation, target).find((each) => each.title === title);
    return ref !== undefined && hasExpectedCommit(loss, ref);
  }
  const found = ownRefs(target.protectedRefs[relation])?.find(({ name }) => name === title);
  const level = found?.rules[part.name];
  return level !== undefined && rightText(level) === part.values.expected;
}

/**
 * Returns whether the target has every ref or protection of the source, or its avatar. True for other relations, whose losses
 * without names are counted.
 */
export const isGroupRepaired = ({ relation }: LossGroup, sides: ReadSides): boolean =>
  isUndatedRepaired(relation, () => true, sides) ?? true;

/** Returns null for a relation other than refs, protections and the avatar. */
function isUndatedRepaired(relation: string, isLost: IsLost, sides: ReadSides): boolean | null {
  if (isProtected(relation)) return areProtectionsRepaired(relation, isLost, sides);
  if (isUndated(relation)) return areRefsRepaired(relation, isLost, sides);
  return relation === 'avatar' ? isAvatarRepaired(sides) : null;
}

function areProtectionsRepaired(
  relation: ProtectedRelation,
  isLost: IsLost,
  { source, target }: ReadSides,
): boolean {
  const [own, found] = [source, target].map((side) => ownRefs(side.protectedRefs[relation]) ?? []);
  const onTarget = new Map(found?.map(({ name, rules }) => [name, rules]));
  return (own ?? [])
    .filter(({ name }) => isLost(name))
    .every(({ name, rules }) => givesSameRights(rules, onTarget.get(name)));
}

/**
 * Returns whether the target gives each right of the source to the same role. A right that the target does not show counts only
 * if nobody has it on the source.
 * @param found undefined if the target has no such protection.
 */
const givesSameRights = (own: ProtectedRef['rules'], found: ProtectedRef['rules'] | undefined): boolean =>
  found !== undefined &&
  Object.entries(own).every(([right, level]) =>
    found[right] === undefined ? (level ?? 0) === 0 : found[right] === level,
  );

const refsOf = (relation: string, { listed }: SourceSide | TargetSide) =>
  comparedRelations.flatMap((each) => (each === relation ? (listed[each] ?? []) : []));

function areRefsRepaired(relation: string, isLost: IsLost, { source, target }: ReadSides): boolean {
  const onTarget = new Map(refsOf(relation, target).map((ref) => [ref.title, ref]));
  return refsOf(relation, source)
    .filter(({ title }) => title !== null && isLost(title))
    .every((ref) => hasSameCommit(ref, onTarget.get(ref.title) ?? {}));
}

const isAvatarRepaired = ({ source, target }: ReadSides): boolean =>
  !source.avatar.isSet || (source.avatar.sha256 ?? '') === target.avatar.sha256;

function isPartRepaired(
  loss: MissingRecord,
  part: NonNullable<MissingRecord['part']>,
  { source, archive, target }: ReadSides,
): boolean {
  const [own] = recordsWithLoss(loss, source, archive);
  const [found] = recordsWithLoss(loss, target, archive);
  const field = fieldOf(loss.relation, part.name);
  if (field !== undefined) {
    const [value, onTarget] = [own, found].map((record) => record?.contents?.[part.name]);
    if ((value ?? '') === '' || value === onTarget) return true;
    if (onTarget === undefined || !('values' in part)) return false;
    const { expected, found: before } = part.values;
    if (valueText(onTarget) === expected) return true;
    return (
      isListKind(field.kind) &&
      !isShortened(expected) &&
      hasLostNames(expected, before, onTarget, value ?? '')
    );
  }
  if (!('values' in part)) return true;
  // Usernames of the target may be others, so only the lost users decide.
  const { values } = part;
  const onTarget = namesInRole(found?.users ?? {}, part.name);
  return namesInRole(own?.users ?? {}, part.name).every(
    (name) =>
      onTarget.includes(name) ||
      hasName(values.found, name) ||
      !(hasName(values.expected, name) || isShortened(values.expected)),
  );
}

/** Returns whether the target has each lost name of a list, or the source no longer has it. */
const hasLostNames = (expected: string, found: string, target: string, source: string): boolean =>
  shownNames(expected)
    .filter((name) => !hasName(found, name))
    .every((name) => hasName(valueText(target), name) || !namesIn(source).includes(name));

/**
 * Returns whether the target still shows the users that it had in place of those whom the import lost. The users that an import
 * used are known from the users of all records, so a later comparison may take another user for the right one.
 */
export function showsFoundUsers(loss: MissingRecord, target: TargetSide, archive: ArchivedRecords): boolean {
  const { part } = loss;
  if (part === null || !('values' in part)) return false;
  const names = usersOfPart(loss, part.name, target, archive);
  if (names === null) return false;
  const { expected, found } = part.values;
  if (found === '') return names.length === 0;
  const list = names.map(valueText).join(', ');
  const isShown = (users: string): boolean => shownNames(users).every((name) => hasName(list, name));
  return isShown(found) && (isShortened(expected) || !isShown(expected));
}

/** Returns the users of a part of a record on the target, as a comparison names them; null if it shows no such part. */
function usersOfPart(
  loss: MissingRecord,
  name: string,
  target: TargetSide,
  archive: ArchivedRecords,
): string[] | null {
  const { relation, line, title } = loss;
  if (isRole(relation, name)) {
    const [record] = recordsWithLoss(loss, target, archive);
    return record === undefined ? null : namesInRole(record.users ?? {}, name);
  }
  if (relation === 'approval_rules' && name === 'users') {
    const rule = target.protectedRefs.approval_rules?.find((each) => each.name === title);
    return rule?.users === undefined ? null : namesOfUsers(rule.users, name, null);
  }
  const ofNotes = target.comparedNotes.people.filter(
    (pair) => pair.name === name && pair.record.line === line && pair.relation === relation,
  );
  return ofNotes.length === 0
    ? null
    : ofNotes.flatMap(({ listed, entry }) => namesOfUsers(listed, name, entry));
}

const recordsOf = (relation: string, { listed }: SourceSide | TargetSide): readonly ListedRecord[] =>
  recordRelations.flatMap((each) => (each === relation ? (listed[each] ?? []) : []));

/** Returns the records that the source lists and the archive lacks. */
export const lostFromArchive = (
  relation: string,
  { source, archive }: Omit<ReadSides, 'target'>,
): ListedRecord[] =>
  recordRelations
    .filter((each) => each === relation)
    .flatMap((each) => {
      const archived = recordsByKey(archive[each]);
      return source.listed[each]?.filter(({ key }) => !archived.has(key)) ?? [];
    });

/** Returns the records of a side that are, or may be, the one with the loss. A title may have been edited. */
export const recordsWithLoss = (
  { relation, line, iid, title }: MissingRecord,
  { listed }: SourceSide | TargetSide,
  archive: ArchivedRecords,
): ListedRecord[] =>
  recordRelations
    .filter((each) => each === relation)
    .flatMap((each) => {
      const records = listed[each] ?? [];
      const archived = line === null ? undefined : archive[each].find((record) => record.line === line);
      if (archived !== undefined) return [...(recordsByKey(records).get(archived.key) ?? [])];
      return records.filter((record) => (iid === null ? record.title === title : record.iid === iid));
    });
