/** @file The coverage of the relations whose records a comparison matches one by one. Pure. */
import type { RecordRelation } from '../../../../../src-contract/relations.ts';
import { all, type CoverageTable } from './field-coverage.ts';

const ids = all('assigned', 'id project_id group_id namespace_id');
const edits = all('edit_details', 'last_edited_at last_edited_by_id updated_by_id');
/** Columns that current versions no longer have, and those of GitLab's own tests. */
const obsolete = all('obsolete', 'position branch_name deleted_at state_id assignee_id test_ee_field');

const awardEmoji: CoverageTable = {
  ...all('compared', 'name user_id created_at'),
  awardable_type: 'derived',
  ...all('assigned', 'id awardable_id updated_at namespace_id organization_id'),
};

const suggestion: CoverageTable = {
  ...all('compared', 'applied from_content to_content'),
  ...all('derived', 'lines_above lines_below relative_order'),
  ...all('note_details', 'outdated commit_id'),
  ...all('assigned', 'id note_id namespace_id'),
};

const note: CoverageTable = {
  ...ids,
  ...edits,
  ...{ note: 'compared', created_at: 'key', updated_at: 'edit_times' },
  ...all('compared', 'system resolved_at confidential internal position discussion_id type'),
  ...{ author: 'derived', author_id: 'compared', system_note_metadata: 'system_note_actions' },
  ...{ award_emoji: awardEmoji, events: 'events', suggestions: suggestion },
  ...{ resolved_by_id: 'compared', resolved_by_push: 'record_history' },
  ...all('derived', 'note_html cached_markdown_version line_code noteable_type'),
  ...all('note_details', 'original_position change_position note_diff_file'),
  commit_id: 'compared',
  ...all('assigned', 'noteable_id review_id imported_from'),
  // Before GitLab 8, a note could have a file and the text of a diff. One archive of GitLab's tests has a name with a
  // comma.
  ...all('obsolete', 'attachment st_diff ,id'),
};
/** GitLab's API does not show reactions to comments on commits. */
export const commitNote: CoverageTable = { ...note, commit_id: 'key', award_emoji: 'commit_emoji' };

const labelColumns: CoverageTable = {
  ...ids,
  ...all('edit_details', 'created_at updated_at'),
  ...{ title: 'key', color: 'compared', description: 'compared', priorities: 'compared' },
  ...all('derived', 'type template textColor'),
};
const milestone: CoverageTable = {
  ...ids,
  ...{ created_at: 'compared', updated_at: 'edit_times' },
  ...{ iid: 'key', events: 'events' },
  ...all('compared', 'title description state start_date due_date'),
};
/** A nested milestone or label of a project is in a relation of its own, too. Only here are those of groups. */
const nested = (columns: CoverageTable, compared: string): CoverageTable => ({
  ...Object.fromEntries(Object.keys(columns).map((field) => [field, 'copy'] as const)),
  ...all('compared', compared),
});
const nestedMilestone = nested(milestone, 'title description state start_date due_date created_at');
const nestedLabel = nested(labelColumns, 'title color description priorities');
const labelLinks: CoverageTable = {
  label: nestedLabel,
  ...all('assigned', 'id label_id target_id target_type created_at updated_at'),
};

const users: CoverageTable = {
  user_id: 'compared',
  ...all('assigned', 'id issue_id merge_request_id project_id created_at updated_at'),
};

const timeLog: CoverageTable = {
  time_spent: 'compared',
  ...all('time_logs', 'user_id spent_at summary'),
  ...all('assigned', 'id project_id created_at updated_at issue_id merge_request_id note_id'),
};

const event: CoverageTable = {
  ...all('compared', 'action created_at label milestone'),
  // The state of a milestone at that time is in the same column.
  state: 'compared',
  user_id: 'compared',
  source_commit: 'compared',
  ...all('record_history', 'close_after_error_tracking_resolve close_auto_resolve_prometheus_alert'),
  ...all(
    'assigned',
    'id issue_id merge_request_id label_id milestone_id namespace_id imported_from source_merge_request_id',
  ),
  ...all('derived', 'reference reference_html cached_markdown_version'),
};

const noteable: CoverageTable = {
  ...ids,
  ...{ iid: 'key', created_at: 'compared', updated_at: 'edit_times' },
  ...edits,
  ...obsolete,
  ...all('compared', 'title description state discussion_locked time_estimate'),
  ...{ label_links: labelLinks, milestone: nestedMilestone, notes: note },
  ...{ author_id: 'compared', timelogs: timeLog, award_emoji: awardEmoji, events: 'events' },
  ...{ resource_label_events: event, resource_milestone_events: event, resource_state_events: event },
  ...{ relative_position: 'pipeline_links_and_issue_order', lock_version: 'derived' },
};

