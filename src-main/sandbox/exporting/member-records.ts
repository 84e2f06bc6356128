/** @file Adds the direct members of a project as records to its export. */
import { isoTime } from '../../platform/clock.ts';
import { encodeRecords, isObject, recordsOf, type ProjectContent } from '../content/project-content.ts';
import { memberRecord } from '../content/record-fields.ts';
import type { Project, SandboxDatabase } from '../sandbox-database.ts';

/** Returns the relations of the content, with records of members who were added after it was created. */
export function withMembers(
  database: SandboxDatabase,
  project: Project,
  content: ProjectContent,
): Map<string, Buffer> {
  const knownEmails = new Set(
    recordsOf(content, 'project_members').map(({ user }) => (isObject(user) ? user['public_email'] : null)),
  );
  const addedRecords = [...project.members].flatMap(([id, level]) => {
    const user = database.users.get(id);
    if (user === undefined || knownEmails.has(user.email)) return [];
    const since = isoTime(project.memberSince.get(id) ?? project.createdAt);
    return [memberRecord(user, level, project.creatorId, { created_at: since, updated_at: since })];
  });
  if (addedRecords.length === 0) return content.relations;
  const existingBytes = content.relations.get('project_members') ?? Buffer.alloc(0);
  const bytes = Buffer.concat([existingBytes, encodeRecords(addedRecords)]);
  return new Map(content.relations).set('project_members', bytes);
}
