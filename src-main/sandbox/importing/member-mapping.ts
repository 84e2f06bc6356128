/**
 * @file What importing one relation does to the members of its project, and whom its records belong to afterwards (gitlab-facts 8).
 * A whole import does not come here: its project has no member before.
 */
import { isObject } from '../exporting/losses.ts';
import type { JsonRecord } from '../content/project-content.ts';
import { roles, type Project, type User, type World } from '../world.ts';

/** Columns of records that hold the number of a user. */
const userColumns = new Set([
  'author_id',
  'assignee_id',
  'updated_by_id',
  'merged_by_id',
  'latest_closed_by_id',
  'user_id',
  'created_by_id',
  'last_edited_by_id',
  'merge_user_id',
  'resolved_by_id',
  'closed_by_id',
  'owner_id',
]);

/**
 * Removes all direct members and adds the importer, unless the importer is the first of them with at least Maintainer. The owner of
 * a personal project is its first member, though the sandbox lists nobody.
 */
export function ensureDefaultMember(world: World, project: Project, importer: User, at: number): void {
  const [first] = project.members;
  if (first?.[0] === importer.id && first[1] >= roles.maintainer) return;
  const { namespace, members } = project;
  const isOwn = namespace.kind === 'user' && world.namespaceRole(importer, namespace) >= roles.owner;
  if (isOwn && first === undefined) return;
  members.clear();
  project.memberSince.clear();
  members.set(importer.id, roles.maintainer);
  project.memberSince.set(importer.id, at);
}

/**
 * The user of the target for each number that the members of the archive name; each becomes a member. By e-mail, and only where an
 * administrator imports.
 */
export function mapMembers(
  world: World,
  project: Project,
  importer: User,
  archived: readonly unknown[],
  at: number,
): ReadonlyMap<number, number> {
  const mapped = new Map<number, number>();
  for (const member of importer.administrator ? archived : []) {
    const user = isObject(member) ? member['user'] : null;
    if (!isObject(user) || !isObject(member)) continue;
    const email = user['public_email'] ?? user['email'];
    const match = [...world.users.values()].find((row) => row.email === email);
    if (match === undefined) continue;
    if (!project.members.has(match.id)) {
      project.members.set(match.id, Math.min(Number(member['access_level']), roles.maintainer));
      project.memberSince.set(match.id, at);
    }
    mapped.set(Number(user['id']), match.id);
  }
  return mapped;
}

/** The record with the users of the target; whoever is not mapped becomes the importer. */
export function withUsers(
  record: JsonRecord,
  mapped: ReadonlyMap<number, number>,
  importer: User,
): JsonRecord {
  const changed = (value: unknown, column: string): unknown => {
    if (userColumns.has(column) && typeof value === 'number') return mapped.get(value) ?? importer.id;
    if (Array.isArray(value)) return value.map((element) => changed(element, ''));
    return isObject(value) ? withUsers(value, mapped, importer) : value;
  };
  return Object.fromEntries(
    Object.entries(record).map(([column, value]) => [column, changed(value, column)]),
  );
}
