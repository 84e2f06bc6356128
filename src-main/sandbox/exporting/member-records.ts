/** @file Adds the direct members of a project as records to its export. */
import { isoTime } from '../../platform/clock.ts';
import {
  encodeRecords,
  recordsOf,
  type JsonRecord,
  type ProjectContent,
} from '../content/project-content.ts';
import { isObject } from './losses.ts';
import type { Project, World } from '../world.ts';

/** Returns the relations of the content, with records of members who were added after it was created. */
export function withMembers(world: World, project: Project, content: ProjectContent): Map<string, Buffer> {
  const known = new Set(
    recordsOf(content, 'project_members').map(({ user }) => (isObject(user) ? user['public_email'] : null)),
  );
  const added: JsonRecord[] = [...project.members].flatMap(([id, level]) => {
    const user = world.users.get(id);
    if (user === undefined || known.has(user.email)) return [];
    const { username, email } = user;
    const since = isoTime(project.memberSince.get(id) ?? project.createdAt);
    const times = { created_at: since, updated_at: since };
    return [
      {
        access_level: level,
        source_type: 'Project',
        user_id: id,
        notification_level: 3,
        ...times,
        created_by_id: project.creatorId,
        invite_email: null,
        requested_at: null,
        expires_at: null,
        ldap: false,
        override: false,
        user: { id, username, public_email: email },
      },
    ];
  });
  if (added.length === 0) return content.relations;
  const before = content.relations.get('project_members') ?? Buffer.alloc(0);
  const bytes = Buffer.concat([before, encodeRecords(added)]);
  return new Map(content.relations).set('project_members', bytes);
}
