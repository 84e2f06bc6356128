/** @file Values that no record of a sandbox has, for the contents that a test changes. */
import type { RecordRelation } from '../../../src-contract/relations.ts';
import { otherIteration } from './epics-and-iterations.ts';

const time = '2031-01-02T03:04:05.000Z';
/** A record or reaction of a target that is newer than the import came later. */
const earlierTime = '2001-02-03T04:05:06.000Z';

const changedEmoji = { award_emoji: ['thumbsup', 'thumbsdown', 'tada'].map((name) => ({ name })) };

/** Columns of the records of archives, with values that no record of a sandbox has, by the compared field. */
const noteableValues = {
  title: { title: 'Changed' },
  description: { description: 'Changed' },
  state: { state: 'locked' },
  labels: { label_links: [{ label: { title: 'changed' } }] },
  milestone: { milestone: { title: 'changed' } },
  discussion_locked: { discussion_locked: true },
  time_estimate: { time_estimate: 4242 },
  total_time_spent: { timelogs: [{ time_spent: 4242 }] },
  upvotes: changedEmoji,
  downvotes: changedEmoji,
  emoji: changedEmoji,
  state_events: { resource_state_events: [{ created_at: time, state: 'reopened' }] },
  state_event_commits: { 'resource_state_events.source_commit': 'facade'.repeat(6) },
  label_events: { resource_label_events: [{ created_at: time, action: 'remove', label: { title: 'x' } }] },
  milestone_events: {
    resource_milestone_events: [{ created_at: time, action: 'remove', milestone: { title: 'x' } }],
  },
  created_at: { created_at: time },
};
/** A board has one column with the names and limits of its lists. */
const changedLists = {
  lists: [
    {
      ...{ list_type: 'label', position: 0, label: { title: 'changed' } },
      ...{ max_issue_count: 7, max_issue_weight: 7, limit_metric: 'issue_count' },
    },
  ],
};
const changedLinks = {
  links: [{ name: 'changed', url: 'https://changed.example', link_type: 'runbook', filepath: '/changed' }],
};
const sha = 'c0ffee'.repeat(6);
export const jobLists = ['builds', 'bridges', 'generic_commit_statuses'] as const;

export const buildTimes = [
  'latest_build_started_at',
  'latest_build_finished_at',
  'first_deployed_to_production_at',
] as const;

