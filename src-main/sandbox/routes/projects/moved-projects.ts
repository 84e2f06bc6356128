/** @file Hooks before every route of a project: old paths are redirected, and due deletions are carried out. */
import type { FastifyInstance } from 'fastify';
import { ApiError, messageError } from '../../requests/api-error.ts';
import { viewerOf } from '../../requests/server.ts';
import { findAnyProject, type Services } from '../../services.ts';

export function movedProjectHooks(app: FastifyInstance, services: Services): void {
  const { database, url, deletions } = services;

  app.addHook('preHandler', (request, _reply, done) => {
    deletions.sweep();
    const { id } = request.params as { id?: string };
    const isProject = /^\/api\/v4\/projects\/:id(?:\/|$)/.test(request.routeOptions.url ?? '');
    const isOld = id !== undefined && isProject && findAnyProject(database, id) === undefined;
    const project = isOld ? database.redirectedProject(id) : undefined;
    if (project === undefined || !database.canRead(viewerOf(request), project)) {
      done();
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw messageError(405, 'Non GET methods are not allowed for moved projects');
    }
    const rest = request.url.replace(/^\/api\/v4\/projects\/[^/?]+/, '');
    const target = `${url()}/api/v4/projects/${project.id}${rest}`;
    throw new ApiError(301, `This resource has been moved permanently to ${target}`, {
      Location: target,
      'Content-Type': 'text/plain',
    });
  });
}
