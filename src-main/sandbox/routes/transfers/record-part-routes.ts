/** @file The parts of a project's records that no list shows: the files of snippets. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { messageError } from '../../requests/api-error.ts';
import { recordsOf, type JsonRecord } from '../../content/project-content.ts';
import { roles } from '../../sandbox-database.ts';
import type { Services } from '../../services.ts';
import { projectAccess } from '../project-access.ts';
import { rowId } from './noteable-views.ts';

interface RecordRoute {
  Params: { id: string; record: string };
}

export function recordPartRoutes(app: FastifyInstance, services: Services): void {
  const { findProjectWithRole } = projectAccess(services);
  const findRecord = (request: FastifyRequest<RecordRoute>, relation: string): JsonRecord => {
    const { project } = findProjectWithRole(request, roles.none);
    const record = recordsOf(project.content(), relation).find(
      (_, index) => String(rowId(project, relation, index)) === request.params.record,
    );
    if (record === undefined) throw messageError(404, '404 Not Found');
    return record;
  };

  app.get<RecordRoute>('/projects/:id/snippets/:record/raw', (request, reply) => {
    const { content } = findRecord(request, 'snippets');
    return reply
      .type('text/plain')
      .header('Content-Disposition', 'attachment')
      .send(typeof content === 'string' ? content : '');
  });
}
