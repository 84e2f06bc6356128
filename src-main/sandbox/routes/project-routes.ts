/** @file Listing, reading and deleting projects (gitlab-facts 2, 3 and 10). */
import type { FastifyInstance } from 'fastify';
import { isoTime } from '../../platform/clock.ts';
import { invalid, refuse } from '../api-error.ts';
import { keysetPage, offsetPage } from '../pages.ts';
import { booleanOf, numberOf, queryOf } from '../query.ts';
import { callerOf, optionalCaller } from '../server.ts';
import { findProject, type Services } from '../services.ts';
import { fullPath, roles, type Project, type User, type World } from '../world.ts';
import { fullView, simpleView } from './project-view.ts';

interface ById {
  Params: { id: string };
}

const byId = (project: Project): number => project.id;

/** Comparable values by `order_by`. Creation time is id order, as on a real server. */
const orders: Record<string, (project: Project) => number | string> = {
  id: byId,
  created_at: byId,
  name: (project) => project.name.toLowerCase(),
  path: (project) => project.path.toLowerCase(),
  updated_at: (project) => project.updatedAt,
  last_activity_at: (project) => project.lastActivityAt,
  similarity: byId,
  star_count: () => 0,
};

export function projectRoutes(app: FastifyInstance, services: Services): void {
  const { world, url, clock } = services;

  app.get('/projects', (request, reply) => {
    const user = optionalCaller(request)?.user ?? null;
    const query = queryOf(request);
    const rows = sorted(filtered(world, user, query), query);
    const page =
      query.get('pagination') === 'keyset'
        ? keysetPage(request, reply, url(), rows)
        : offsetPage(request, reply, url(), rows, true);
    if (user === null || booleanOf(query, 'simple') === true) {
      return page.map((project) => simpleView(services, project));
    }
    const statistics = booleanOf(query, 'statistics') === true;
    return page.map((project) => fullView(services, project, user, { single: false, statistics }));
  });

  app.get<ById>('/projects/:id', (request) => {
    const user = optionalCaller(request)?.user ?? null;
    const project = findProject(world, user, request.params.id);
    if (user === null) return simpleView(services, project);
    const statistics = booleanOf(queryOf(request), 'statistics') === true;
    return fullView(services, project, user, { single: true, statistics });
  });

  app.delete<ById>('/projects/:id', (request, reply) => {
    const { user } = callerOf(request);
    const project = findProject(world, user, request.params.id);
    if (world.role(user, project) < roles.owner) throw refuse(403, '403 Forbidden');
    if (project.markedForDeletionOn !== null) {
      throw refuse(400, 'Project has already been marked for deletion');
    }
    const suffix = `-deletion_scheduled-${project.id}`;
    world.rename(project, `${project.path}${suffix}`, `${project.name}${suffix}`);
    project.markedForDeletionOn = isoTime(clock.now()).slice(0, 10);
    project.archived = true;
    project.updatedAt = clock.now();
    return reply.code(202).send({ message: '202 Accepted' });
  });
}

function filtered(world: World, user: User | null, query: URLSearchParams): Project[] {
  const membership = booleanOf(query, 'membership') === true;
  const owned = booleanOf(query, 'owned') === true;
  const least = numberOf(query, 'min_access_level') ?? roles.none;
  const archived = booleanOf(query, 'archived');
  const visibility = query.get('visibility');
  const words = (query.get('search') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const after = numberOf(query, 'id_after');
  const before = numberOf(query, 'id_before');
  const needsMember = membership || owned || least > roles.none;
  if (needsMember && user === null) return [];

  const wide = booleanOf(query, 'search_namespaces') === true;
  const isWanted = (project: Project): boolean => {
    if (after !== null && project.id <= after) return false;
    if (before !== null && project.id >= before) return false;
    if (!world.canRead(user, project)) return false;
    if (needsMember && user !== null) {
      const role = world.memberRole(user, project);
      if (role < Math.max(least, owned ? roles.owner : 1)) return false;
    }
    if (archived !== null && project.archived !== archived) return false;
    if (visibility !== null && project.visibility !== visibility) return false;
    if (words.length === 0) return true;
    const text = `${project.path}\n${project.name}\n${project.description ?? ''}`.toLowerCase();
    const place = wide ? fullPath(project).toLowerCase() : '';
    return words.every((word) => text.includes(word) || place.includes(word));
  };
  return [...world.projects.values()].filter(isWanted);
}

function sorted(rows: Project[], query: URLSearchParams): Project[] {
  const key = orders[query.get('order_by') ?? 'created_at'];
  if (key === undefined) throw invalid(400, 'order_by does not have a valid value');
  const sort = query.get('sort') ?? 'desc';
  if (sort !== 'asc' && sort !== 'desc') throw invalid(400, 'sort does not have a valid value');
  // Rows are kept in id order, and most lists ask for nothing else.
  if (key === byId) return sort === 'asc' ? rows : rows.reverse();
  const direction = sort === 'asc' ? 1 : -1;
  const compare = (a: Project, b: Project): number => {
    const [left, right] = [key(a), key(b)];
    return (left < right ? -1 : left > right ? 1 : a.id - b.id) * direction;
  };
  return rows.sort(compare);
}