export const changedValues: Record<RecordRelation, Record<string, Record<string, unknown>>> = {
  issues: {
    ...noteableValues,
    confidential: { confidential: true },
    due_date: { due_date: '2031-01-02' },
    weight: { weight: 7 },
    closed_at: { closed_at: time },
    health_status: { health_status: 'at_risk' },
    issue_type: { work_item_type: { base_type: 'incident' } },
  },
  merge_requests: {
    ...noteableValues,
    source_branch: { source_branch: 'changed' },
    target_branch: { target_branch: 'changed' },
    merge_commit_sha: { merge_commit_sha: sha },
    squash_commit_sha: { squash_commit_sha: sha },
    squash: { squash: true },
    approvals_before_merge: { approvals_before_merge: 7 },
    should_remove_source_branch: { 'merge_params.should_remove_source_branch': '1' },
    force_remove_source_branch: { 'merge_params.force_remove_source_branch': '0' },
    sha: { diff_head_sha: sha },
    merged_at: { 'metrics.merged_at': time },
    closed_at: { 'metrics.latest_closed_at': time },
    ...Object.fromEntries(buildTimes.map((name) => [name, { [`metrics.${name}`]: time }])),
  },
  milestones: {
    title: { title: 'Changed' },
    description: { description: 'Changed' },
    state: { state: 'locked' },
    start_date: { start_date: '2031-01-02' },
    due_date: { due_date: '2031-01-02' },
    created_at: { created_at: earlierTime },
  },
  labels: {
    color: { color: '#c0ffee' },
    description: { description: 'Changed' },
    priority: { priorities: [{ priority: 7 }] },
  },
  releases: {
    name: { name: 'Changed' },
    description: { description: 'Changed' },
    released_at: { released_at: time },
    sha: { sha },
    created_at: { created_at: earlierTime },
    milestones: { milestone_releases: [{ milestone: { title: 'changed' } }] },
    ...{ links: changedLinks, link_type: changedLinks, filepath: changedLinks },
  },
  ci_pipelines: {
    ref: { ref: 'changed' },
    sha: { sha },
    source: { source: 'changed' },
    status: { status: 'manual' },
    jobs: {
      stages: [
        Object.fromEntries([
          ['name', 'test'],
          ...jobLists.map((list) => [list, [{ name: 'changed', status: 'success' }]]),
        ]),
      ],
    },
    ...{ tag: { tag: true }, yaml_errors: { yaml_errors: 'Changed' }, before_sha: { before_sha: sha } },
    ...{ started_at: { started_at: time }, finished_at: { finished_at: time }, duration: { duration: 4242 } },
    committed_at: { committed_at: time },
    created_at: { created_at: earlierTime },
    name: { pipeline_metadata: { name: 'changed' } },
  },
  boards: {
    hide_backlog_list: { hide_backlog_list: true },
    hide_closed_list: { hide_closed_list: true },
    weight: { weight: 7 },
    lists: changedLists,
    max_issue_count: changedLists,
    max_issue_weight: changedLists,
    limit_metric: changedLists,
  },
  snippets: {
    title: { title: 'Changed' },
    description: { description: 'Changed' },
    visibility: { visibility_level: 20 },
    files: { content: 'Changed' },
    emoji: changedEmoji,
  },
  project_badges: {
    link_url: { link_url: 'https://changed.example' },
    image_url: { image_url: 'https://changed.example/changed.svg' },
  },
  pipeline_schedules: {
    description: { description: 'Changed' },
    ref: { ref: 'changed' },
    cron: { cron: '59 23 * * *' },
    cron_timezone: { cron_timezone: 'Asia/Tokyo' },
  },
  push_rule: {
    author_email_regex: { author_email_regex: 'changed' },
    branch_name_regex: { branch_name_regex: 'changed' },
    commit_message_regex: { commit_message_regex: 'changed' },
    commit_message_negative_regex: { commit_message_negative_regex: 'changed' },
    file_name_regex: { file_name_regex: 'changed' },
    max_file_size: { max_file_size: 7 },
    deny_delete_tag: { deny_delete_tag: true },
    member_check: { member_check: true },
    prevent_secrets: { prevent_secrets: true },
    commit_committer_check: { commit_committer_check: true },
    reject_unsigned_commits: { reject_unsigned_commits: true },
    reject_non_dco_commits: { reject_non_dco_commits: true },
  },
};

const levels = [{ access_level: 60 }];
const levelsOfUser = [...levels, { access_level: 60, user_id: 3 }];
/** Columns of protections. No instance raises these levels. */
export const changedProtections = {
  protected_branches: {
    levels: {
      push_access_levels: levelsOfUser,
      merge_access_levels: levels,
      unprotect_access_levels: levels,
    },
    force_push: { allow_force_push: true },
    code_owners: { code_owner_approval_required: true },
  },
  protected_tags: { levels: { create_access_levels: levels } },
  protected_environments: { levels: { deploy_access_levels: levels } },
  approval_rules: {
    approvals_required: { approvals_required: 7 },
    branches: { applies_to_all_protected_branches: true },
  },
};
/** A role and an end of the membership that no member of a sandbox has. */
/** Nobody has an account with this address. */
export const invitedEmail = 'Later@example.com';
export const changedMember = { access_level: 10, expires_at: '2031-01-02' };

