/** @file Adds the direct members of a project as records to its export. */
import { isoTime } from '../../platform/clock.ts';
import { encodeRecords, isObject, recordsOf, type ProjectContent } from '../content/project-content.ts';
import { memberRecord } from '../content/record-fields.ts';
import type { Project, SandboxDatabase } from '../sandbox-database.ts';

/** Returns the relations of the content, with records of members who were added after it was created. */
export function withMembers(
  world: SandboxDatabase,
  project: Project,
  content: ProjectContent,
): Map<string, Buffer> {
  const known = new Set(
    recordsOf(content, 'project_members').map(({ user }) => (isObject(user) ? user['public_email'] : null)),
  );
  const added = [...project.members].flatMap(([id, level]) => {
    const user = world.users.get(id);
    if (user === undefined || known.has(user.email)) return [];
    const since = isoTime(project.memberSince.get(id) ?? project.createdAt);
    return [memberRecord(user, level, project.creatorId, { created_at: since, updated_at: since })];
  });
  if (added.length === 0) return content.relations;
  const before = content.relations.get('project_members') ?? Buffer.alloc(0);
  const bytes = Buffer.concat([before, encodeRecords(added)]);
  return new Map(content.relations).set('project_members', bytes);
}
