/** @file Lists of the boards, snippets, badges and pipeline schedules of a project, and its push rule. */
import type { FastifyInstance } from 'fastify';
import { isoTime } from '../../../platform/clock.ts';
import { messageError } from '../../requests/api-error.ts';
import { isObject, recordsOf, singleRecordOf, type JsonRecord } from '../../content/project-content.ts';
import type { Services } from '../../services.ts';
import { fullPath, roles, type Project } from '../../sandbox-database.ts';
import { tierIncludes } from '../../tier.ts';
import { type IdRoute, projectAccess } from '../project-access.ts';
import { objectsIn, rowId, userViews } from './noteable-views.ts';

type View = (record: JsonRecord, id: number, project: Project) => object;

export function projectToolRoutes(app: FastifyInstance, services: Services): void {
  const { database, tier, url } = services;
  const { findReadableProject, findProjectWithRole, paginate } = projectAccess(services);
  const userView = userViews(database, url);

  const addListRoute = (path: string, relation: string, minRole: number | null, view: View): void => {
    app.get<IdRoute>(`/projects/:id/${path}`, (request, reply) => {
      const { project } =
        minRole === null ? findReadableProject(request) : findProjectWithRole(request, minRole);
      const rows = recordsOf(project.content(), relation).map((record, index) => ({ record, index }));
      return paginate(request, reply, rows).map(({ record, index }) =>
        view(record, rowId(project, relation, index), project),
      );
    });
  };

  const hasLimits = tierIncludes(tier, 'premium');
  addListRoute('boards', 'boards', roles.none, (record, id, project) => ({
    id,
    name: record['name'],
    hide_backlog_list: record['hide_backlog_list'] === true,
    hide_closed_list: record['hide_closed_list'] === true,
    project: { id: project.id, name: project.name, path_with_namespace: fullPath(project) },
    lists: objectsIn(record['lists']).flatMap((list, index) =>
      listView(list, id + index, hasLimits, userView),
    ),
    ...(hasLimits && {
      ...{ group: null, milestone: null, assignee: null, labels: [] },
      weight: record['weight'] ?? null,
    }),
  }));

  addListRoute('snippets', 'snippets', roles.none, (record, id, project) => ({
    id,
    title: record['title'],
    description: record['description'] ?? null,
    visibility: { 0: 'private', 10: 'internal', 20: 'public' }[Number(record['visibility_level'])],
    author: userView(record['author_id']),
    created_at: record['created_at'],
    updated_at: record['updated_at'],
    project_id: project.id,
    web_url: `${url()}/${fullPath(project)}/-/snippets/${id}`,
    raw_url: `${url()}/${fullPath(project)}/-/snippets/${id}/raw`,
    file_name: record['file_name'],
    // The sandbox has no repositories of snippets.
    files: [],
  }));

  addListRoute('badges', 'project_badges', null, (record, id, project) => {
    const render = (address: unknown): string =>
      String(address).replaceAll('%{project_path}', fullPath(project));
    return {
      name: record['name'] ?? null,
      link_url: record['link_url'],
      image_url: record['image_url'],
      rendered_link_url: render(record['link_url']),
      rendered_image_url: render(record['image_url']),
      ...{ id, kind: 'project' },
    };
  });

  addListRoute('pipeline_schedules', 'pipeline_schedules', roles.reporter, (record, id) => ({
    id,
    description: record['description'],
    ref: record['ref'],
    cron: record['cron'],
    cron_timezone: record['cron_timezone'],
    next_run_at: record['next_run_at'],
    active: record['active'] === true,
    created_at: record['created_at'],
    updated_at: record['updated_at'],
    owner: userView(record['owner_id']),
  }));

  app.get<IdRoute>('/projects/:id/push_rule', (request, reply) => {
    const { project } = findProjectWithRole(request, roles.maintainer);
    if (!tierIncludes(tier, 'premium')) throw messageError(404, '404 Not Found');
    const rule = singleRecordOf(project.content(), 'push_rule');
    return reply.type('application/json').send(JSON.stringify(rule && pushRuleView(rule, project)));
  });

  app.get<IdRoute>('/projects/:id/error_tracking/settings', (request) => {
    const { project } = findProjectWithRole(request, roles.maintainer);
    const setting = singleRecordOf(project.content(), 'error_tracking_setting');
    if (setting === null) throw messageError(404, '404 Error Tracking Setting Not Found');
    const { api_url: address = null, project_name: name = null } = setting;
    return {
      ...{ active: false, project_name: name, api_url: address, integrated: false },
      sentry_external_url: typeof address === 'string' ? address.replace('api/0/projects/', '') : null,
    };
  });
}

/** GitLab shows the lists that users make, which are those with a position. */
function listView(
  list: JsonRecord,
  id: number,
  hasLimits: boolean,
  userView: (id: unknown) => object | null,
): object[] {
  const { list_type: type, position, label, milestone } = list;
  const limits = hasLimits && {
    max_issue_count: list['max_issue_count'] ?? 0,
    max_issue_weight: list['max_issue_weight'] ?? 0,
    limit_metric: list['limit_metric'] ?? null,
  };
  if (type === 'label' && isObject(label)) {
    const { title: name, color, description = null } = label;
    return [{ id, label: { id, name, color, description }, position, ...limits }];
  }
  if (type === 'assignee')
    return [{ id, label: null, position, assignee: userView(list['user_id']), ...limits }];
  return type === 'milestone' ? [{ id, label: null, position, milestone, ...limits }] : [];
}

function pushRuleView(rule: JsonRecord, project: Project): object {
  const names = [
    ...['commit_message_regex', 'commit_message_negative_regex', 'branch_name_regex', 'deny_delete_tag'],
    ...['member_check', 'prevent_secrets', 'author_email_regex', 'file_name_regex', 'max_file_size'],
    ...['commit_committer_check', 'commit_committer_name_check', 'reject_unsigned_commits'],
    'reject_non_dco_commits',
  ];
  return {
    id: rowId(project, 'push_rule', 0),
    project_id: project.id,
    created_at: rule['created_at'] ?? isoTime(project.createdAt),
    ...Object.fromEntries(names.map((name) => [name, rule[name] ?? null])),
  };
}