const iteration: CoverageTable = {
  ...all('compared', 'start_date due_date'),
  ...all('assigned', 'id group_id iid title description created_at updated_at'),
  iterations_cadence: { title: 'assigned' },
};
const iterationEvent: CoverageTable = {
  ...all('compared', 'action created_at user_id iteration'),
  ...all('assigned', 'id issue_id iteration_id namespace_id'),
};
const epic: CoverageTable = {
  title: 'compared',
  ...all('assigned', 'id iid group_id created_at updated_at issue_id work_item_id imported imported_from'),
  ...all(
    'epic_contents',
    'description author_id assignee_id state closed_at closed_by_id confidential color',
  ),
  ...all('epic_contents', 'start_date end_date due_date start_date_fixed due_date_fixed milestone_id'),
  ...all('derived', 'start_date_is_fixed due_date_is_fixed title_html description_html lock_version'),
  ...all('epic_contents', 'updated_by_id last_edited_by_id last_edited_at external_key relative_position'),
  ...all('derived', 'cached_markdown_version total_opened_issue_weight total_closed_issue_weight'),
  ...all('derived', 'total_opened_issue_count total_closed_issue_count'),
};

const issue: CoverageTable = {
  ...noteable,
  ...all('compared', 'confidential due_date weight'),
  issue_assignees: users,
  ...{ closed_at: 'compared', closed_by_id: 'compared' },
  ...all('designs', 'designs design_versions'),
  ...all('compared', 'health_status issue_type'),
  ...all('issue_details', 'zoom_meetings sentry_issue external_key'),
  work_item_type: { base_type: 'compared' },
  iteration,
  resource_iteration_events: iterationEvent,
  work_item_description: {
    description: 'copy',
    ...all('derived', 'description_html last_edited_at last_edited_by_id'),
  },
  epic_issue: { epic, ...all('assigned', 'id relative_position namespace_id work_item_parent_link_id') },
  issuable_sla: 'service_levels',
  ...all('compared', 'moved_to_id service_desk_reply_to'),
  ...all('assigned', 'duplicated_to_id promoted_to_epic_id'),
};

const mergeRequest: CoverageTable = {
  ...noteable,
  relative_position: 'obsolete',
  ...all('compared', 'source_branch target_branch merge_commit_sha squash_commit_sha diff_head_sha'),
  merge_request_assignees: { ...users, state: 'assignee_states' },
  merge_request_reviewers: { ...users, created_at: 'compared', state: 'compared' },
  approvals: { ...users, created_at: 'compared' },
  approvals_before_merge: 'compared',
  merge_request_diff: {
    merge_request_diff_files: {
      ...all('compared', 'old_path new_path a_mode b_mode new_file renamed_file deleted_file utf8_diff'),
      ...all('derived', 'relative_order binary too_large generated encoded_file_path'),
      ...all('assigned', 'merge_request_diff_id project_id'),
    },
    merge_request_diff_commits: {
      ...all('compared', 'sha authored_date committed_date message'),
      ...all('compared', 'author_name author_email committer_name committer_email'),
      ...all('compared', 'commit_author committer merge_request_commits_metadata'),
      ...all('derived', 'relative_order trailers'),
      ...all('assigned', 'merge_request_diff_id project_id'),
    },
    ...{ real_size: 'compared', files_count: 'derived', commits_count: 'derived' },
    ...all('compared', 'base_commit_sha head_commit_sha start_commit_sha created_at'),
    ...all('derived', 'state sorted diff_type updated_at'),
    ...all('assigned', 'id merge_request_id project_id'),
  },
  metrics: {
    ...all('compared', 'merged_at latest_closed_at merged_by_id latest_closed_by_id'),
    ...all('metrics', 'added_lines commits_count diff_size modified_paths_size removed_lines'),
    ...all('metrics', 'first_approved_at first_comment_at first_commit_at first_reassigned_at'),
    last_commit_at: 'metrics',
    ...all('compared', 'latest_build_started_at latest_build_finished_at first_deployed_to_production_at'),
    ...all('assigned', 'id merge_request_id pipeline_id target_project_id created_at updated_at'),
  },
  ...{ squash: 'compared', draft: 'derived' },
  merge_params: {
    ...all('compared', 'force_remove_source_branch should_remove_source_branch'),
    ...all('merge_options', 'auto_merge_strategy commit_message squash_commit_message sha skip_ci'),
  },
  // GitLab shows it for merge requests from forks only, and no imported one is from a fork.
  allow_maintainer_to_push: 'merge_options',
  ...{ merge_when_pipeline_succeeds: 'auto_merge', merge_user_id: 'merge_users' },
  ...all(
    'derived',
    'merge_status merge_error merge_ref_sha rebase_commit_sha ' + 'in_progress_merge_commit_sha',
  ),
  ...all('derived', 'source_branch_sha target_branch_sha'),
  ...all('assigned', 'source_project_id target_project_id head_pipeline_id'),
};

