/** @file The people of a record, as archives and GitLab's lists contain them (gitlab-facts 5.8). Pure. */
import { isFields, listOf, type Fields } from '../contents/field-readers.ts';

/** A user of an instance. Ids differ between instances. */
export interface Person {
  id: number;
  username: string;
}

/** The people of a record by role: ids of the source in an archive, users in a list. A role that a side lacks is absent. */
export type ArchivedPeople = Readonly<Record<string, readonly number[]>>;
export type ListedPeople = Readonly<Record<string, readonly Person[]>>;

interface Role {
  /** Returns the column with the id, or the records with a `user_id`. */
  archived: (record: Fields) => unknown;
  listed: (row: Fields) => unknown;
  /** True if GitLab changes it without a new time of the last change. */
  changesSilently?: true;
}

const author: Role = { archived: ({ author_id: id }) => id, listed: ({ author: user }) => user };
const listOfUsers = (archived: string, listed: string): Role => ({
  archived: ({ [archived]: rows }) => rows,
  listed: ({ [listed]: users }) => users,
});

const userInMetrics = (archived: string, listed: string): Role => ({
  archived: ({ metrics }) => (isFields(metrics) ? metrics[archived] : undefined),
  listed: ({ [listed]: user }) => user,
});

const noteRoles = { author };
const roles: Readonly<Record<string, Readonly<Record<string, Role>>>> = {
  issues: {
    author,
    assignees: listOfUsers('issue_assignees', 'assignees'),
    closed_by: { archived: ({ closed_by_id: id }) => id, listed: ({ closed_by: user }) => user },
  },
  merge_requests: {
    author,
    assignees: listOfUsers('merge_request_assignees', 'assignees'),
    reviewers: listOfUsers('merge_request_reviewers', 'reviewers'),
    merged_by: userInMetrics('merged_by_id', 'merged_by'),
    closed_by: userInMetrics('latest_closed_by_id', 'closed_by'),
    approvers: { ...listOfUsers('approvals', 'approved_by'), changesSilently: true },
  },
  releases: { author },
  snippets: { author },
};

export const archivedPeople = (relation: string, record: Fields): ArchivedPeople =>
  read(roles[relation] ?? {}, ({ archived }) => idsIn(archived(record)));
export const listedPeople = (relation: string, row: Fields): ListedPeople =>
  read(roles[relation] ?? {}, ({ listed }) => peopleIn(listed(row)));

/** Returns whether records of the relation have users whose roles are compared. */
export const hasPeople = (relation: string): boolean => relation in roles;

export const roleChangesSilently = (relation: string, role: string): boolean =>
  roles[relation]?.[role]?.changesSilently === true;

/** Returns the id of a note's author; null if the archive does not have it. */
export const archivedAuthor = (note: Fields): number | null =>
  idsIn(noteRoles.author.archived(note))?.[0] ?? null;
/** Returns the author of a note; null if the list does not show it. */
export const listedAuthor = (note: Fields): Person | null =>
  peopleIn(noteRoles.author.listed(note))?.[0] ?? null;

function read<T>(
  ofRelation: Readonly<Record<string, Role>>,
  people: (role: Role) => readonly T[] | undefined,
) {
  const found: Record<string, readonly T[]> = {};
  for (const [name, role] of Object.entries(ofRelation)) {
    const values = people(role);
    if (values !== undefined) found[name] = values;
  }
  return found;
}

function idsIn(value: unknown): readonly number[] | undefined {
  if (value === null) return [];
  if (typeof value === 'number') return [value];
  return listOf(value)?.flatMap(({ user_id: id }) => (typeof id === 'number' ? [id] : []));
}

function peopleIn(value: unknown): readonly Person[] | undefined {
  if (value === null) return [];
  return (isFields(value) ? [value] : listOf(value))?.flatMap(({ id, username }) =>
    typeof id === 'number' && typeof username === 'string' ? [{ id, username }] : [],
  );
}
