/** @file The short records of users, namespaces and groups within other records. */
import { selfAndAncestors, type Namespace, type User } from '../../sandbox-database.ts';

export function basicUser(user: User, url: string): object {
  return {
    id: user.id,
    username: user.username,
    public_email: user.email,
    name: user.name,
    state: user.state,
    locked: false,
    avatar_url: null,
    web_url: `${url}/${user.username}`,
  };
}

export function namespaceView(row: Namespace, url: string): object {
  return {
    id: row.id,
    name: row.name,
    path: row.path,
    kind: row.kind,
    full_path: row.fullPath,
    parent_id: row.parent?.id ?? null,
    avatar_url: null,
    web_url: row.kind === 'group' ? `${url}/groups/${row.fullPath}` : `${url}/${row.fullPath}`,
  };
}

/** Returns the names of a namespace and its ancestors, as GitLab displays them. */
export const humanName = (row: Namespace): string =>
  selfAndAncestors(row)
    .map(({ name }) => name)
    .reverse()
    .join(' / ');

export function groupSummary(row: Namespace, url: string): object {
  return {
    id: row.id,
    web_url: `${url}/groups/${row.fullPath}`,
    name: row.name,
    avatar_url: null,
    full_name: humanName(row),
    full_path: row.fullPath,
  };
}

export function groupView(row: Namespace, url: string): object {
  return {
    ...groupSummary(row, url),
    path: row.path,
    description: '',
    visibility: row.visibility,
    share_with_group_lock: false,
    project_creation_level: row.projectCreation,
    subgroup_creation_level: 'maintainer',
    request_access_enabled: true,
    created_at: '2024-01-01T00:00:00.000Z',
    parent_id: row.parent?.id ?? null,
    archived: false,
    marked_for_deletion_on: null,
    shared_runners_setting: 'enabled',
  };
}

export function isProfileVisible(viewer: User | null, user: User): boolean {
  return !user.privateProfile || viewer === user || viewer?.administrator === true;
}

export function matchesUser(user: User, search: string): boolean {
  const text = search.toLowerCase();
  return `${user.username}\n${user.name}`.toLowerCase().includes(text) || user.email.toLowerCase() === text;
}

export function matchesNamespace(row: Namespace, search: string): boolean {
  return `${row.name}\n${row.path}`.toLowerCase().includes(search.toLowerCase());
}
