/** @file The lists of a project's relations, with the fields that are needed to count records and to read their notes. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isoTime } from '../../../platform/clock.ts';
import { messageError } from '../../requests/api-error.ts';
import { isObject, notesOf, recordsOf, refsOf, type JsonRecord } from '../../content/project-content.ts';
import { booleanOf, queryOf } from '../../requests/query.ts';
import type { Services } from '../../services.ts';
import {
  fullPath,
  hexDigest,
  roles,
  selfAndAncestors,
  type Namespace,
  type Project,
  type SandboxDatabase,
  type User,
} from '../../sandbox-database.ts';
import { type IdRoute, projectAccess } from '../project-access.ts';
import { basicUser } from '../projects/record-views.ts';

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

  /** Adds the list of one relation's records, newest first. */
  const addListRoute = (path: string, relation: string, view: View): void => {
    app.get<IdRoute>(`/projects/:id/${path}`, (request, reply) => {
      const { project, viewer } = findReadableProject(request);
      const state = queryOf(request).get('state');
      const iids = queryOf(request).getAll('iids[]');
      const rows = recordsOf(project.content(), relation)
        .map((record, index) => ({ record, index }))
        .filter(({ record }) => isVisibleTo(viewer, record, project))
        .filter(({ record }) => state === null || state === 'all' || record['state'] === state)
        .filter(({ record }) => iids.length === 0 || iids.includes(String(record['iid'])))
        .reverse();
      return paginate(request, reply, rows).map(({ record, index }) => view(record, index, project));
    });
  };

  addListRoute('issues', 'issues', (record, index, project) => ({
    ...noteableView(database, record, index, project, url()),
    confidential: record['confidential'] === true,
    due_date: record['due_date'] ?? null,
    weight: record['weight'] ?? null,
    issue_type: 'issue',
    web_url: `${url()}/${fullPath(project)}/-/issues/${String(record['iid'])}`,
  }));

  const mergeRequestView: View = (record, index, project) => ({
    ...noteableView(database, record, index, project, url()),
    source_branch: record['source_branch'] ?? null,
    target_branch: record['target_branch'] ?? null,
    draft: record['draft'] === true,
    merge_status: record['merge_status'] ?? 'unchecked',
    sha: record['diff_head_sha'] ?? null,
    merge_commit_sha: record['merge_commit_sha'] ?? null,
    squash_commit_sha: record['squash_commit_sha'] ?? null,
    squash: record['squash'] === true,
    web_url: `${url()}/${fullPath(project)}/-/merge_requests/${String(record['iid'])}`,
  });
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
    return { ...mergeRequestView(record, index, project), changes_count: changesCount(record) };
  });

  addListRoute('milestones', 'milestones', (record, index, project) => ({
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
  }));

  addListRoute('releases', 'releases', (record) => ({
    tag_name: record['tag'],
    name: record['name'] ?? record['tag'],
    description: record['description'] ?? null,
    created_at: record['created_at'],
    released_at: record['released_at'] ?? record['created_at'],
    upcoming_release: false,
    commit: { id: record['sha'] ?? null },
    ...milestonesOf(record),
    assets: { links: objectsIn(record['links']).map(({ name, url: to }) => ({ name, url: to })) },
  }));

  addListRoute('pipelines', 'ci_pipelines', (record, index, project) => ({
    id: rowId(project, 'ci_pipelines', index),
    iid: record['iid'] ?? index + 1,
    project_id: project.id,
    sha: record['sha'],
    ref: record['ref'],
    status: record['status'],
    source: record['source'] ?? 'unknown',
    created_at: record['created_at'],
    updated_at: record['updated_at'],
  }));

  app.get<IdRoute>('/projects/:id/labels', (request, reply) => {
    const { project } = findReadableProject(request);
    const own = recordsOf(project.content(), 'labels').map((record, index) => ({
      id: rowId(project, 'labels', index),
      name: record['title'],
      color: record['color'],
      description: record['description'] ?? null,
      text_color: record['textColor'] ?? '#FFFFFF',
      priority: objectsIn(record['priorities'])[0]?.['priority'] ?? null,
      is_project_label: true,
    }));
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
        return [{ ...basicUser(user, url()), access_level: level, created_at: since, expires_at: null }];
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
    const notes = (request: FastifyRequest<IidRoute>) =>
      notesOf(findNoteable(request, relation).record).map(noteView);

    app.get<IidRoute>(`/projects/:id/${relation}/:iid/notes`, (request, reply) =>
      paginate(request, reply, notes(request).reverse()),
    );

    app.get<IidRoute>(`/projects/:id/${relation}/:iid/discussions`, (request, reply) => {
      const byDiscussion = Map.groupBy(notes(request), (note) => note.discussion_id);
      const rows = [...byDiscussion].map(([id, discussionNotes]) => ({
        id,
        individual_note: discussionNotes.length === 1 && discussionNotes[0]?.type === null,
        notes: discussionNotes,
      }));
      return paginate(request, reply, rows);
    });
  }
}

