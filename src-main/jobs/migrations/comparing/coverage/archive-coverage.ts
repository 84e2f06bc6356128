/** @file The coverage of every relation of an archive. Pure. */
import type { RecordRelation, commitNotes } from '../../../../../src-contract/relations.ts';
import { projectFeatures } from '../../../../../src-contract/projects/project-attributes.ts';
import type { ProtectedRelation } from '../refs/protected-refs.ts';
import { unseenAttributes } from '../settings/setting-table.ts';
import { all, type Coverage, type CoverageTable } from './field-coverage.ts';
import { commitNote, recordCoverage } from './record-coverage.ts';

const ids = all('assigned', 'id project_id created_at updated_at');

const accessLevels: CoverageTable = {
  access_level: 'compared',
  ...all('individual_rights', 'user_id group_id deploy_key_id'),
  ...all('assigned', 'id protected_branch_id protected_tag_id created_at updated_at'),
};
const protectedTag: CoverageTable = { ...ids, name: 'key', create_access_levels: accessLevels };
const protectedBranch: CoverageTable = {
  ...ids,
  name: 'key',
  ...{ merge_access_levels: accessLevels, push_access_levels: accessLevels },
  ...all('compared', 'allow_force_push code_owner_approval_required'),
  unprotect_access_levels: accessLevels,
  squash_option: 'merge_options',
};
const protectedEnvironment: CoverageTable = {
  ...all('assigned', 'id project_id group_id created_at updated_at'),
  name: 'key',
  deploy_access_levels: { ...accessLevels, protected_environment_id: 'assigned' },
};

const approvalRule: CoverageTable = {
  name: 'key',
  ...all('compared', 'approvals_required applies_to_all_protected_branches rule_type'),
  ...all('approval_rules', 'scanners vulnerabilities_allowed severity_levels report_type'),
  ...all('approval_rules', 'vulnerability_states orchestration_policy_idx'),
  approval_project_rules_protected_branches: {
    branch_name: 'compared',
    ...all('assigned', 'approval_project_rule_id protected_branch_id project_id'),
  },
  approval_project_rules_users: {
    user_id: 'compared',
    ...all('assigned', 'id approval_project_rule_id project_id'),
  },
};

const features = all('compared', projectFeatures.map((name) => `${name}_access_level`).join(' '));

type SettingRelation =
  | 'project'
  | 'project_feature'
  | 'ci_cd_settings'
  | 'auto_devops'
  | 'container_expiration_policy'
  | 'error_tracking_setting'
  | 'project_members';

