/**
 * @file The effect of importing one relation on the members of its project, and on the users in its records
 * (gitlab-facts 8). An import of a whole project does not use this, because its project has no members yet.
 */
import { isInvitation } from '../content/invitations.ts';
import { encodeRecords, isObject, recordsOf, type JsonRecord } from '../content/project-content.ts';
import type { ImporterRights } from './imported-records.ts';
import {
  roles,
  selfAndAncestors,
  type Project,
  type User,
  type SandboxDatabase,
} from '../sandbox-database.ts';

const membersRelation = 'project_members';

/**
 * Removes all direct members and invitations, and adds the importer, unless the first member is the importer as Maintainer or higher.
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
  const { relations } = project.content();
  const withoutInvitations = recordsOf(project.content(), membersRelation).filter(
    (record) => !isInvitation(record),
  );
  relations.set(membersRelation, encodeRecords(withoutInvitations));
  project.memberSince.clear();
  project.memberUntil.clear();
  members.set(importer.id, roles.maintainer);
  project.memberSince.set(importer.id, at);
}

/**
 * An administrator's import matches users by e-mail and adds them as members, and adds invitations. Any other import adds
 * neither.
 */
export function mapMembers(
  database: SandboxDatabase,
  project: Project,
  importer: User,
  memberRecords: readonly unknown[],
  at: number,
): void {
  for (const member of importer.administrator ? memberRecords : []) {
    if (isObject(member) && isInvitation(member)) addInvitation(project, member);
    const user = isObject(member) ? member['user'] : null;
    if (!isObject(user) || !isObject(member)) continue;
    const match = database.userWithEmail(user['public_email'] ?? user['email']);
    if (match === undefined || project.members.has(match.id)) continue;
    project.members.set(match.id, Math.min(Number(member['access_level']), roles.maintainer));
    project.memberSince.set(match.id, at);
  }
}

/** GitLab only logs a second invitation of an address. */
function addInvitation(project: Project, invitation: JsonRecord): void {
  const content = project.content();
  const records = recordsOf(content, membersRelation);
  if (records.some((record) => record['invite_email'] === invitation['invite_email'])) return;
  const level = Math.min(Number(invitation['access_level']), roles.maintainer);
  content.relations.set(membersRelation, encodeRecords([...records, { ...invitation, access_level: level }]));
}

export function rightsOf(
  database: SandboxDatabase,
  importer: User,
  { namespace }: Project,
  memberRecords: readonly unknown[],
): ImporterRights {
  const userIds = new Map<unknown, number>();
  for (const member of importer.administrator ? memberRecords : []) {
    const user = isObject(member) ? member['user'] : null;
    if (!isObject(user)) continue;
    const match = database.userWithEmail(user['public_email'] ?? user['email']);
    if (match !== undefined) userIds.set(user['id'], match.id);
  }
  const topLevel = selfAndAncestors(namespace).at(-1) ?? namespace;
  const isOwner = importer.administrator || database.namespaceRole(importer, topLevel) >= roles.owner;
  return {
    id: importer.id,
    userIds,
    ownsProject: importer.administrator || database.namespaceRole(importer, namespace) >= roles.owner,
    ownsTopLevelGroup: topLevel.kind === 'group' && isOwner,
  };
}
