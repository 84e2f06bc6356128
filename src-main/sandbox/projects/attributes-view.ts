/**
 * @file Returns the part of a project's record that create and edit requests can set: stored values or defaults.
 * Deprecated names get the values of their replacements.
 */
import { isoTime } from '../../platform/clock.ts';
import { projectFeatures, words } from './attribute-table.ts';
import { accessLevel, canReadCode, isFeatureVisible } from './project-facts.ts';
import type { Services } from '../services.ts';
import { tierIncludes, type Tier } from '../tier.ts';
import { roles, type Project, type User } from '../sandbox-database.ts';

type Values = Record<string, unknown>;

const setAll = (value: unknown, names: string): Values =>
  Object.fromEntries(words(names).map((name) => [name, value]));

/** Defaults of a new project, visible to every reader. */
const readerDefaults: Values = {
  ...setAll(
    true,
    `packages_enabled emails_enabled show_diff_preview_in_email show_default_award_emojis public_jobs
     shared_runners_enabled lfs_enabled request_access_enabled remove_source_branch_after_merge
     printing_merge_request_link_enabled enforce_auth_checks_on_uploads autoclose_referenced_issues
     warn_about_potentially_unwanted_characters`,
  ),
  ...setAll(
    false,
    `resolve_outdated_diff_discussions only_allow_merge_if_pipeline_succeeds service_desk_enabled
     only_allow_merge_if_all_discussions_are_resolved`,
  ),
  ...setAll(
    null,
    `allow_merge_on_skipped_pipeline suggestion_commit_message merge_commit_template max_artifacts_size
     squash_commit_template issue_branch_template merge_request_title_regex merge_request_title_regex_description`,
  ),
  merge_method: 'merge',
  squash_option: 'default_off',
  repository_object_format: 'sha1',
};

/** Defaults that only users who may change the project see. */
const maintainerDefaults: Values = {
  ...setAll(true, 'ci_forward_deployment_enabled ci_forward_deployment_rollback_allowed ci_separated_caches'),
  ...setAll(
    true,
    'ci_allow_fork_pipelines_to_run_in_parent_project group_runners_enabled keep_latest_artifact',
  ),
  ...setAll(false, 'ci_job_token_scope_enabled ci_push_repository_for_job_token_allowed auto_devops_enabled'),
  ...setAll(false, 'restrict_user_defined_variables merge_pipelines_enabled merge_trains_enabled'),
  ...setAll(null, 'ci_delete_pipelines_in_seconds runner_token_expiration_interval'),
  ci_default_git_depth: 20,
  ci_id_token_sub_claim_components: ['project_path', 'ref_type', 'ref'],
  ci_pipeline_variables_minimum_override_role: 'developer',
  build_git_strategy: 'fetch',
  build_timeout: 3600,
  auto_cancel_pending_pipelines: 'enabled',
  auto_devops_deploy_strategy: 'continuous',
  resource_group_default_process_mode: 'unordered',
};

/** Additional attributes of paid tiers, by the lowest tier. */
const tierDefaults: Partial<Record<Tier, Values>> = {
  premium: {
    ...setAll(
      false,
      `mirror mirror_trigger_builds only_mirror_protected_branches web_based_commit_signing_enabled
       mirror_overwrites_diverged_branches allow_pipeline_trigger_approve_deployment
       prevent_merge_without_jira_issue merge_trains_skip_train_allowed auto_duo_code_review_enabled`,
    ),
    ...setAll(null, 'mirror_user_id issues_template merge_requests_template'),
    approvals_before_merge: 0,
    external_authorization_classification_label: '',
    ci_restrict_pipeline_cancellation_role: 'developer',
    compliance_frameworks: [],
    duo_remote_flows_enabled: true,
  },
  ultimate: setAll(
    false,
    `only_allow_merge_if_all_status_checks_passed secret_push_protection_enabled
     pre_receive_secret_detection_enabled spp_repository_pipeline_access`,
  ),
};

/** Maps a deprecated name to its feature. The value shown is true if the caller sees the feature. */
const featureByDeprecatedName: Record<string, string> = {
  issues_enabled: 'issues',
  merge_requests_enabled: 'merge_requests',
  wiki_enabled: 'wiki',
  jobs_enabled: 'builds',
  snippets_enabled: 'snippets',
  container_registry_enabled: 'container_registry',
  requirements_enabled: 'requirements',
  security_and_compliance_enabled: 'security_and_compliance',
};

export function attributesView({ database, tier }: Services, project: Project, user: User): Values {
  const { attributes } = project;
  const currentValues = (defaults: Values): Values =>
    Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, attributes[name] ?? value]));
  const view: Values = currentValues(readerDefaults);
  for (const [minTier, defaults] of Object.entries(tierDefaults)) {
    if (tierIncludes(tier, minTier as Tier)) Object.assign(view, currentValues(defaults));
  }
  if (database.role(user, project) >= roles.maintainer)
    Object.assign(view, currentValues(maintainerDefaults));
  if (canReadCode(database, user, project)) view['ci_config_path'] = attributes['ci_config_path'] ?? '';
  view['emails_disabled'] = view['emails_enabled'] !== true;
  for (const feature of projectFeatures) view[`${feature}_access_level`] = accessLevel(project, feature);
  for (const [name, feature] of Object.entries(featureByDeprecatedName)) {
    view[name] = isFeatureVisible(database, user, project, feature);
  }
  return view;
}

const newProjectJson = new Map<string, string>();

/** `attributesView` as JSON; new projects share one text for all callers with the same rights. */
export function attributesJson(services: Services, project: Project, user: User): string {
  const { database, tier } = services;
  const encode = () => JSON.stringify(attributesView(services, project, user));
  if (Object.keys(project.attributes).length > 0) return encode();
  const role = database.role(user, project);
  const rights = [role > roles.none, role >= roles.maintainer, canReadCode(database, user, project)];
  const key = `${tier} ${rights.join(' ')}`;
  const json = newProjectJson.get(key) ?? encode();
  newProjectJson.set(key, json);
  return json;
}

/** Returns the settings for the cleanup of container images. Its first run is one day after the project's creation. */
export function containerExpirationPolicy(project: Project): Values {
  const policy = (project.attributes['container_expiration_policy_attributes'] ?? {}) as Values;
  const nameRegex = policy['name_regex_delete'] ?? '.*';
  return {
    cadence: '1d',
    enabled: false,
    keep_n: 10,
    older_than: '90d',
    name_regex_keep: null,
    next_run_at: isoTime(project.createdAt + 86_400_000),
    ...policy,
    name_regex: nameRegex,
    name_regex_delete: nameRegex,
  };
}