/** Returns a stable id for a record that has no id. Later records get greater ids. */
export function rowId(project: Project, relation: string, index: number): number {
  return parseInt(hexDigest(`${project.id} ${relation}`, 7), 16) * 1_000_000 + index;
}

function changesCount({ merge_request_diff: diff }: JsonRecord): string | null {
  const size = isObject(diff) ? diff['real_size'] : null;
  return typeof size === 'string' ? size : null;
}

/** Returns the common fields of issues and merge requests. `user_notes_count` excludes system notes. */
function noteableView(
  database: SandboxDatabase,
  record: JsonRecord,
  index: number,
  project: Project,
  url: string,
): JsonRecord {
  const author = database.users.get(Number(record['author_id']));
  const links = Array.isArray(record['label_links']) ? (record['label_links'] as JsonRecord[]) : [];
  return {
    id: rowId(project, 'iid', index),
    iid: record['iid'],
    project_id: project.id,
    title: record['title'],
    description: record['description'] ?? null,
    state: record['state'] ?? 'opened',
    created_at: record['created_at'],
    updated_at: record['updated_at'],
    closed_at: record['closed_at'] ?? null,
    labels: links.map((link) => (link['label'] as JsonRecord | undefined)?.['title']),
    milestone: record['milestone'] ?? null,
    discussion_locked: record['discussion_locked'] ?? null,
    time_stats: { time_estimate: record['time_estimate'] ?? 0, total_time_spent: timeSpent(record) },
    author: author === undefined ? { id: record['author_id'], web_url: url } : basicUser(author, url),
    user_notes_count: notesOf(record).filter((note) => note['system'] !== true).length,
  };
}

/** A release without milestones has no such field. */
const milestonesOf = (record: JsonRecord): object => {
  const milestones = objectsIn(record['milestone_releases']).map(({ milestone }) => milestone);
  return milestones.length === 0 ? {} : { milestones };
};

const timeSpent = (record: JsonRecord): number =>
  objectsIn(record['timelogs']).reduce((sum, { time_spent: seconds }) => sum + Number(seconds), 0);

export const objectsIn = (value: unknown): JsonRecord[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** Notes of discussions can be resolved in merge requests. Only these report whether they are resolved. */
const canBeResolved = ({ type, noteable_type: noteable }: JsonRecord): boolean =>
  noteable === 'MergeRequest' && (type === 'DiffNote' || type === 'DiscussionNote');

function noteView(note: JsonRecord, index: number) {
  const discussion = note['discussion_id'];
  const isInternal = note['confidential'] === true;
  return {
    id: index + 1,
    type: note['type'] ?? null,
    body: note['note'],
    author: note['author'] ?? null,
    created_at: note['created_at'],
    updated_at: note['updated_at'],
    system: note['system'] === true,
    noteable_type: note['noteable_type'],
    position: note['position'] ?? null,
    discussion_id: typeof discussion === 'string' ? discussion : hexDigest(`${index}`, 40),
    resolvable: canBeResolved(note),
    ...(canBeResolved(note) && { resolved: (note['resolved_at'] ?? null) !== null }),
    ...{ confidential: isInternal, internal: isInternal },
  };
}

function groupLabels(namespaces: readonly Namespace[]) {
  return namespaces.flatMap(({ labels }) =>
    labels.map(({ id, title, color }) => ({ id, name: title, color, is_project_label: false })),
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
