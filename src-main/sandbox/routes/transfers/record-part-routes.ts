/** @file The parts of a project's records that no list shows: the files of snippets, approvals, reactions, jobs, and events. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { messageError } from '../../requests/api-error.ts';
import { notesOf, recordsOf, type JsonRecord } from '../../content/project-content.ts';
import { roles } from '../../sandbox-database.ts';
import type { Services } from '../../services.ts';
import { projectAccess } from '../project-access.ts';
import { objectsIn, rowId, userViews } from './noteable-views.ts';

interface RecordRoute {
  Params: { id: string; record: string };
}
interface NoteRoute {
  Params: RecordRoute['Params'] & { note: string };
}

const hasIid = (relation: string): boolean => relation === 'issues' || relation === 'merge_requests';

const awardables = ['issues', 'merge_requests', 'snippets'] as const;

export function recordPartRoutes(app: FastifyInstance, services: Services): void {
  const { findReadableProject, findProjectWithRole, paginate } = projectAccess(services);
  const userView = userViews(services.database, services.url);
  const findRecord = (
    request: FastifyRequest<RecordRoute>,
    relation: (typeof awardables)[number] | 'ci_pipelines',
  ): JsonRecord => {
    const { project } =
      relation === 'snippets' ? findProjectWithRole(request, roles.none) : findReadableProject(request);
    const record = recordsOf(project.content(), relation).find(({ iid }, index) => {
      const number = hasIid(relation) ? iid : rowId(project, relation, index);
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

  app.get<RecordRoute>('/projects/:id/pipelines/:record/jobs', (request, reply) => {
    const jobs = objectsIn(findRecord(request, 'ci_pipelines')['stages']).flatMap(({ name: stage, builds }) =>
      objectsIn(builds).map(({ name, status }) => ({ name, status, stage })),
    );
    const rows = jobs.map((job, index) => ({ id: index + 1, ...job }));
    return paginate(request, reply, rows.reverse());
  });

  const emojiOf = ({ award_emoji: emoji }: JsonRecord): object[] =>
    objectsIn(emoji).map(({ name, user_id: user, awardable_type: type }, index) => ({
      ...{ id: index + 1, name, user: userView(user), awardable_type: type },
    }));
  for (const relation of awardables) {
    const path = `/projects/:id/${relation}/:record`;
    app.get<RecordRoute>(`${path}/award_emoji`, (request, reply) =>
      paginate(request, reply, emojiOf(findRecord(request, relation))),
    );
    app.get<NoteRoute>(`${path}/notes/:note/award_emoji`, (request, reply) => {
      const note = notesOf(findRecord(request, relation))[Number(request.params.note) - 1];
      if (note === undefined) throw messageError(404, '404 Not Found');
      return paginate(request, reply, emojiOf(note));
    });
  }

  for (const relation of ['issues', 'merge_requests'] as const)
    for (const kind of ['state', 'label', 'milestone'])
      app.get<RecordRoute>(`/projects/:id/${relation}/:record/resource_${kind}_events`, (request, reply) => {
        const events = objectsIn(findRecord(request, relation)[`resource_${kind}_events`]);
        const rows = events.map(({ user_id: user, ...event }, index) => ({
          ...{ id: index + 1, user: userView(user), ...event },
        }));
        return paginate(request, reply, rows);
      });
}
