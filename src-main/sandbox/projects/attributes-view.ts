/**
 * @file The attributes of create and edit in a project's record: the stored values, or the defaults of a new project.
 * Deprecated names get the values of their replacements.
 */
import { isoTime } from '../../platform/clock.ts';
import { projectFeatures } from './attribute-table.ts';
import { accessLevel, canReadCode, featureVisible } from './project-facts.ts';
import type { Services } from '../services.ts';
import { tierIncludes, type Tier } from '../tier.ts';
import { roles, type Project, type User } from '../world.ts';

type Values = Record<string, unknown>;

/** Defaults of a new project, visible to every reader. */
const forReaders: Values = {
  packages_enabled: true,
  resolve_outdated_diff_discussions: false,
  emails_enabled: true,
  show_diff_preview_in_email: true,
  show_default_award_emojis: true,
  shared_runners_enabled: true,
  lfs_enabled: true,
  request_access_enabled: true,
  only_allow_merge_if_pipeline_succeeds: false,
  allow_merge_on_skipped_pipeline: null,
  only_allow_merge_if_all_discussions_are_resolved: false,
  remove_source_branch_after_merge: true,
  printing_merge_request_link_enabled: true,
  merge_method: 'merge',
  squash_option: 'default_off',
  enforce_auth_checks_on_uploads: true,
  suggestion_commit_message: null,
  merge_commit_template: null,
  squash_commit_template: null,
  issue_branch_template: null,
  merge_request_title_regex: null,
  merge_request_title_regex_description: null,
  max_artifacts_size: null,
  warn_about_potentially_unwanted_characters: true,
  autoclose_referenced_issues: true,
  service_desk_enabled: false,
  public_jobs: true,
  repository_object_format: 'sha1',
};

/** Defaults that only users who may change the project see. */
const forMaintainers: Values = {
  ci_default_git_depth: 20,
  ci_forward_deployment_enabled: true,
  ci_forward_deployment_rollback_allowed: true,
  ci_job_token_scope_enabled: false,
  ci_separated_caches: true,
  ci_delete_pipelines_in_seconds: null,
  ci_id_token_sub_claim_components: ['project_path', 'ref_type', 'ref'],
  ci_allow_fork_pipelines_to_run_in_parent_project: true,
  ci_push_repository_for_job_token_allowed: false,
  ci_pipeline_variables_minimum_override_role: 'developer',
  build_git_strategy: 'fetch',
  build_timeout: 3600,
  auto_cancel_pending_pipelines: 'enabled',
  group_runners_enabled: true,
  auto_devops_enabled: false,
  auto_devops_deploy_strategy: 'continuous',
  keep_latest_artifact: true,
  resource_group_default_process_mode: 'unordered',
  restrict_user_defined_variables: false,
  runner_token_expiration_interval: null,
  merge_pipelines_enabled: false,
  merge_trains_enabled: false,
};

/** Additional attributes of paid tiers, by the lowest tier. */
const ofTiers: Partial<Record<Tier, Values>> = {
  premium: {
    approvals_before_merge: 0,
    mirror: false,
    mirror_user_id: null,
    mirror_trigger_builds: false,
    only_mirror_protected_branches: false,
    mirror_overwrites_diverged_branches: false,
    issues_template: null,
    merge_requests_template: null,
    external_authorization_classification_label: '',
    ci_restrict_pipeline_cancellation_role: 'developer',
    allow_pipeline_trigger_approve_deployment: false,
    prevent_merge_without_jira_issue: false,
    compliance_frameworks: [],
    merge_trains_skip_train_allowed: false,
    auto_duo_code_review_enabled: false,
    duo_remote_flows_enabled: true,
    web_based_commit_signing_enabled: false,
  },
  ultimate: {
    only_allow_merge_if_all_status_checks_passed: false,
    secret_push_protection_enabled: false,
    pre_receive_secret_detection_enabled: false,
    spp_repository_pipeline_access: false,
  },
};

/** Maps a deprecated name to its feature; the value is whether the caller sees that feature. */
const featureFlags: Record<string, string> = {
  issues_enabled: 'issues',
  merge_requests_enabled: 'merge_requests',
  wiki_enabled: 'wiki',
  jobs_enabled: 'builds',
  snippets_enabled: 'snippets',
  container_registry_enabled: 'container_registry',
  requirements_enabled: 'requirements',
  security_and_compliance_enabled: 'security_and_compliance',
};

export function attributesView({ world, tier }: Services, project: Project, user: User): Values {
  const { attributes } = project;
  const shown = (initial: Values): Values =>
    Object.fromEntries(Object.entries(initial).map(([name, value]) => [name, attributes[name] ?? value]));
  const view: Values = shown(forReaders);
  for (const [least, initial] of Object.entries(ofTiers)) {
    if (tierIncludes(tier, least as Tier)) Object.assign(view, shown(initial));
  }
  if (world.role(user, project) >= roles.maintainer) Object.assign(view, shown(forMaintainers));
  if (canReadCode(world, user, project)) view['ci_config_path'] = attributes['ci_config_path'] ?? '';
  view['emails_disabled'] = view['emails_enabled'] !== true;
  for (const feature of projectFeatures) view[`${feature}_access_level`] = accessLevel(project, feature);
  for (const [name, feature] of Object.entries(featureFlags)) {
    view[name] = featureVisible(world, user, project, feature);
  }
  return view;
}

const textsOfNew = new Map<string, string>();

/** `attributesView` as JSON; a project without stored attributes shares the text of all callers with the same rights. */
export function attributesText(services: Services, project: Project, user: User): string {
  const { world, tier } = services;
  const text = () => JSON.stringify(attributesView(services, project, user));
  if (Object.keys(project.attributes).length > 0) return text();
  const role = world.role(user, project);
  const sees = [role > roles.none, role >= roles.maintainer, canReadCode(world, user, project)];
  const key = `${tier} ${sees.join(' ')}`;
  const shared = textsOfNew.get(key) ?? text();
  textsOfNew.set(key, shared);
  return shared;
}

/** The cleanup of old container images: runs daily, first on the day after the project was created. */
export function expirationPolicy(project: Project): Values {
  const set = (project.attributes['container_expiration_policy_attributes'] ?? {}) as Values;
  const nameRegex = set['name_regex_delete'] ?? '.*';
  return {
    cadence: '1d',
    enabled: false,
    keep_n: 10,
    older_than: '90d',
    name_regex_keep: null,
    next_run_at: isoTime(project.createdAt + 86_400_000),
    ...set,
    name_regex: nameRegex,
    name_regex_delete: nameRegex,
  };
}
