/** @file The views of issues, merge requests and their notes in GitLab's lists. */
import { isObject, notesOf, type JsonRecord } from '../../content/project-content.ts';
import { fullPath, hexDigest, type Project, type SandboxDatabase } from '../../sandbox-database.ts';
import type { Services } from '../../services.ts';
import { tierIncludes, type Tier } from '../../tier.ts';
import { basicUser } from '../projects/record-views.ts';

type View = (record: JsonRecord, index: number, project: Project) => JsonRecord;

type UserView = (id: unknown, name?: unknown) => JsonRecord | null;

/** Returns a function that shows the user with that id. A real archive has users that the sandbox does not know. */
export const userViews =
  (database: SandboxDatabase, url: () => string): UserView =>
  (id, name) => {
    if (typeof id !== 'number') return null;
    const user = database.users.get(id);
    return user === undefined
      ? {
          id,
          username: `user-${id}`,
          name: name ?? `User ${id}`,
          state: 'active',
          web_url: `${url()}/user-${id}`,
        }
      : { ...basicUser(user, url()) };
  };

export function noteableViews({ database, url, tier }: Pick<Services, 'database' | 'url' | 'tier'>) {
  const userView = userViews(database, url);
  const usersIn = (rows: unknown) => objectsIn(rows).flatMap(({ user_id: id }) => userView(id) ?? []);
  const issueView: View = (record, index, project) => ({
    ...noteableView(userView, record, rowId(project, 'issues', index), project),
    assignees: usersIn(record['issue_assignees']),
    closed_at: record['closed_at'] ?? null,
    closed_by: userView(record['closed_by_id']),
    confidential: record['confidential'] === true,
    due_date: record['due_date'] ?? null,
    weight: record['weight'] ?? null,
    health_status: record['health_status'] ?? null,
    ...(showsEpicsAndIterations(project, tier) && {
      iteration: record['iteration'] ?? null,
      epic: epicOf(record),
    }),
    issue_type: columnsOf(record['work_item_type'])['base_type'] ?? record['issue_type'] ?? 'issue',
    severity: 'UNKNOWN',
    moved_to_id: record['moved_to_id'] ?? null,
    service_desk_reply_to: null,
    web_url: `${url()}/${fullPath(project)}/-/issues/${String(record['iid'])}`,
  });
  const mergeRequestView: View = (record, index, project) => ({
    ...noteableView(userView, record, rowId(project, 'merge_requests', index), project),
    assignees: usersIn(record['merge_request_assignees']),
    reviewers: usersIn(record['merge_request_reviewers']),
    source_branch: record['source_branch'] ?? null,
    target_branch: record['target_branch'] ?? null,
    draft: record['draft'] === true,
    merge_status: record['merge_status'] ?? 'unchecked',
    merged_at: columnsOf(record['metrics'])['merged_at'] ?? null,
    merged_by: userView(columnsOf(record['metrics'])['merged_by_id']),
    closed_at: columnsOf(record['metrics'])['latest_closed_at'] ?? null,
    closed_by: userView(columnsOf(record['metrics'])['latest_closed_by_id']),
    should_remove_source_branch: switchOf(record, 'should_remove_source_branch'),
    force_remove_source_branch: switchOf(record, 'force_remove_source_branch'),
    sha: record['diff_head_sha'] ?? null,
    merge_commit_sha: record['merge_commit_sha'] ?? null,
    squash_commit_sha: record['squash_commit_sha'] ?? null,
    squash: record['squash'] === true,
    ...(tierIncludes(tier, 'premium') && {
      approvals_before_merge: record['approvals_before_merge'] ?? null,
    }),
    web_url: `${url()}/${fullPath(project)}/-/merge_requests/${String(record['iid'])}`,
  });
  const viewNote = (note: JsonRecord, index: number) => noteView(userView, note, index);
  return { issueView, mergeRequestView, viewNote };
}

/** GitLab shows epics and iterations on Premium, for projects of groups only (gitlab-facts 5.7). */
const showsEpicsAndIterations = ({ namespace }: Project, tier: Tier): boolean =>
  namespace.kind === 'group' && tierIncludes(tier, 'premium');

const epicOf = ({ epic_issue: place }: JsonRecord): JsonRecord | null => {
  const { iid, title } = columnsOf(columnsOf(place)['epic']);
  return title === undefined ? null : { iid, title };
};