/** The id of `maintainer` in every sandbox, who has no records there. */
const otherUser = 3;
const otherUsers = [{ user_id: otherUser }];
/** Columns of users in records, by the role of the users. */
export const changedPeople: Partial<Record<string, Record<string, Record<string, unknown>>>> = {
  issues: {
    author: { author_id: otherUser },
    assignees: { issue_assignees: otherUsers },
    closed_by: { closed_by_id: otherUser },
  },
  merge_requests: {
    author: { author_id: otherUser },
    assignees: { merge_request_assignees: otherUsers },
    reviewers: { merge_request_reviewers: otherUsers },
    merged_by: { 'metrics.merged_by_id': otherUser },
    closed_by: { 'metrics.latest_closed_by_id': otherUser },
    approvers: { approvals: otherUsers },
  },
  releases: { author: { author_id: otherUser } },
  ci_pipelines: { user: { user_id: otherUser } },
  snippets: { author: { author_id: otherUser } },
};
export const changedNoteAuthor = { author_id: otherUser };
/** Columns of the users of reactions and of changes, which a record has in lists. */
const changedReactionUsers = { 'award_emoji.user_id': otherUser, 'award_emoji.created_at': earlierTime };
export const changedEntryUsers = {
  ...changedReactionUsers,
  ...Object.fromEntries(
    ['state', 'label', 'milestone'].map((kind) => [`resource_${kind}_events.user_id`, otherUser]),
  ),
};
export const changedEpicsAndIterations: [Record<string, unknown>, Record<string, unknown>] = [
  {
    iteration: otherIteration,
    epic_issue: { epic: { title: 'Changed' } },
    resource_iteration_events: [{ created_at: time, action: 'remove', iteration: otherIteration }],
  },
  { 'resource_iteration_events.user_id': otherUser },
];
/** By the column of a job. GitLab shows the reason of a failure of failed jobs only, so that it is not lost here. */
export const changedJobColumns: Record<string, unknown> = {
  ...{ ref: 'changed', allow_failure: true, coverage: 42.5, tag: true },
  ...{ created_at: time, started_at: time, finished_at: time, erased_at: time, artifacts_expire_at: time },
  ...{ description: 'Changed', target_url: 'https://changed.example' },
};
/** Columns that GitLab shows of each kind of jobs. */
const shownColumns = {
  builds: 'ref tag allow_failure coverage created_at started_at finished_at erased_at artifacts_expire_at',
  bridges: 'ref tag allow_failure coverage created_at started_at finished_at erased_at',
  generic_commit_statuses:
    'ref allow_failure coverage created_at started_at finished_at description target_url',
};
/** The values of each kind of jobs. */
export const changedJobs = Object.fromEntries(
  jobLists.map((list) => [
    list,
    Object.fromEntries([
      ...shownColumns[list]
        .split(' ')
        .map((name): [string, unknown] => [`stages.${list}.${name}`, changedJobColumns[name]]),
      [`stages.${list}.user_id`, otherUser],
    ]),
  ]),
) as Record<(typeof jobLists)[number], Record<string, unknown>>;
/** Users and times of entries, which no list of records shows or which do not change a record. */
export const changedEntries: [ChangedEntries, ...ChangedEntries[]] = [
  {
    relation: 'merge_requests',
    values: {
      'merge_request_reviewers.state': 'requested_changes',
      'merge_request_reviewers.created_at': time,
      'approvals.created_at': time,
      'merge_request_diff.merge_request_diff_commits.authored_date': earlierTime,
    },
  },
  { relation: 'boards', values: { 'lists.user_id': otherUser } },
  { relation: 'snippets', values: changedReactionUsers },
];
interface ChangedEntries {
  relation: RecordRelation;
  values: Record<string, unknown>;
}
export const changedApprovalRule = {
  'approval_project_rules_users.user_id': otherUser,
  'approval_project_rules_protected_branches.branch_name': 'changed',
};
export const changedNoteUsers = { ...changedReactionUsers, resolved_by_id: otherUser };

const changedPosition = {
  position: {
    ...{ base_sha: sha, start_sha: sha, head_sha: sha, position_type: 'image' },
    ...{ old_path: 'changed', old_line: null, new_path: 'changed', new_line: 4242 },
    line_range: { start: { line_code: 'changed_1_1' }, end: { line_code: 'changed_4_4' } },
    ...{ x: 7, y: 7, width: 77, height: 77, ignore_whitespace_change: true },
  },
};

/** Columns of the notes of archives, by the compared field. A thread changes with other notes, so it is tested alone. */
export const changedNoteValues = {
  text: { note: 'Changed' },
  internal: { confidential: true },
  // Some notes of a sandbox are resolved, and others not.
  ...{ resolved: { resolved_at: earlierTime }, resolved_at: { resolved_at: earlierTime } },
  ...{ position: changedPosition, position_type: changedPosition, line_range: changedPosition },
  ...{ image_point: changedPosition, diff_refs: changedPosition, ignore_whitespace_change: changedPosition },
  commit_id: { commit_id: sha },
  suggestions: { suggestions: [{ applied: true, from_content: 'changed', to_content: 'Changed' }] },
  emoji: changedEmoji,
};
