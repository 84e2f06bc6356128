/**
 * @file The values of settings in a new project. A setting with such a value needs no sentence if an instance does not
 * show it, because a new project has the value, too. Pure.
 */
import { projectFeatures } from '../../../../../src-contract/projects/project-attributes.ts';
import { isSame } from './setting-values.ts';

const withValue = (value: string, names: string): Record<string, string> =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, value]));

/** The texts are those that the API reports. A setting that is missing here is empty, off or 0 in a new project. */
const newProjectValues: Readonly<Record<string, string>> = {
  ...withValue('enabled', projectFeatures.map((feature) => `${feature}_access_level`).join(' ')),
  ...withValue('enabled', 'operations_access_level package_registry_access_level'),
  ...withValue('enabled', 'auto_cancel_pending_pipelines'),
  ...withValue('private', 'visibility pages_access_level security_and_compliance_access_level'),
  ...withValue('true', 'public_jobs shared_runners_enabled group_runners_enabled request_access_enabled'),
  ...withValue('true', 'remove_source_branch_after_merge printing_merge_request_link_enabled'),
  ...withValue('true', 'autoclose_referenced_issues lfs_enabled packages_enabled emails_enabled'),
  ...withValue('true', 'show_default_award_emojis warn_about_potentially_unwanted_characters'),
  ...withValue('true', 'enforce_auth_checks_on_uploads keep_latest_artifact ci_separated_caches'),
  ...withValue('true', 'ci_forward_deployment_enabled ci_forward_deployment_rollback_allowed'),
  ...withValue('true', 'ci_allow_fork_pipelines_to_run_in_parent_project job_token_scope.inbound_enabled'),
  ...withValue('true', 'approvals.reset_approvals_on_push service_desk_enabled'),
  // The value of a new instance, which a project shows if nothing was set for it. GitLab.com has it off.
  auto_devops_enabled: 'true',
  ...withValue('developer', 'ci_restrict_pipeline_cancellation_role'),
  ...withValue('developer', 'ci_pipeline_variables_minimum_override_role'),
  ...{ merge_method: 'merge', squash_option: 'default_off', build_git_strategy: 'fetch' },
  ...{ build_timeout: '3600', auto_devops_deploy_strategy: 'continuous' },
  // Projects of older versions got 50, and keep it. A new one on the target does not have it.
  ci_default_git_depth: '20',
  resource_group_default_process_mode: 'unordered',
  ci_id_token_sub_claim_components: 'project_path, ref, ref_type',
  'container_expiration_policy.cadence': '1d',
  'container_expiration_policy.keep_n': '10',
  'container_expiration_policy.older_than': '90d',
  'container_expiration_policy.name_regex': '.*',
};

/** Returns whether the value is empty, off or 0. */
export const isUnset = (value: string): boolean => value === '0' || isSame(value, '');

export function isOfNewProject(attribute: string, value: string): boolean {
  const initial = newProjectValues[attribute];
  return initial === undefined ? isUnset(value) : isSame(value, initial);
}