/** @param shown the columns that GitLab shows of this kind of job. */
const jobOf = (shown: string): CoverageTable => ({
  ...{ stage: 'copy', ci_stage: 'copy', stage_idx: 'derived', lock_version: 'derived' },
  ...{ queued_at: 'job_queues', runner_id: 'runners' },
  ...all('pipeline_jobs', 'scheduled_at erased_by_id'),
  ...all('pipeline_jobs', 'coverage_regex description target_url environment exit_code'),
  ...all('pipeline_jobs', 'options yaml_variables scheduling_type timeout timeout_source'),
  ...all('pipeline_jobs', 'protected debug_trace_enabled scoped_user_id'),
  ...all('pipeline_jobs', 'tag failure_reason erased_at artifacts_expire_at'),
  retried: 'job_queues',
  ...all('compared', 'name status type ref allow_failure coverage started_at finished_at user_id'),
  ...all('compared', shown),
  created_at: 'compared',
  ...all('assigned', 'id project_id commit_id stage_id job_id updated_at partition_id'),
  ...all('assigned', 'execution_config_id auto_canceled_by_partition_id upstream_pipeline_partition_id'),
  ...all(
    'obsolete',
    // One archive of GitLab's tests has a name with a comma.
    ',id trace commands deploy token artifacts_file_store artifacts_metadata_store artifacts_size',
  ),
});
const job = jobOf('tag failure_reason erased_at artifacts_expire_at');
const bridge = { ...jobOf('tag failure_reason erased_at'), retried: 'job_attempts' } as const;
const externalStatus: CoverageTable = {
  ...jobOf('description target_url'),
  ...{ retried: 'job_attempts', ...all('pipeline_jobs', 'stage ci_stage stage_id') },
};
const stage: CoverageTable = {
  // An archive of GitLab's tests has stages with the columns of jobs.
  ...all('obsolete', Object.keys(job).join(' ')),
  name: 'compared',
  ...{ builds: job, statuses: job, bridges: bridge, generic_commit_statuses: externalStatus },
  ...all('derived', 'status position lock_version'),
  ...all('assigned', 'id project_id pipeline_id created_at updated_at partition_id'),
};

export const recordCoverage: Readonly<Record<RecordRelation, CoverageTable>> = {
  issues: issue,
  merge_requests: mergeRequest,
  milestones: milestone,
  labels: labelColumns,
  releases: {
    ...ids,
    ...{ created_at: 'compared', updated_at: 'edit_details' },
    tag: 'key',
    ...all('compared', 'name description released_at'),
    ...{ author_id: 'compared', sha: 'compared' },
    links: {
      ...all('compared', 'name url link_type filepath'),
      ...all('assigned', 'id release_id created_at updated_at'),
    },
    milestone_releases: {
      milestone: nestedMilestone,
      ...all('assigned', 'milestone_id release_id project_id'),
    },
  },
  ci_pipelines: {
    ...ids,
    iid: 'key',
    ...all('compared', 'ref sha source status'),
    notes: 'pipeline_notes',
    ...{ created_at: 'compared', updated_at: 'edit_times', push_data: 'obsolete' },
    pipeline_metadata: { name: 'compared', ...all('assigned', 'id project_id pipeline_id') },
    ...all('compared', 'started_at finished_at committed_at duration user_id tag before_sha yaml_errors'),
    ...{ stages: stage, lock_version: 'derived', protected: 'derived' },
    ...all('pipeline_jobs', 'config_source failure_reason source_sha target_sha'),
    ...{
      merge_request: 'pipeline_links_and_issue_order',
      merge_request_id: 'assigned',
      external_pull_request: 'external_pull_requests',
    },
  },
  boards: {
    ...ids,
    ...{ name: 'key', milestone: 'compared' },
    ...all('compared', 'hide_backlog_list hide_closed_list weight'),
    ...all('assigned', 'created_at updated_at'),
    lists: {
      ...{ label: nestedLabel, milestone: nestedMilestone },
      ...all('compared', 'list_type position'),
      ...all('compared', 'limit_metric max_issue_count max_issue_weight'),
      user_id: 'compared',
      ...all('assigned', 'id board_id label_id created_at updated_at'),
    },
  },
  snippets: {
    ...ids,
    ...{ notes: note, award_emoji: awardEmoji, author_id: 'compared' },
    ...{ created_at: 'key', updated_at: 'edit_times' },
    ...all('compared', 'title description visibility_level content file_name'),
  },
  project_badges: {
    ...ids,
    name: 'key',
    ...all('compared', 'link_url image_url'),
    ...all('assigned', 'type created_at updated_at'),
  },
  pipeline_schedules: {
    ...ids,
    ...{ created_at: 'key', updated_at: 'edit_times' },
    ...all('compared', 'description cron cron_timezone ref active'),
    ...{ next_run_at: 'derived', owner_id: 'assigned' },
  },
  push_rule: {
    ...ids,
    ...all('compared', 'author_email_regex branch_name_regex commit_message_regex'),
    ...all('compared', 'commit_message_negative_regex file_name_regex max_file_size deny_delete_tag'),
    ...all('compared', 'member_check prevent_secrets commit_committer_check reject_unsigned_commits'),
    ...all('compared', 'reject_non_dco_commits'),
    ...all('assigned', 'is_sample created_at updated_at'),
    ...all('obsolete', 'force_push_regex delete_branch_regex regexp_uses_re2'),
  },
};
