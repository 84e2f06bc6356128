/** @file The lists of projects (gitlab-facts 14.2, 3 and 10). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../../requests/api-error.ts';
import { keysetPage, offsetPage } from '../../requests/pages.ts';
import { filterProjects } from '../../projects/project-filters.ts';
import { sortProjects, sortingOf } from '../../projects/project-orders.ts';
import { booleanOf, queryOf } from '../../requests/query.ts';
import { viewerOf } from '../../requests/server.ts';
import type { Services } from '../../services.ts';
import { selfAndAncestors, type Project, type User } from '../../sandbox-database.ts';
import { type IdRoute, projectAccess } from '../project-access.ts';
import { projectJson, viewOptions } from './project-view.ts';
import { isProfileVisible } from './record-views.ts';

interface UserRoute {
  Params: { user_id: string };
}

export function projectListRoutes(app: FastifyInstance, services: Services): void {
  const { database, url, tier } = services;
  /** Returns a page of the projects in `rows` that match the query. `isGlobalList`: true for `/projects`. */
  const sendPage = (
    request: FastifyRequest,
    reply: FastifyReply,
    rows: Iterable<Project>,
    { isGlobalList = false, query = queryOf(request) } = {},
  ): FastifyReply => {
    const user = viewerOf(request);
    const options = viewOptions(query, false);
    const sorting = sortingOf(query, isGlobalList);
    const applyFilters = (projects: Iterable<Project>) =>
      filterProjects({ database, user, tier }, projects, query);
    // In id order, only the rows of the page need to be tested.
    const page =
      query.get('pagination') === 'keyset'
        ? keysetPage(request, reply, url(), applyFilters(sorting.sort === 'asc' ? rows : [...rows].reverse()))
        : offsetPage(request, reply, url(), sortProjects(applyFilters(rows), sorting, { query, user }), true);
    const records = page.map((project) => projectJson(services, project, user, options));
    return reply.type('application/json; charset=utf-8').send(jsonArray(records));
  };

  const userOf = (request: FastifyRequest<UserRoute>): User => {
    const user = database.user(request.params.user_id);
    if (user === undefined) throw notFound('User');
    return user;
  };

  /** Adds a route that lists the projects related to a user; a private profile has an empty list. */
  const addUserRoute = (
    path: string,
    choose: (user: User) => (project: Project) => boolean,
    hasFilters = true,
  ): void => {
    app.get<UserRoute>(`/users/:user_id/${path}`, (request, reply) => {
      const user = userOf(request);
      const rows = isProfileVisible(viewerOf(request), user)
        ? [...database.projects.values()].filter(choose(user))
        : [];
      const query = hasFilters ? queryOf(request) : withoutFilters(queryOf(request));
      return sendPage(request, reply, rows, { query });
    });
  };

  app.get('/projects', (request, reply) =>
    sendPage(request, reply, database.projects.values(), { isGlobalList: true }),
  );

  addUserRoute('projects', (user) => {
    const namespace = database.personalNamespace(user);
    return (project) => project.namespace === namespace;
  });
  addUserRoute('contributed_projects', (user) => (project) => project.contributors.has(user.id), false);
  addUserRoute('starred_projects', (user) => (project) => project.stars.has(user.id));

  app.get<IdRoute>('/projects/:id/forks', (request, reply) => {
    const source = projectAccess(services).findReadableProject(request).project;
    const forks = [...source.forks].flatMap((id) => database.projects.get(id) ?? []);
    return sendPage(request, reply, forks);
  });

  app.get<IdRoute>('/groups/:id/projects', (request, reply) => {
    const group = database.namespace(request.params.id);
    if (group?.kind !== 'group' || !database.canSeeNamespace(viewerOf(request), group))
      throw notFound('Group');
    const query = queryOf(request);
    const withSubgroups = booleanOf(query, 'include_subgroups') === true;
    const withShared = booleanOf(query, 'with_shared') ?? true;
    const rows = [...database.projects.values()].filter(
      (project) =>
        (withSubgroups ? selfAndAncestors(project.namespace).includes(group) : project.namespace === group) ||
        (withShared && project.shares.has(group.id)),
    );
    return sendPage(request, reply, rows);
  });
}

/** Encodes each record separately, because a character beyond Latin-1 would double the memory of one joined text. */
function jsonArray(records: readonly string[]): Buffer {
  return Buffer.concat([
    Buffer.from('['),
    ...records.map((record, index) => Buffer.from(index === 0 ? record : `,${record}`)),
    Buffer.from(']'),
  ]);
}

function withoutFilters(query: URLSearchParams): URLSearchParams {
  const keptNames = ['order_by', 'sort', 'simple', 'page', 'per_page', 'pagination', 'id_after', 'id_before'];
  return new URLSearchParams([...query].filter(([name]) => keptNames.includes(name)));
}