const settings: Record<SettingRelation, CoverageTable> = {
  project: {
    ...ids,
    ...all('compared', unseenAttributes.join(' ')),
    ...all('compared', 'archived description visibility_level ci_config_path shared_runners_enabled'),
    ...all('compared', 'merge_requests_ff_only_enabled merge_requests_rebase_enabled public_builds'),
    ...all('compared', 'build_allow_git_fetch build_timeout squash_option suggestion_commit_message'),
    ...all(
      'compared',
      'auto_cancel_pending_pipelines request_access_enabled ' + 'allow_merge_on_skipped_pipeline',
    ),
    ...all(
      'compared',
      'only_allow_merge_if_pipeline_succeeds ' + 'only_allow_merge_if_all_discussions_are_resolved',
    ),
    ...all('compared', 'resolve_outdated_diff_discussions remove_source_branch_after_merge'),
    ...all(
      'compared',
      'printing_merge_request_link_enabled autoclose_referenced_issues ' +
        'issues_template external_authorization_classification_label',
    ),
    ...all('compared', 'merge_commit_template squash_commit_template merge_requests_template'),
    approvals_before_merge: 'compared',
    ...all('compared', 'reset_approvals_on_push require_password_to_approve'),
    ...all('compared', 'disable_overriding_approvers_per_merge_request merge_requests_author_approval'),
    ...all('compared', 'merge_requests_disable_committers_approval'),
    pages_https_only: 'pages_https',
    ...all('external_services', 'has_external_issue_tracker has_external_wiki'),
    ...{
      service_desk_enabled: 'compared',
      repository_size_limit: 'size_limits',
      security_setting: 'obsolete',
    },
    description_html: 'derived',
    ...all('compared', 'container_registry_enabled build_coverage_regex'),
    ...all('assigned', 'ci_id creator_id import_type external_webhook_token pending_delete'),
    ...all('assigned', 'delete_error jobs_cache_index last_repository_check_failed'),
    ...all('obsolete', 'deploy_keys hooks'),
  },
  project_feature: {
    ...ids,
    ...features,
    package_registry_access_level: 'compared',
    operations_access_level: 'compared',
    metrics_dashboard_access_level: 'obsolete',
  },
  ci_cd_settings: {
    ...ids,
    ...all('compared', 'group_runners_enabled default_git_depth runner_token_expiration_interval'),
    ...all(
      'compared',
      'forward_deployment_enabled forward_deployment_rollback_allowed ' + 'separated_caches',
    ),
    ...all(
      'compared',
      'allow_fork_pipelines_to_run_in_parent_project ' + 'push_repository_for_job_token_allowed',
    ),
    ...all(
      'compared',
      'job_token_scope_enabled id_token_sub_claim_components ' + 'delete_pipelines_in_seconds',
    ),
    ...all(
      'compared',
      'merge_pipelines_enabled merge_trains_enabled merge_trains_skip_train_allowed ' +
        'restrict_pipeline_cancellation_role',
    ),
    ...all('compared', 'pipeline_variables_minimum_override_role keep_latest_artifact'),
    ...all('pipeline_settings', 'allow_composite_identities_to_run_pipelines auto_rollback_enabled'),
    ...all('compared', 'display_pipeline_variables inbound_job_token_scope_enabled'),
    ...all('compared', 'resource_group_default_process_mode'),
  },
  container_expiration_policy: {
    ...ids,
    ...all('compared', 'enabled cadence keep_n older_than name_regex name_regex_keep'),
    next_run_at: 'derived',
  },
  error_tracking_setting: {
    ...all('compared', 'api_url project_name'),
    organization_name: 'external_services',
    ...all('assigned', 'project_id created_at updated_at'),
    ...all('obsolete', 'enabled integrated'),
  },
  auto_devops: { ...ids, ...all('compared', 'enabled deploy_strategy') },
  project_members: {
    ...all('compared', 'access_level expires_at'),
    user: { username: 'key', ...all('assigned', 'id public_email email') },
    ...{ invite_email: 'key', created_at: 'membership_times' },
    ...all('member_details', 'invite_token invite_accepted_at requested_at notification_level'),
    ...all('assigned', 'id source_id source_type user_id created_by_id updated_at'),
    ...all('assigned', 'ldap override'),
  },
};

/** Relations without a comparison of records. */
const wholeRelations: Readonly<Record<string, Coverage>> = {
  custom_attributes: 'compared',
  design_management_repository: 'designs',
  external_pull_requests: 'external_pull_requests',
  metrics_setting: 'metrics',
  prometheus_metrics: 'metrics',
  // Newer exports contain only its times, and an import ignores the rest (gitlab-facts 5.9).
  security_setting: 'obsolete',
  service_desk_setting: 'service_desk',
  services: 'integrations',
  integrations: 'integrations',
  triggers: 'triggers',
  vulnerabilities: 'security',
  // This relation identifies authors by e-mail, and is no part of the project.
  user_contributions: 'assigned',
  group_members: 'copy',
  // Only archives before GitLab 12 contain these.
  pipelines: 'obsolete',
  hooks: 'obsolete',
};

const tables: Readonly<
  Record<RecordRelation | ProtectedRelation | SettingRelation | typeof commitNotes, CoverageTable>
> = {
  ...recordCoverage,
  commit_notes: commitNote,
  ...settings,
  protected_branches: protectedBranch,
  protected_tags: protectedTag,
  protected_environments: protectedEnvironment,
  approval_rules: approvalRule,
};

/** The coverage of each relation. `project` is `tree/project.json` without its relations. */
export const archiveCoverage: CoverageTable = { ...wholeRelations, ...tables };

/** Returns the coverage of a relation that is treated as a whole; undefined for other relations. */
export function relationCoverage(relation: string): Coverage | undefined {
  return wholeRelations[relation];
}

/** Relations that a comparison reads record by record, as settings, or as a whole; and those without contents. */
export const isKnownRelation = (relation: string): boolean => Object.hasOwn(archiveCoverage, relation);
