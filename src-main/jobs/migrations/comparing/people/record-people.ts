/** @file The people of a record, as archives and GitLab's lists contain them (gitlab-facts 5.8). Pure. */
import { isFields, listOf, type Fields } from '../contents/field-readers.ts';
import { jobEntries, jobKey } from '../contents/pipeline-jobs.ts';
import { byPosition } from '../contents/uncounted-fields.ts';
import { eventKinds, eventKey, type EventKind } from '../contents/resource-events.ts';

/** A user of an instance. Ids differ between instances. */
export interface Person {
  id: number;
  username: string;
}

/**
 * The people of a record by role: ids of the source in an archive, users in a list. A role that a side lacks is absent.
 */
export type ArchivedPeople = Readonly<Record<string, readonly number[]>>;
export type ListedPeople = Readonly<Record<string, readonly Person[]>>;

interface Role {
  /** Returns the column with the id, or the records with a `user_id`. */
  archived: (record: Fields) => unknown;
  listed: (row: Fields) => unknown;
  /** True if GitLab changes it without a new time of the last change. */
  changesSilently?: true;
  /**
   * True if a list may lack the role, such as one that is read for one record at a time, and another sentence of the
   * comparison reports it.
   */
  isCountedElsewhere?: true;
}

/** Entries of a record that each have a user, such as reactions. */
interface Entries {
  /** Returns the entries of a record. */
  of: (record: Fields) => readonly Fields[];
  /**
   * Returns the key of an entry, such as the name of a reaction, which several may have; null if it is not compared.
   */
  key: (entry: Fields) => string | null;
  /** The field that a record has if its entries were read. */
  field: string;
  /** True if users cannot change the user of an entry. */
  isFixed?: true;
  changesSilently?: true;
  /** The part that is read one by one, see `partTimes` of a listed record. */
  part?: string;
}

/** An entry without a user, such as one of a deleted user. */
export const nobody: Person = { id: 0, username: '' };

const author: Role = { archived: ({ author_id: id }) => id, listed: ({ author: user }) => user };
const listOfUsers = (archived: string, listed: string): Role => ({
  archived: ({ [archived]: rows }) => rows,
  listed: ({ [listed]: users }) => users,
});

const userInMetrics = (archived: string, listed: string): Role => ({
  archived: ({ metrics }) => (isFields(metrics) ? metrics[archived] : undefined),
  listed: ({ [listed]: user }) => user,
});

const reactions: Entries = {
  of: ({ award_emoji: emoji }) => listOf(emoji) ?? [],
  key: ({ name }) => (typeof name === 'string' ? name : null),
  changesSilently: true,
  ...{ field: 'emoji', part: 'emoji' },
};
const eventsOf = (kind: EventKind): Entries => ({
  of: ({ [`resource_${kind}_events`]: events }) => listOf(events) ?? [],
  key: (event) => eventKey(kind, event),
  field: `${kind}_events`,
  isFixed: true,
});
const noteableEntries = {
  emoji_users: reactions,
  ...Object.fromEntries(eventKinds.map((kind) => [`${kind}_event_users`, eventsOf(kind)])),
};
/** Archives have the state in the list of reviewers, and GitLab shows it for a single merge request only. */
const reviews: Entries = {
  of: ({ merge_request_reviewers: archived, reviewer_states: shown }) => listOf(archived ?? shown) ?? [],
  key: ({ state }) => (typeof state === 'string' ? state : null),
  field: 'review_states',
  // GitLab shows when a reviewer was added, but not when a state changed.
  changesSilently: true,
};
/** Each list of a board that shows the issues of one user, with its place among these lists. */
const assigneeLists: Entries = {
  of: ({ lists }) =>
    (listOf(lists) ?? [])
      .toSorted(byPosition)
      .flatMap(({ list_type: type, assignee, ...list }) =>
        isFields(assignee) ? [{ user: assignee }] : type === 'assignee' ? [list] : [],
      )
      .map((list, index, { length }) => ({ ...list, place: `list ${index + 1} of ${length}` })),
  key: ({ place }) => String(place),
  field: 'lists',
};
const listAssignees = 'list_assignees';
const entries: Readonly<Record<string, Readonly<Record<string, Entries>>>> = {
  issues: { ...noteableEntries, iteration_event_users: eventsOf('iteration') },
  merge_requests: { ...noteableEntries, review_state_users: reviews },
  snippets: { emoji_users: reactions },
  notes: { emoji_users: reactions },
  boards: { [listAssignees]: assigneeLists },
  ci_pipelines: { job_users: { of: jobEntries, key: jobKey, field: 'jobs' } },
};

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
    approvers: {
      ...listOfUsers('approvals', 'approved_by'),
      ...{ changesSilently: true, isCountedElsewhere: true },
    },
  },
  releases: { author },
  snippets: { author },
  ci_pipelines: {
    user: { archived: ({ user_id: id }) => id, listed: ({ user }) => user, isCountedElsewhere: true },
  },
  notes: {
    resolved_by: {
      ...{ archived: ({ resolved_by_id: id }) => id, listed: ({ resolved_by: user }) => user },
      isCountedElsewhere: true,
    },
  },
};

