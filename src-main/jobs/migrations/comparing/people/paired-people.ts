/** @file Pairs the people of records and notes in an archive with those on an instance. Pure. */
import { comparedRelations } from '../../../../../src-contract/relations.ts';
import type { ArchivedRecord, ArchivedRecords, ListedRecords } from '../losses/naming-losses.ts';
import type { ContentDifference } from '../contents/content-differences.ts';
import type { ComparedNote } from '../notes/compared-notes.ts';
import { roleChangesSilently, type Person } from './record-people.ts';

/** The people in one role of a record or a note, in the archive and on an instance. */
export interface PeoplePair {
  relation: ContentDifference['relation'];
  record: Pick<ArchivedRecord, 'line' | 'iid' | 'title'>;
  /** The name of the role for users. */
  name: string;
  /** True for an author, whom nobody can change. */
  isFixed: boolean;
  archived: readonly number[];
  listed: readonly Person[];
  /** The times of the last change, in epoch milliseconds; null if not reported, or if the role changes without them. */
  archivedAt: number | null;
  listedAt: number | null;
}

/** A pair whose archive does not contain the role, as older versions of GitLab do not export it. */
export interface UnarchivedPair extends Omit<PeoplePair, 'archived'> {
  archived: null;
}

/** Records with the same key on one side cannot be distinguished, and are left out. */
export function pairPeople(archive: ArchivedRecords, list: ListedRecords): (PeoplePair | UnarchivedPair)[] {
  return comparedRelations.flatMap((relation) => {
    const listedByKey = Map.groupBy(list[relation] ?? [], ({ key }) => key);
    const archivedByKey = Map.groupBy(archive[relation], ({ key }) => key);
    return [...archivedByKey].flatMap(([key, [record, second]]): (PeoplePair | UnarchivedPair)[] => {
      const [row, other] = listedByKey.get(key) ?? [];
      if (key === null || record?.userIds === undefined || row?.users === undefined) return [];
      if (second !== undefined || other !== undefined) return [];
      const { users, updatedAt } = row;
      const { userIds } = record;
      return Object.entries(users).map(([name, listed]) => {
        const listedAt = roleChangesSilently(relation, name) ? null : updatedAt;
        const times = { archivedAt: record.updatedAt, listedAt };
        const isFixed = name === 'author';
        return { relation, record, name, isFixed, archived: userIds[name] ?? null, listed, ...times };
      });
    });
  });
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
      ...{ relation, record, name, isFixed: true, archived: [archived.authorId], listed: [listed.author] },
      ...{ archivedAt: archived.updatedAt, listedAt: listed.updatedAt },
    },
  ];
}
