/**
 * @file The effect of importing one relation on the members of its project, and on the users in its records
 * (gitlab-facts 8). An import of a whole project does not use this, because its project has no members yet.
 */
import { isObject, type JsonRecord } from '../content/project-content.ts';
import type { ImporterRights } from './imported-records.ts';
import {
  roles,
  selfAndAncestors,
  type Project,
  type User,
  type SandboxDatabase,
} from '../sandbox-database.ts';

/** Columns of records that hold a user's id. */
const userColumns = new Set(
  (
    'author_id assignee_id updated_by_id merged_by_id latest_closed_by_id user_id created_by_id last_edited_by_id ' +
    'merge_user_id resolved_by_id closed_by_id owner_id'
  ).split(' '),
);

/**
 * Removes all direct members and adds the importer, unless the first member is the importer as Maintainer or higher.
 * The owner of a personal project is its first member, although the sandbox lists none.
 */
export function ensureDefaultMember(
  database: SandboxDatabase,
  project: Project,
  importer: User,
  at: number,
): void {
  const [first] = project.members;
  if (first?.[0] === importer.id && first[1] >= roles.maintainer) return;
  const { namespace, members } = project;
  const isNamespaceOwner =
    namespace.kind === 'user' && database.namespaceRole(importer, namespace) >= roles.owner;
  if (isNamespaceOwner && first === undefined) return;
  members.clear();
  project.memberSince.clear();
  members.set(importer.id, roles.maintainer);
  project.memberSince.set(importer.id, at);
}

/**
 * Returns a map from user ids in the archive to user ids of the target. An administrator's import matches users by
 * e-mail and adds them as members. Any other import matches no user.
 */
export function mapMembers(
  database: SandboxDatabase,
  project: Project,
  importer: User,
  memberRecords: readonly unknown[],
  at: number,
): ReadonlyMap<number, number> {
  const userIds = new Map<number, number>();
  for (const member of importer.administrator ? memberRecords : []) {
    const user = isObject(member) ? member['user'] : null;
    if (!isObject(user) || !isObject(member)) continue;
    const email = user['public_email'] ?? user['email'];
    const match = database.userWithEmail(email);
    if (match === undefined) continue;
    if (!project.members.has(match.id)) {
      project.members.set(match.id, Math.min(Number(member['access_level']), roles.maintainer));
      project.memberSince.set(match.id, at);
    }
    userIds.set(Number(user['id']), match.id);
  }
  return userIds;
}

export function rightsOf(
  database: SandboxDatabase,
  importer: User,
  { namespace }: Project,
  memberRecords: readonly unknown[],
): ImporterRights {
  const users = (importer.administrator ? memberRecords : []).flatMap((member) =>
    isObject(member) && isObject(member['user']) ? [member['user']] : [],
  );
  const mapped = users.filter(
    (user) => database.userWithEmail(user['public_email'] ?? user['email']) !== undefined,
  );
  const topLevel = selfAndAncestors(namespace).at(-1) ?? namespace;
  const isOwner = importer.administrator || database.namespaceRole(importer, topLevel) >= roles.owner;
  return {
    id: importer.id,
    mappedIds: new Set(mapped.map(({ id }) => id)),
    ownsTopLevelGroup: topLevel.kind === 'group' && isOwner,
  };
}

/** Returns the record with the target's user ids. The importer replaces users without a mapping. */
export function replaceUserIds(
  record: JsonRecord,
  userIds: ReadonlyMap<number, number>,
  importer: User,
): JsonRecord {
  const replaceIn = (value: unknown, column: string): unknown => {
    if (userColumns.has(column) && typeof value === 'number') return userIds.get(value) ?? importer.id;
    if (Array.isArray(value)) return value.map((element) => replaceIn(element, ''));
    return isObject(value) ? replaceUserIds(value, userIds, importer) : value;
  };
  return Object.fromEntries(
    Object.entries(record).map(([column, value]) => [column, replaceIn(value, column)]),
  );
}