/** Returns an entry with its user, for users. */
export const entryText = (role: string, entry: string, username: string): string =>
  role === listAssignees ? `${entry}: ${username}` : `${entry} by ${username}`;

/** Returns the names of the roles of a relation whose users are compared. */
export const roleNames = (relation: string): string[] => [
  ...Object.keys(roles[relation] ?? {}),
  ...Object.keys(entries[relation] ?? {}),
];

/** Returns the field that a record has if the users in the role were read. A role without entries is its own field. */
export const fieldOfRole = (relation: string, role: string): string =>
  entries[relation]?.[role]?.field ?? role;

/** Separates the name of a role from the key of an entry. */
const keySeparator = '\u0000';
export const roleOf = (name: string): { role: string; entry: string | null } => {
  const [role = '', entry = null] = name.split(keySeparator);
  return { role, entry };
};

export const archivedPeople = (relation: string, record: Fields): ArchivedPeople => ({
  ...read(roles[relation] ?? {}, ({ archived }) => idsIn(archived(record))),
  ...readEntries(relation, record, ({ user_id: id }) => (typeof id === 'number' ? id : nobody.id)),
});
export const listedPeople = (relation: string, row: Fields): ListedPeople => ({
  ...read(roles[relation] ?? {}, ({ listed }) => peopleIn(listed(row))),
  ...readEntries(relation, row, ({ user }) => peopleIn(user)?.[0] ?? nobody),
});

/** Returns whether records of the relation have users whose roles are compared. */
export const hasPeople = (relation: string): boolean => relation in roles || relation in entries;

export const isRole = (relation: string, name: string): boolean =>
  Object.hasOwn(roles[relation] ?? {}, name) || Object.hasOwn(entries[relation] ?? {}, name);

/** Returns whether the reply shows users in the role. A role with entries has no users if the record has no entries. */
export function isRoleShown(
  relation: string,
  role: string,
  { users, contents }: { users?: ListedPeople; contents?: Readonly<Record<string, string>> },
): boolean {
  const entryField = entries[relation]?.[role]?.field;
  return entryField === undefined ? users?.[role] !== undefined : contents?.[entryField] !== undefined;
}

/** Returns the users in the role as a comparison names them, with their entries. */
export const namesInRole = (users: ListedPeople, role: string): string[] =>
  Object.entries(users).flatMap(([key, people]) => {
    const { role: own, entry } = roleOf(key);
    return own === role ? namesOfUsers(people, role, entry) : [];
  });

/** Returns users as a comparison names them, with their entry. */
export function namesOfUsers(people: readonly Person[], role: string, entry: string | null): string[] {
  const names = people.map(({ username }) => (username === nobody.username ? 'nobody' : username));
  return entry === null ? names : names.map((name) => entryText(role, entry, name));
}

export const roleChangesSilently = (relation: string, role: string): boolean =>
  (roles[relation]?.[role] ?? entries[relation]?.[role])?.changesSilently === true;

/** Returns whether a comparison reports by this role that a list lacks its users. Some roles are counted elsewhere. */
export const isReportedIfUnlisted = (relation: string, role: string): boolean =>
  roles[relation]?.[role] !== undefined && roles[relation][role].isCountedElsewhere !== true;

/** Returns the part whose times show when users in the role were added. */
export const partOfRole = (relation: string, role: string): string => entries[relation]?.[role]?.part ?? role;

/** Returns whether nobody can change the users in the role. */
export const isFixedRole = (relation: string, role: string): boolean =>
  role === 'author' || entries[relation]?.[role]?.isFixed === true;

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

/** Returns the users of entries by the name of the role and the key of the entry. */
function readEntries<T>(
  relation: string,
  record: Fields,
  user: (entry: Fields) => T,
): Record<string, readonly T[]> {
  const found: Record<string, T[]> = {};
  for (const [role, { of, key }] of Object.entries(entries[relation] ?? {}))
    for (const entry of of(record)) {
      const text = key(entry);
      if (text !== null) (found[`${role}${keySeparator}${text}`] ??= []).push(user(entry));
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
