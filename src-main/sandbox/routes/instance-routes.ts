/** @file Version, the caller's user, namespaces and groups (gitlab-facts 11). */
import type { FastifyInstance } from 'fastify';
import { notFound } from '../api-error.ts';
import { offsetPage } from '../pages.ts';
import { numberOf, queryOf } from '../query.ts';
import { callerOf } from '../server.ts';
import type { Services } from '../services.ts';
import { hexOf, roles, type Namespace, type User } from '../world.ts';

interface ById {
  Params: { id: string };
}

export function instanceRoutes(app: FastifyInstance, services: Services): void {
  const { world, version, url } = services;

  const versionView = (): object => ({
    version,
    revision: hexOf(version, 11),
    kas: { enabled: false, externalUrl: null, externalK8sProxyUrl: null, version: null },
    enterprise: version.endsWith('-ee'),
  });

  for (const path of ['/version', '/metadata']) {
    app.get(path, { config: { scopes: ['api', 'read_api', 'read_user', 'ai_features'] } }, (request) => {
      callerOf(request);
      return versionView();
    });
  }

  app.get('/user', { config: { scopes: ['api', 'read_api', 'read_user'] } }, (request) => {
    const { user } = callerOf(request);
    return {
      ...basicUser(user, url()),
      created_at: '2024-01-01T00:00:00.000Z',
      bio: '',
      email: user.email,
      public_email: user.email,
      commit_email: user.email,
      two_factor_enabled: false,
      external: false,
      can_create_group: true,
      can_create_project: true,
      projects_limit: 100_000,
      identities: [],
      private_profile: false,
      ...(user.administrator ? { is_admin: true, note: null, namespace_id: ownNamespace(user)?.id } : {}),
    };
  });

  const ownNamespace = (user: User): Namespace | undefined =>
    [...world.namespaces.values()].find((row) => row.kind === 'user' && row.path === user.username);

  const matching = (rows: Namespace[], search: string | null): Namespace[] => {
    const text = (search ?? '').toLowerCase();
    return rows.filter((row) => `${row.name} ${row.path}`.toLowerCase().includes(text));
  };

  app.get('/namespaces', (request, reply) => {
    const { user } = callerOf(request);
    const mine = [...world.namespaces.values()].filter(
      (row) => user.administrator || world.namespaceRole(user, row) > roles.none,
    );
    const rows = matching(mine, queryOf(request).get('search'));
    return offsetPage(request, reply, url(), rows).map((row) => namespaceView(row, url()));
  });

  app.get<ById>('/namespaces/:id', (request) => {
    const { user } = callerOf(request);
    const row = world.namespace(request.params.id);
    if (row === undefined || !world.canSeeNamespace(user, row)) throw notFound('Namespace');
    return namespaceView(row, url());
  });

  app.get('/groups', (request, reply) => {
    const { user } = callerOf(request);
    const query = queryOf(request);
    const least = numberOf(query, 'min_access_level') ?? roles.none;
    const rows = [...world.namespaces.values()]
      .filter((row) => row.kind === 'group' && world.canSeeNamespace(user, row))
      .filter((row) => least === 0 || user.administrator || world.namespaceRole(user, row) >= least)
      .sort((a, b) => a.name.localeCompare(b.name));
    const page = offsetPage(request, reply, url(), matching(rows, query.get('search')));
    return page.map((row) => groupView(row, url()));
  });

  app.get<ById>('/groups/:id', (request) => {
    const { user } = callerOf(request);
    const row = world.namespace(request.params.id);
    if (row?.kind !== 'group' || !world.canSeeNamespace(user, row)) throw notFound('Group');
    return groupView(row, url());
  });
}

/** The short form in which users appear inside other records. */
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

function groupView(row: Namespace, url: string): object {
  const names: string[] = [];
  for (let at: Namespace | null = row; at !== null; at = at.parent) names.unshift(at.name);
  return {
    id: row.id,
    web_url: `${url}/groups/${row.fullPath}`,
    name: row.name,
    path: row.path,
    description: '',
    visibility: row.visibility,
    share_with_group_lock: false,
    project_creation_level: row.projectCreation,
    subgroup_creation_level: 'maintainer',
    request_access_enabled: true,
    full_name: names.join(' / '),
    full_path: row.fullPath,
    created_at: '2024-01-01T00:00:00.000Z',
    parent_id: row.parent?.id ?? null,
    avatar_url: null,
    archived: false,
    marked_for_deletion_on: null,
    shared_runners_setting: 'enabled',
  };
}
