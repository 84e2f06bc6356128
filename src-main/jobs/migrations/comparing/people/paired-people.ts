/** @file Pairs the people of records and notes in an archive with those on an instance. Pure. */
import { comparedRelations, type ComparedRelation } from '../../../../../src-contract/relations.ts';
import type {
  ArchivedRecord,
  ArchivedRecords,
  ListedRecord,
  ListedRecords,
} from '../losses/naming-losses.ts';
import type { ContentDifference } from '../contents/content-differences.ts';
import type { ComparedNote } from '../notes/compared-notes.ts';
import {
  hasPeople,
  isFixedRole,
  isReportedIfUnlisted,
  partOfRole,
  roleChangesSilently,
  roleOf,
  type ArchivedPeople,
  type ListedPeople,
  type Person,
} from './record-people.ts';
import { recordsByKey } from '../records-by-key.ts';

/** The people in one role of a record or a note, in the archive and on an instance. */
export interface PeoplePair {
  relation: ContentDifference['relation'];
  record: Pick<ArchivedRecord, 'line' | 'iid' | 'title'>;
  /** The name of the role for users. */
  name: string;
  /** The entry with these users, such as the name of a reaction; null for a role without entries. */
  entry: string | null;
  /** True for users whom nobody can change, such as an author. */
  isFixed: boolean;
  archived: readonly number[];
  listed: readonly Person[];
  /** The times of the last change, in epoch milliseconds; null if not reported, or if the role changes without them. */
  archivedAt: number | null;
  listedAt: number | null;
}

/** A pair whose archive does not contain the role, as older versions of GitLab do not export it. */
interface UnarchivedPair extends Omit<PeoplePair, 'archived'> {
  archived: null;
}

/** A pair whose reply does not contain the role, although the archive has users in it. */
interface UnlistedPair extends Omit<PeoplePair, 'listed'> {
  listed: null;
}

export type IncompletePair = UnarchivedPair | UnlistedPair;
export const isComplete = (pair: PeoplePair | IncompletePair): pair is PeoplePair =>
  pair.archived !== null && pair.listed !== null;

/**
 * Pairs the people of records, and adds the pairs of notes. Records with the same key on one side cannot be distinguished,
 * and are left out. A large project has many pairs, so each iteration makes them again.
 */
export function pairPeople(
  archive: ArchivedRecords,
  list: ListedRecords,
  ofNotes: readonly PeoplePair[] = [],
): Iterable<PeoplePair | IncompletePair> {
  return {
    *[Symbol.iterator]() {
      for (const relation of comparedRelations)
        yield* pairRelation(relation, archive[relation], list[relation]);
      yield* ofNotes;
    },
  };
}

function* pairRelation(
  relation: ComparedRelation,
  archive: readonly ArchivedRecord[],
  list: readonly ListedRecord[] | null,
): Generator<PeoplePair | IncompletePair, void, undefined> {
  if (list === null || !hasPeople(relation)) return;
  const listedByKey = recordsByKey(list);
  for (const [key, [record, second]] of recordsByKey(archive)) {
    const [row, other] = listedByKey.get(key) ?? [];
    if (key === null || second !== undefined || other !== undefined) continue;
    const [userIds, users] = [record?.userIds, row?.users];
    if (record === undefined || row === undefined || userIds === undefined || users === undefined) continue;
    const timeOf = (role: string, isEmpty: boolean): number | null => {
      if (!roleChangesSilently(relation, role)) return row.updatedAt;
      // Approvals that the source still shows were there before the export.
      return isEmpty ? (row.partTimes?.[partOfRole(relation, role)] ?? null) : null;
    };
    yield* pairRoles({ relation, record, userIds, users, archivedAt: record.updatedAt, timeOf });
  }
}

interface RolesToPair extends Pick<PeoplePair, 'relation' | 'record' | 'archivedAt'> {
  userIds: ArchivedPeople;
  users: ListedPeople;
  /** @param showsAdditions whether the time of the newest addition is enough. */
  timeOf: (role: string, showsAdditions: boolean) => number | null;
  /** The thing in the record that has the roles, such as a note. */
  owner?: string;
}

/**
 * Pairs the users in each role that the reply shows, and those whom only the archive has. Different numbers of entries are a
 * difference of another field, such as the number of reactions.
 */
export function* pairRoles({
  relation,
  record,
  archivedAt,
  userIds,
  users,
  timeOf,
  owner = '',
}: RolesToPair): Generator<PeoplePair | IncompletePair, void, undefined> {
  const kind = owner === '' ? relation : 'notes';
  for (const [key, listed] of Object.entries(users)) {
    const { role, entry } = roleOf(key);
    const archived = userIds[key] ?? null;
    if (entry !== null && archived?.length !== listed.length) continue;
    const listedAt = timeOf(role, entry !== null || archived?.length === 0);
    const pair = { relation, record, name: `${role}${owner}`, entry, isFixed: isFixedRole(kind, role) };
    yield { ...pair, archived, listed, archivedAt, listedAt };
  }
  for (const [role, archived] of Object.entries(userIds)) {
    if (users[role] !== undefined || archived.length === 0 || !isReportedIfUnlisted(kind, role)) continue;
    const pair = { relation, record, name: `${role}${owner}`, entry: null, isFixed: isFixedRole(kind, role) };
    yield { ...pair, archived, listed: null, archivedAt, listedAt: null };
  }
}

/** @param name the name of the role for users. */
export function pairNoteAuthor(
  relation: PeoplePair['relation'],
  record: PeoplePair['record'],
  name: string,
  archived: ComparedNote,
  listed: ComparedNote,
): PeoplePair[] {
  if (archived.authorId === null || listed.author === null) return [];
  return [
    {
      ...{ relation, record, name, entry: null, isFixed: true },
      ...{ archived: [archived.authorId], listed: [listed.author] },
      ...{ archivedAt: archived.updatedAt, listedAt: listed.updatedAt },
    },
  ];
}