/** GitLab stores the entries of forms. */
const switchOf = (record: JsonRecord, name: string): boolean | null => {
  const value = columnsOf(record['merge_params'])[name] ?? null;
  return value === null ? null : value === true || value === '1' || value === 'true';
};

const columnsOf = (value: unknown): JsonRecord => (isObject(value) ? value : {});

/** Returns a stable id for a record that has no id. Later records of the project get greater ids. */
export function rowId(project: Project, relation: string, index: number): number {
  const number = project.rowNumbers.get(relation)?.[index] ?? index;
  return parseInt(hexDigest(`${project.id} ${relation}`, 7), 16) * 1_000_000 + number;
}

export function changesCount({ merge_request_diff: diff }: JsonRecord): string | null {
  const size = isObject(diff) ? diff['real_size'] : null;
  return typeof size === 'string' ? size : null;
}

export function buildTimes({ metrics }: JsonRecord): JsonRecord {
  const names = ['latest_build_started_at', 'latest_build_finished_at', 'first_deployed_to_production_at'];
  return Object.fromEntries(names.map((name) => [name, columnsOf(metrics)[name] ?? null]));
}

/** Returns the common fields of issues and merge requests. `user_notes_count` excludes system notes. */
function noteableView(userView: UserView, record: JsonRecord, id: number, project: Project): JsonRecord {
  return {
    id,
    iid: record['iid'],
    project_id: project.id,
    title: record['title'],
    description: record['description'] ?? null,
    state: record['state'] ?? 'opened',
    created_at: record['created_at'],
    updated_at: record['updated_at'],
    labels: objectsIn(record['label_links']).map(({ label }) => columnsOf(label)['title']),
    milestone: record['milestone'] ?? null,
    discussion_locked: record['discussion_locked'] ?? null,
    time_stats: { time_estimate: record['time_estimate'] ?? 0, total_time_spent: timeSpent(record) },
    upvotes: countVotes(record, 'thumbsup'),
    downvotes: countVotes(record, 'thumbsdown'),
    author: userView(record['author_id']),
    user_notes_count: notesOf(record).filter((note) => note['system'] !== true).length,
  };
}

const timeSpent = (record: JsonRecord): number =>
  objectsIn(record['timelogs']).reduce((sum, { time_spent: seconds }) => sum + Number(seconds), 0);

const countVotes = (record: JsonRecord, emoji: string): number =>
  objectsIn(record['award_emoji']).filter(({ name }) => name === emoji).length;

export const objectsIn = (value: unknown): JsonRecord[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** Notes of discussions can be resolved in merge requests. Only these report whether they are resolved. */
const canBeResolved = ({ type, noteable_type: noteable }: JsonRecord): boolean =>
  noteable === 'MergeRequest' && (type === 'DiffNote' || type === 'DiscussionNote');

const suggestionView = ({ applied, from_content: from, to_content: to }: JsonRecord, index: number) => ({
  ...{ id: index + 1, appliable: applied !== true, applied: applied === true },
  ...{ from_content: from, to_content: to },
});

export type NoteView = ReturnType<typeof noteableViews>['viewNote'];

function noteView(userView: UserView, note: JsonRecord, index: number) {
  const discussion = note['discussion_id'];
  const isInternal = note['confidential'] === true;
  return {
    id: index + 1,
    type: note['type'] ?? null,
    body: note['note'],
    author: userView(note['author_id'], columnsOf(note['author'])['name']),
    created_at: note['created_at'],
    updated_at: note['updated_at'],
    system: note['system'] === true,
    noteable_type: note['noteable_type'],
    position: note['position'] ?? null,
    ...(note['noteable_type'] === 'MergeRequest' &&
      note['type'] === 'DiffNote' && { commit_id: note['commit_id'] ?? null }),
    discussion_id: typeof discussion === 'string' ? discussion : hexDigest(`${index}`, 40),
    resolvable: canBeResolved(note),
    ...(canBeResolved(note) && {
      resolved: (note['resolved_at'] ?? null) !== null,
      resolved_by: userView(note['resolved_by_id']),
      resolved_at: note['resolved_at'] ?? null,
    }),
    ...(note['noteable_type'] === 'MergeRequest' &&
      note['type'] === 'DiffNote' && { suggestions: objectsIn(note['suggestions']).map(suggestionView) }),
    ...{ confidential: isInternal, internal: isInternal },
  };
}
