/** @file The lists of a project's relations, with the fields that are needed to count records and to read their notes. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isoTime } from '../../../platform/clock.ts';
import { messageError } from '../../requests/api-error.ts';
import { isObject, notesOf, recordsOf, refsOf, type JsonRecord } from '../../content/project-content.ts';
import { booleanOf, queryOf } from '../../requests/query.ts';
import type { Services } from '../../services.ts';
import {
  fullPath,
  roles,
  selfAndAncestors,
  type Namespace,
  type Project,
  type User,
} from '../../sandbox-database.ts';
import { type IdRoute, projectAccess } from '../project-access.ts';
import { basicUser } from '../projects/record-views.ts';
import { discussionsIn } from './discussion-routes.ts';
import { buildTimes, changesCount, noteableViews, objectsIn, rowId, userViews } from './noteable-views.ts';

interface IidRoute {
  Params: { id: string; iid: string };
}

type View = (record: JsonRecord, index: number, project: Project) => object;

export function relationRoutes(app: FastifyInstance, services: Services): void {
  const { database, url } = services;
  const { findReadableProject, findProjectWithRole, paginate } = projectAccess(services);
  /** Returns false for a confidential issue of somebody else if the viewer is a guest or no member (gitlab-facts 11). */
  const isVisibleTo = (viewer: User | null, record: JsonRecord, project: Project): boolean =>
    record['confidential'] !== true ||
    database.role(viewer, project) > roles.guest ||
    (viewer !== null && record['author_id'] === viewer.id);

  /** Adds the list of one relation's records, newest first, and then those of groups if the request asks for them. */
  const addListRoute = (
    path: string,
    relation: string,
    view: View,
    ofGroups: (query: URLSearchParams, project: Project) => object[] = () => [],
  ): void => {
    app.get<IdRoute>(`/projects/:id/${path}`, (request, reply) => {
      const { project, viewer } = findReadableProject(request);
      const state = queryOf(request).get('state');
      const iids = queryOf(request).getAll('iids[]');
      const rows = recordsOf(project.content(), relation)
        .map((record, index) => ({ record, index }))
        .filter(({ record }) => isVisibleTo(viewer, record, project))
        .filter(({ record }) => state === null || state === 'all' || record['state'] === state)
        .filter(({ record }) => iids.length === 0 || iids.includes(String(record['iid'])))
        .reverse()
        .map(
          ({ record, index }) =>
            (): object =>
              view(record, index, project),
        );
      const others = ofGroups(queryOf(request), project).map((row) => (): object => row);
      return paginate(request, reply, [...rows, ...others]).map((viewRow) => viewRow());
    });
  };

  const { issueView, mergeRequestView, viewNote } = noteableViews(services);
  addListRoute('issues', 'issues', issueView);
  addListRoute('merge_requests', 'merge_requests', mergeRequestView);

  const findNoteable = (request: FastifyRequest<IidRoute>, relation: 'issues' | 'merge_requests') => {
    const { project, viewer } = findReadableProject(request);
    const records = recordsOf(project.content(), relation);
    const index = records.findIndex((row) => String(row['iid']) === request.params.iid);
    const record = records[index];
    if (record === undefined || !isVisibleTo(viewer, record, project)) {
      throw messageError(404, '404 Not found');
    }
    return { record, index, project };
  };

  app.get<IidRoute>('/projects/:id/merge_requests/:iid', (request) => {
    const { record, index, project } = findNoteable(request, 'merge_requests');
    return {
      ...mergeRequestView(record, index, project),
      ...{ changes_count: changesCount(record), ...buildTimes(record) },
    };
  });

  addListRoute('milestones', 'milestones', milestoneView, (query, { namespace }) =>
    ['include_ancestors', 'include_parent_milestones'].some((name) => booleanOf(query, name) === true)
      ? groupMilestones(selfAndAncestors(namespace))
      : [],
  );

  const releaseUrl = ({ tag }: JsonRecord, project: Project): string =>
    `${url()}/${fullPath(project)}/-/releases/${encodeURIComponent(String(tag))}`;
  const userView = userViews(database, url);
  addListRoute('releases', 'releases', (record, _index, project) => ({
    author: userView(record['author_id']),
    tag_name: record['tag'],
    name: record['name'] ?? record['tag'],
    description: record['description'] ?? null,
    created_at: record['created_at'],
    released_at: record['released_at'] ?? record['created_at'],
    upcoming_release: false,
    commit: { id: record['sha'] ?? null },
    ...milestonesOf(record),
    evidences: objectsIn(record['evidences']),
    assets: { links: objectsIn(record['links']).map((link) => linkView(link, releaseUrl(record, project))) },
  }));

  addListRoute('pipelines', 'ci_pipelines', (record, index, project) => ({
    id: rowId(project, 'ci_pipelines', index),
    iid: record['iid'] ?? index + 1,
    project_id: project.id,
    sha: record['sha'],
    ref: record['ref'],
    status: record['status'],
    source: record['source'] ?? 'unknown',
    name: isObject(record['pipeline_metadata']) ? record['pipeline_metadata']['name'] : null,
    created_at: record['created_at'],
    updated_at: record['updated_at'],
  }));

  app.get<IdRoute>('/projects/:id/labels', (request, reply) => {
    const { project } = findReadableProject(request);
    const own = recordsOf(project.content(), 'labels').map((record, index) =>
      labelView(record, index, project),
    );
    const withGroups = booleanOf(queryOf(request), 'include_ancestor_groups') ?? true;
    // GitLab leaves out the labels of ancestors, but not those of the project's own group.
    const inherited = groupLabels(withGroups ? selfAndAncestors(project.namespace) : [project.namespace]);
    const rows = [...own, ...inherited].sort((a, b) => String(a.name).localeCompare(String(b.name)));
    return paginate(request, reply, rows);
  });

  for (const [path, all] of [
    ['members', false],
    ['members/all', true],
  ] as const) {
    app.get<IdRoute>(`/projects/:id/${path}`, (request, reply) => {
      const { project } = findProjectWithRole(request);
      const rows = [...membersOf(project, all)];
      return paginate(request, reply, rows).flatMap(([id, level]) => {
        const user = database.users.get(id);
        if (user === undefined) return [];
        const since = isoTime(project.memberSince.get(id) ?? project.createdAt);
        const until = project.memberUntil.get(id) ?? null;
        return [{ ...basicUser(user, url()), access_level: level, created_at: since, expires_at: until }];
      });
    });
  }

  for (const kind of ['branches', 'tags'] as const) {
    app.get<IdRoute>(`/projects/:id/repository/${kind}`, async (request, reply) => {
      const { project } = findReadableProject(request);
      const refs = await refsOf(project.content());
      return paginate(request, reply, refs[kind]).map(({ name, sha }) => ({
        name,
        target: sha,
        commit: { id: sha, short_id: sha.slice(0, 8) },
        protected: kind === 'branches' && name === project.defaultBranch,
        ...(kind === 'branches' ? { merged: false, default: name === project.defaultBranch } : {}),
      }));
    });
  }

  for (const relation of ['issues', 'merge_requests'] as const) {
    app.get<IidRoute>(`/projects/:id/${relation}/:iid/notes`, (request, reply) => {
      const notes = notesOf(findNoteable(request, relation).record).map(viewNote);
      return paginate(request, reply, notes.reverse());
    });
    app.get<IidRoute>(`/projects/:id/${relation}/:iid/discussions`, (request, reply) =>
      paginate(request, reply, discussionsIn(notesOf(findNoteable(request, relation).record), viewNote)),
    );
  }
}

