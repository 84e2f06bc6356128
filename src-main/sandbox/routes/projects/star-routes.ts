/** @file Stars of projects (gitlab-facts 14.4). */
import type { FastifyInstance } from 'fastify';
import { isoTime } from '../../../platform/clock.ts';
import { queryOf } from '../../requests/query.ts';
import type { Services } from '../../services.ts';
import { type IdRoute, projectAccess } from '../project-access.ts';
import { projectView } from './project-view.ts';
import { basicUser, matchesUser, isProfileVisible } from './record-views.ts';

export function starRoutes(app: FastifyInstance, services: Services): void {
  const { database, clock, url } = services;
  const { findReadableProject, findProjectWithRole, paginate } = projectAccess(services);

  for (const [path, isStarred] of [
    ['star', true],
    ['unstar', false],
  ] as const) {
    app.post<IdRoute>(`/projects/:id/${path}`, (request, reply) => {
      const { user, project } = findProjectWithRole(request);
      if (project.stars.has(user.id) === isStarred) return reply.code(304).send();
      if (isStarred) project.stars.set(user.id, clock.now());
      else project.stars.delete(user.id);
      return reply.code(201).send(projectView(services, project, user));
    });
  }

  app.get<IdRoute>('/projects/:id/starrers', (request, reply) => {
    const { viewer, project } = findReadableProject(request);
    const search = queryOf(request).get('search') ?? '';
    const rows = [...project.stars].flatMap(([id, at]) => {
      const user = database.users.get(id);
      if (user === undefined || !isProfileVisible(viewer, user) || !matchesUser(user, search)) return [];
      return [{ starred_since: isoTime(at), user: basicUser(user, url()) }];
    });
    return paginate(request, reply, rows);
  });
}
