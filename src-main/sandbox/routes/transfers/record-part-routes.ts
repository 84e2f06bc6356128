/** @file The parts of a project's records that no list shows: the files of snippets, approvals, reactions, and events. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { messageError } from '../../requests/api-error.ts';
import { isObject, notesOf, recordsOf, type JsonRecord } from '../../content/project-content.ts';
import { isoTime } from '../../../platform/clock.ts';
import { roles, selfAndAncestors } from '../../sandbox-database.ts';
import type { Services } from '../../services.ts';
import { tierIncludes } from '../../tier.ts';
import { projectAccess, type IdRoute } from '../project-access.ts';
import { objectsIn, rowId, userViews } from './noteable-views.ts';

interface RecordRoute {
  Params: { id: string; record: string };
}
interface VersionRoute {
  Params: RecordRoute['Params'] & { version: string };
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
    relation: (typeof awardables)[number],
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
      approved_by: approvals.map(({ user_id: id, created_at: at }) => ({
        ...{ user: userView(id), approved_at: at ?? null },
      })),
    };
  });

  app.get<RecordRoute>('/projects/:id/merge_requests/:record/reviewers', (request) =>
    objectsIn(findRecord(request, 'merge_requests')['merge_request_reviewers']).map(
      ({ user_id: id, state, created_at: at }) => ({
        ...{ user: userView(id), state: state ?? 'unreviewed', created_at: at ?? null },
      }),
    ),
  );

  // An archive contains only the newest version of the changes.
  const version = 1;
  app.get<RecordRoute>('/projects/:id/merge_requests/:record/versions', (request, reply) => {
    const view = diffView(findRecord(request, 'merge_requests'), version);
    return paginate(request, reply, view === null ? [] : [view.version]);
  });
  app.get<VersionRoute>('/projects/:id/merge_requests/:record/versions/:version', (request) => {
    const view = diffView(findRecord(request, 'merge_requests'), version);
    if (view === null || request.params.version !== String(version)) throw messageError(404, '404 Not Found');
    return { ...view.version, commits: view.commits, diffs: view.files };
  });

  const emojiOf = ({ award_emoji: emoji }: JsonRecord): object[] =>
    objectsIn(emoji).map(({ name, user_id: user, awardable_type: type, created_at: at }, index) => ({
      ...{ id: index + 1, name, user: userView(user), awardable_type: type },
      ...(at !== undefined && { created_at: at }),
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

  const addEventRoute = (relation: 'issues' | 'merge_requests', kind: string): void => {
    app.get<RecordRoute>(`/projects/:id/${relation}/:record/resource_${kind}_events`, (request, reply) => {
      const events = objectsIn(findRecord(request, relation)[`resource_${kind}_events`]);
      const rows = events.map(({ user_id: user, label, ...event }, index) => ({
        ...{ id: index + 1, user: userView(user), ...event },
        // The title of a label is its name here.
        ...(label !== undefined && {
          label: isObject(label) ? { id: index + 1, name: label['title'] } : null,
        }),
      }));
      return paginate(request, reply, rows);
    });
  };
  for (const relation of ['issues', 'merge_requests'] as const)
    for (const kind of ['state', 'label', 'milestone']) addEventRoute(relation, kind);
  if (tierIncludes(services.tier, 'premium')) {
    addEventRoute('issues', 'iteration');
    app.get<IdRoute>('/projects/:id/iterations', (request, reply) => {
      const { project } = findReadableProject(request);
      const rows = selfAndAncestors(project.namespace).flatMap(({ id: group, iterations }) =>
        iterations.map(({ id, iid, startDate, dueDate, createdAt }) => ({
          ...{ id, iid, group_id: group, title: null, description: null, state: 1 },
          ...{ start_date: startDate, due_date: dueDate },
          ...{ created_at: isoTime(createdAt), updated_at: isoTime(createdAt) },
        })),
      );
      return paginate(request, reply, rows);
    });
  }
}

function commitView({ sha, message, commit_author: author, committer, ...columns }: JsonRecord) {
  const personView = (person: unknown, name: string): JsonRecord => ({
    [`${name}_name`]: (isObject(person) ? person['name'] : columns[`${name}_name`]) ?? null,
    [`${name}_email`]: (isObject(person) ? person['email'] : columns[`${name}_email`]) ?? null,
  });
  return {
    ...{ id: sha, short_id: String(sha).slice(0, 8), title: String(message).split('\n')[0], message },
    ...{ ...personView(author, 'author'), authored_date: columns['authored_date'] ?? null },
    ...{ ...personView(committer, 'committer'), committed_date: columns['committed_date'] ?? null },
  };
}

/** Returns the changes of a merge request as GitLab shows them; null for a merge request without changes. */
function diffView({ merge_request_diff: diff, iid }: JsonRecord, id: number) {
  if (!isObject(diff)) return null;
  const shas = ['head_commit_sha', 'base_commit_sha', 'start_commit_sha'] as const;
  return {
    version: {
      ...{ id, merge_request_id: iid },
      ...Object.fromEntries(shas.map((name) => [name, diff[name] ?? null])),
      ...{ created_at: diff['created_at'] ?? null, state: diff['state'] ?? 'collected' },
      ...{ real_size: diff['real_size'] ?? null },
    },
    commits: objectsIn(diff['merge_request_diff_commits']).map(commitView),
    files: objectsIn(diff['merge_request_diff_files']).map((file) => ({
      diff: file['utf8_diff'] ?? '',
      ...{ collapsed: false, too_large: file['too_large'] === true },
      ...{ new_path: file['new_path'], old_path: file['old_path'] ?? file['new_path'] },
      ...{ a_mode: file['a_mode'] ?? null, b_mode: file['b_mode'] ?? null },
      ...{ new_file: file['new_file'] === true, renamed_file: file['renamed_file'] === true },
      ...{ deleted_file: file['deleted_file'] === true, generated_file: null },
    })),
  };
}
