/** @file Reading one project and its avatar (gitlab-facts 14.1 and 2.1). */
import type { FastifyInstance } from 'fastify';
import { notFound } from '../../requests/api-error.ts';
import { queryOf } from '../../requests/query.ts';
import type { Services } from '../../services.ts';
import { type IdRoute, projectAccess } from '../project-access.ts';
import { sendFile } from '../transfers/export-routes.ts';
import { projectView, viewOptions } from './project-view.ts';

export function projectRoutes(app: FastifyInstance, services: Services): void {
  const { findReadableProject } = projectAccess(services);

  app.get<IdRoute>('/projects/:id', (request) => {
    const { viewer, project } = findReadableProject(request);
    return projectView(services, project, viewer, viewOptions(queryOf(request), true));
  });

  app.get<IdRoute>('/projects/:id/avatar', (request, reply) => {
    const { project } = findReadableProject(request);
    if (project.avatar === null) throw notFound('Avatar');
    const { name, bytes } = project.avatar;
    return Buffer.isBuffer(bytes)
      ? reply.type('application/octet-stream').send(bytes)
      : sendFile(request, reply, { ...bytes, name, createdAt: project.createdAt });
  });
}
