/** @file Archiving, deleting and restoring projects (gitlab-facts 14.4 and 2.2). */
import type { FastifyInstance } from 'fastify';
import { messageError } from '../../requests/api-error.ts';
import { parametersOf, type Parameters } from '../../requests/bodies.ts';
import { parseBoolean, textParameter } from '../../requests/query.ts';
import { isAtLeast } from '../../releases.ts';
import type { Services } from '../../services.ts';
import { fullPath, roles, type Project } from '../../sandbox-database.ts';
import { type IdRoute, projectAccess } from '../project-access.ts';
import { projectView } from './project-view.ts';

export function deletionRoutes(app: FastifyInstance, services: Services): void {
  const { clock, deletions, version } = services;
  const { findProjectWithRole } = projectAccess(services);

  for (const [path, archived] of [
    ['archive', true],
    ['unarchive', false],
  ] as const) {
    app.post<IdRoute>(`/projects/:id/${path}`, (request, reply) => {
      const { user, project } = findProjectWithRole(request, roles.owner);
      if (archived && project.archived && isAtLeast(version, '18.9')) {
        const isMarked = project.markedForDeletionOn !== null;
        throw messageError(
          400,
          isMarked
            ? 'Cannot archive project since it is scheduled for deletion.'
            : 'Project is already archived.',
        );
      }
      if (project.archived !== archived) project.updatedAt = clock.now();
      project.archived = archived;
      return reply.code(201).send(projectView(services, project, user));
    });
  }

  app.delete<IdRoute>('/projects/:id', (request, reply) => {
    const { project } = findProjectWithRole(request, roles.owner);
    const since = Date.parse(request.headers['if-unmodified-since'] ?? '');
    if (project.updatedAt >= since + 1000) throw messageError(412, '412 Precondition Failed');
    const parameters = parametersOf(request);
    if (!deletions.options.delayed) {
      deletions.remove(project);
    } else if (isPermanent(parameters)) {
      checkPermanent(project, parameters);
      deletions.remove(project);
    } else {
      if (project.markedForDeletionOn !== null) {
        throw messageError(400, 'Project has already been marked for deletion');
      }
      deletions.mark(project);
    }
    return reply.code(202).send({ message: '202 Accepted' });
  });

  const checkPermanent = (project: Project, parameters: Parameters): void => {
    if (!deletions.options.immediateAllowed) {
      throw messageError(400, '`permanently_remove` option is not permitted on this instance.');
    }
    if (project.markedForDeletionOn === null)
      throw messageError(400, 'Project must be marked for deletion first.');
    if (textParameter(parameters, 'full_path') !== fullPath(project)) {
      throw messageError(400, '`full_path` is incorrect. You must enter the complete path for the project.');
    }
  };

  app.post<IdRoute>('/projects/:id/restore', (request, reply) => {
    const { user, project } = findProjectWithRole(request, roles.owner);
    if (!deletions.options.delayed) throw messageError(404, '404 Not Found');
    if (project.markedForDeletionOn === null)
      throw messageError(400, 'Project has not been marked for deletion');
    deletions.restore(project);
    return reply.code(201).send(projectView(services, project, user));
  });
}

function isPermanent({ permanently_remove: given }: Parameters): boolean {
  return given === true || (typeof given === 'string' && parseBoolean(given) === true);
}