export const milestoneView = (record: JsonRecord, index: number, project: Project) => ({
  id: rowId(project, 'milestones', index),
  iid: record['iid'],
  project_id: project.id,
  title: record['title'],
  description: record['description'] ?? null,
  state: record['state'] ?? 'active',
  created_at: record['created_at'],
  updated_at: record['updated_at'],
  due_date: record['due_date'] ?? null,
  start_date: record['start_date'] ?? null,
  expired: false,
});

export const labelView = (record: JsonRecord, index: number, project: Project) => ({
  id: rowId(project, 'labels', index),
  name: record['title'],
  color: record['color'],
  description: record['description'] ?? null,
  text_color: record['textColor'] ?? '#FFFFFF',
  priority: objectsIn(record['priorities'])[0]?.['priority'] ?? null,
  is_project_label: true,
});

const linkView = ({ name, url, filepath, link_type: type }: JsonRecord, releaseUrl: string): object => ({
  ...{ name, url, link_type: type ?? 'other' },
  direct_asset_url: typeof filepath === 'string' ? `${releaseUrl}/downloads${filepath}` : url,
});

/** A release without milestones has no such field. */
const milestonesOf = (record: JsonRecord): object => {
  const milestones = objectsIn(record['milestone_releases']).map(({ milestone }) => milestone);
  return milestones.length === 0 ? {} : { milestones };
};

const groupMilestones = (namespaces: readonly Namespace[]) =>
  namespaces.flatMap(({ id: group, milestones }) =>
    milestones.map(({ id, iid, title, createdAt }) => ({
      ...{ id, iid, group_id: group, title, description: null, state: 'active' },
      ...{ created_at: isoTime(createdAt), updated_at: isoTime(createdAt) },
      ...{ due_date: null, start_date: null, expired: false },
    })),
  );

function groupLabels(namespaces: readonly Namespace[]) {
  return namespaces.flatMap(({ labels }) =>
    labels.map(({ id, title, color }) => ({
      ...{ id, name: title, color, description: null, priority: null },
      is_project_label: false,
    })),
  );
}

/**
 * Returns the access level of each direct member, by user id. With `all`, adds members of parent groups, with their
 * highest level.
 */
function membersOf(project: Project, all: boolean): Map<number, number> {
  const levels = new Map(project.members);
  for (const { members } of all ? selfAndAncestors(project.namespace) : []) {
    for (const [id, level] of members) levels.set(id, Math.max(level, levels.get(id) ?? 0));
  }
  return levels;
}
