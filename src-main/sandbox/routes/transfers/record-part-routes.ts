/** @file The parts of a project's records that no list shows: the files of snippets, and the approvals of merge requests. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { messageError } from '../../requests/api-error.ts';
import { recordsOf, type JsonRecord } from '../../content/project-content.ts';
import { roles } from '../../sandbox-database.ts';
import type { Services } from '../../services.ts';
import { projectAccess } from '../project-access.ts';
import { objectsIn, rowId, userViews } from './noteable-views.ts';

interface RecordRoute {
  Params: { id: string; record: string };
}

export function recordPartRoutes(app: FastifyInstance, services: Services): void {
  const { findProjectWithRole } = projectAccess(services);
  const userView = userViews(services.database, services.url);
  const findRecord = (
    request: FastifyRequest<RecordRoute>,
    relation: 'snippets' | 'merge_requests',
  ): JsonRecord => {
    const { project } = findProjectWithRole(request, roles.none);
    const record = recordsOf(project.content(), relation).find(({ iid }, index) => {
      const number = relation === 'merge_requests' ? iid : rowId(project, relation, index);
      return String(number) === request.params.record;
    });
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

  app.get<RecordRoute>('/projects/:id/merge_requests/:record/approvals', (request) => {
    const approvals = objectsIn(findRecord(request, 'merge_requests')['approvals']);
    return {
      ...{ user_has_approved: false, user_can_approve: true, approved: approvals.length > 0 },
      approved_by: approvals.map(({ user_id: id }) => ({ user: userView(id) })),
    };
  });
}
