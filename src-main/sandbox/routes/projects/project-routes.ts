/** @file Reading one project and its image (gitlab-facts 14.1 and 2.1). */
import type { FastifyInstance } from 'fastify';
import { notFound } from '../../requests/api-error.ts';
import { queryOf } from '../../requests/query.ts';
import { optionalCaller } from '../../requests/server.ts';
import { findProject, type Services } from '../../services.ts';
import { sendFile } from '../transfers/export-routes.ts';
import { projectView, viewOptions } from './project-view.ts';

interface ById {
  Params: { id: string };
}

export function projectRoutes(app: FastifyInstance, services: Services): void {
  const { world } = services;

  app.get<ById>('/projects/:id', (request) => {
    const user = optionalCaller(request)?.user ?? null;
    const project = findProject(world, user, request.params.id);
    return projectView(services, project, user, viewOptions(queryOf(request), true));
  });

  app.get<ById>('/projects/:id/avatar', (request, reply) => {
    const user = optionalCaller(request)?.user ?? null;
    const project = findProject(world, user, request.params.id);
    if (project.avatar === null) throw notFound('Avatar');
    return sendFile(request, reply, { ...project.avatar, madeAt: project.createdAt });
  });
}
