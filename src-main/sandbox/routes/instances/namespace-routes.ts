/** @file Namespaces, groups and topics (gitlab-facts 11). */
import type { FastifyInstance } from 'fastify';
import { parameterError, notFound, messageError } from '../../requests/api-error.ts';
import { parametersOf } from '../../requests/bodies.ts';
import { offsetPage } from '../../requests/pages.ts';
import { nameProblem, pathProblem } from '../../projects/project-names.ts';
import { booleanOf, choiceOf, numberOf, queryOf, textParameter } from '../../requests/query.ts';
import { callerOf, viewerOf } from '../../requests/server.ts';
import type { Services } from '../../services.ts';
import { roles, visibilities, type Namespace, type User } from '../../sandbox-database.ts';
import type { IdRoute } from '../project-access.ts';
import { basicUser, groupView, matchesNamespace, namespaceView } from '../projects/record-views.ts';

export function namespaceRoutes(app: FastifyInstance, services: Services): void {
  const { database, url } = services;

  app.get('/namespaces', (request, reply) => {
    const { user } = callerOf(request);
    const query = queryOf(request);
    const search = (query.get('search') ?? '').toLowerCase();
    const searchesFullPath = booleanOf(query, 'full_path_search') === true;
    const ownedOnly = booleanOf(query, 'owned_only') === true;
    const topLevelOnly = booleanOf(query, 'top_level_only') === true;
    const rows = [...database.namespaces.values()]
      .filter((row) => user.administrator || database.namespaceRole(user, row) > roles.none)
      .filter((row) => !ownedOnly || database.namespaceRole(user, row) >= roles.owner)
      .filter((row) => !topLevelOnly || row.parent === null)
      .filter(
        (row) =>
          matchesNamespace(row, search) || (searchesFullPath && row.fullPath.toLowerCase().includes(search)),
      );
    return offsetPage(request, reply, url(), rows).map((row) => namespaceView(row, url()));
  });

  app.get<IdRoute>('/namespaces/:id', (request) => {
    const { user } = callerOf(request);
    const row = database.namespace(request.params.id);
    if (row === undefined || !database.canSeeNamespace(user, row)) throw notFound('Namespace');
    return namespaceView(row, url());
  });

  app.get<IdRoute>('/namespaces/:id/exists', (request) => {
    callerOf(request);
    const parent = numberOf(queryOf(request), 'parent_id');
    const path = request.params.id.toLowerCase();
    const isThere = (wanted: string): boolean =>
      [...database.namespaces.values()].some(
        (row) => (row.parent?.id ?? null) === parent && row.path.toLowerCase() === wanted,
      );
    const exists = isThere(path);
    const next = [1, 2, 3, 4, 5].map((count) => `${path}${count}`).find((text) => !isThere(text));
    return { exists, suggests: exists && next !== undefined ? [next] : [] };
  });

  app.get('/groups', (request, reply) => {
    const user = viewerOf(request);
    const query = queryOf(request);
    const minAccessLevel = numberOf(query, 'min_access_level') ?? roles.none;
    const ownedOnly = booleanOf(query, 'owned') === true;
    const topLevelOnly = booleanOf(query, 'top_level_only') === true;
    const wanted = Math.max(minAccessLevel, ownedOnly ? roles.owner : roles.none);
    const rows = [...database.namespaces.values()]
      .filter((row) => row.kind === 'group' && database.canSeeNamespace(user, row))
      .filter((row) => wanted === 0 || roleIn(user, row) >= wanted)
      .filter((row) => !topLevelOnly || row.parent === null)
      .filter((row) => matchesNamespace(row, query.get('search') ?? ''));
    const order = choiceOf(query, 'order_by', ['name', 'path', 'id', 'similarity']) ?? 'name';
    const direction = choiceOf(query, 'sort', ['asc', 'desc']) === 'desc' ? -1 : 1;
    const key = (row: Namespace): string => (order === 'path' ? row.path : row.name);
    const compare = (a: Namespace, b: Namespace): number =>
      order === 'id' ? a.id - b.id : key(a).localeCompare(key(b));
    rows.sort((a, b) => compare(a, b) * direction);
    return offsetPage(request, reply, url(), rows).map((row) => groupView(row, url()));
  });

  const roleIn = (user: User | null, row: Namespace): number => {
    if (user === null) return roles.none;
    return user.administrator ? roles.owner : database.namespaceRole(user, row);
  };

  const groupAt = (user: User | null, idOrPath: string): Namespace => {
    const row = database.namespace(idOrPath);
    if (row?.kind !== 'group' || !database.canSeeNamespace(user, row)) throw notFound('Group');
    return row;
  };

  app.get<IdRoute>('/groups/:id', (request) =>
    groupView(groupAt(viewerOf(request), request.params.id), url()),
  );

  app.get<{ Params: { id: string; userId: string } }>('/groups/:id/members/all/:userId', (request) => {
    const row = groupAt(viewerOf(request), request.params.id);
    const member = database.users.get(Number(request.params.userId));
    const level = member === undefined ? roles.none : database.namespaceRole(member, row);
    if (member === undefined || level === roles.none) throw messageError(404, '404 Not found');
    return { ...basicUser(member, url()), access_level: level, expires_at: null };
  });

  app.post('/groups', (request, reply) => {
    const { user } = callerOf(request);
    const parameters = parametersOf(request);
    const missing = ['name', 'path'].filter((name) => textParameter(parameters, name) === null);
    if (missing.length > 0) throw parameterError(400, missing.map((name) => `${name} is missing`).join(', '));
    const [name, path] = [textParameter(parameters, 'name') ?? '', textParameter(parameters, 'path') ?? ''];
    const visibility = visibilities.find(
      (word) => word === (textParameter(parameters, 'visibility') ?? 'private'),
    );
    if (visibility === undefined) throw parameterError(400, 'visibility does not have a valid value');
    const parentId = textParameter(parameters, 'parent_id');
    const parent = parentId === null ? null : database.namespaces.get(Number(parentId));
    if (parent === undefined) throw notFound('Group');
    if (parent !== null && roleIn(user, parent) < roles.maintainer) throw messageError(403, '403 Forbidden');
    const problems = {
      ...(nameProblem(name) === null ? {} : { name: [nameProblem(name)] }),
      ...(pathProblem(path) === null ? {} : { path: [pathProblem(path)] }),
    };
    if (database.namespace(parent === null ? path : `${parent.fullPath}/${path}`) !== undefined) {
      throw messageError(400, 'Failed to save group {:path=>["has already been taken"]}');
    }
    if (Object.keys(problems).length > 0) throw messageError(400, problems);
    const group = database.addNamespace({ kind: 'group', name, path, visibility, parent });
    group.members.set(user.id, roles.owner);
    return reply.code(201).send(groupView(group, url()));
  });

  app.get('/topics', (request, reply) => {
    const search = (queryOf(request).get('search') ?? '').toLowerCase();
    const rows = [...database.topics.values()].filter(({ name }) => name.toLowerCase().includes(search));
    const uses = (name: string): number =>
      [...database.projects.values()].filter((project) => project.topics.includes(name)).length;
    return offsetPage(request, reply, url(), rows).map(({ id, name }) => ({
      id,
      name,
      title: name,
      description: null,
      total_projects_count: uses(name),
      organization_id: 1,
      avatar_url: null,
    }));
  });
}
