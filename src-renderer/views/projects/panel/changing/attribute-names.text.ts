/** @file Labels and explanations of the attributes of a project, by GitLab's names. */
import { relationLabel } from '../../../../../src-contract/words/relations.ts';

const accessLevel = '_access_level';

const texts: Readonly<Record<string, string | [label: string, hint: string]>> = {
  package_registry_access_level: 'Who may use the package registry',
  resource_group_default_process_mode: 'Order of jobs that share a resource',
  show_diff_preview_in_email: 'Show changes in e-mails about merge requests',
  merge_request_title_regex: 'Pattern that merge request titles must match',
  merge_request_title_regex_description: 'Explanation of the pattern for merge request titles',
  auto_duo_code_review_enabled: 'Reviews by GitLab Duo',
  duo_remote_flows_enabled: 'Remote flows of GitLab Duo',
  spp_repository_pipeline_access: 'Pipelines may read the security policies',
  ci_delete_pipelines_in_seconds: ['Delete pipelines older than', 'In seconds'],
  ci_id_token_sub_claim_components: 'Claims in the subject of ID tokens',
  max_artifacts_size: ['Maximum size of the artifacts of a job', 'In MB'],
  fallback_approvals_required: 'Approvals needed if no rule applies',
  merge_trains_skip_train_allowed: 'Merge trains need not wait for pipelines',
  web_based_commit_signing_enabled: 'Sign commits that are made on the website',
  mirror_branch_regex: 'Pattern of the branches that are mirrored',
  name: ['Name', 'Display name'],
  path: ['Path', 'Last part of its address'],
  description: 'Description',
  visibility: ['Visibility', 'Who can find and read the project'],
  default_branch: 'Default branch',
  initialize_with_readme: ['Begin with a README', 'The project can then be cloned at once'],
  import_url: 'Address to import the repository from',
  topics: 'Topics',
  avatar: 'Picture',
  merge_method: ['Merge method', 'Form of the history after a merge'],
  squash_option: 'Squash commits when merging',
  allow_merge_on_skipped_pipeline: 'A skipped pipeline counts as passed',
  auto_devops_enabled: ['Auto DevOps', 'Builds, tests and deploys without a configuration'],
  autoclose_referenced_issues: 'Close issues that a merge mentions',
  emails_enabled: 'E-mail notifications',
  group_runners_enabled: 'Runners of the group',
  lfs_enabled: ['Git LFS', 'Large files outside the repository'],
  only_allow_merge_if_all_discussions_are_resolved: 'Merge only with all threads resolved',
  only_allow_merge_if_pipeline_succeeds: 'Merge only after a pipeline that passed',
  packages_enabled: 'Package registry',
  public_jobs: ['Public pipelines', 'Everyone who can see the project can see its pipelines and job logs'],
  remove_source_branch_after_merge: [
    'Delete the source branch after a merge',
    'Selected by default in new merge requests',
  ],
  request_access_enabled: 'Users can request access',
  resolve_outdated_diff_discussions: 'Resolve threads on lines that a push changes',
  shared_runners_enabled: 'Runners of the instance',
  warn_about_potentially_unwanted_characters: [
    'Warn about hidden characters',
    'Invisible characters can make code look different from what runs',
  ],
  printing_merge_request_link_enabled: [
    'Link to a new merge request after a push',
    'Shown on the command line',
  ],
  show_default_award_emojis: 'Offer the usual emoji reactions',
  merge_pipelines_enabled: [
    'Pipelines of the merged result',
    'Tests the state of the branch after the merge',
  ],
  merge_trains_enabled: ['Merge trains', 'Merge requests queue and are tested together'],
  only_allow_merge_if_all_status_checks_passed: 'Merge only after all status checks',
  mirror: ['Pull from another repository', 'Keeps this repository in sync with the other one'],
  mirror_trigger_builds: 'Run pipelines for pulled commits',
  builds_access_level: 'Pipelines and jobs',
  forking_access_level: 'Forks',
  monitor_access_level: 'Monitoring',
  pages_access_level: ['Pages', 'The website of the project'],
  auto_cancel_pending_pipelines: 'Cancel pipelines that a push makes redundant',
  auto_devops_deploy_strategy: 'How Auto DevOps deploys',
  build_git_strategy: ['How jobs get the repository', 'fetch is faster, clone is cleaner'],
  build_timeout: ['Time limit of a job', 'In seconds'],
  ci_config_path: ['File that configures pipelines', 'If empty, .gitlab-ci.yml'],
  external_authorization_classification_label: [
    'Classification label',
    'For an external service that decides who has access',
  ],
  repository_storage: ['Storage of the repository', 'Name of a storage of the instance'],
  repository_object_format: ['Hash function of the repository', 'sha1 or sha256; it cannot be changed later'],
  container_expiration_policy_attributes: [
    'Clean up the container registry',
    'Removes old image tags regularly',
  ],
  use_custom_template: ['From a custom template', 'A template of a group or of the instance'],
  template_name: 'Name of the template',
  template_project_id: ['ID of the template project', 'Takes precedence over the name of the template'],
  group_with_project_templates_id: [
    'ID of the group with the templates',
    'If empty, templates of the instance',
  ],
  enforce_auth_checks_on_uploads: [
    'Uploaded files for members only',
    'Otherwise, anyone who knows the address can open them',
  ],
  issue_branch_template: 'Names of branches created from issues',
  merge_commit_template: 'Message of merge commits',
  squash_commit_template: 'Message of squash commits',
  suggestion_commit_message: 'Message of applied suggestions',
  allow_pipeline_trigger_approve_deployment: 'The user who starts a pipeline may approve its deployment',
  ci_default_git_depth: ['Depth of shallow clones', 'Number of commits that a job fetches; 0 for all'],
  ci_forward_deployment_enabled: 'Prevent outdated deployments',
  ci_forward_deployment_rollback_allowed: 'Allow retries that roll back a deployment',
  ci_allow_fork_pipelines_to_run_in_parent_project: [
    'Pipelines of forks may run here',
    'With the variables and runners of this project',
  ],
  ci_separated_caches: 'Separate caches for protected branches',
  ci_push_repository_for_job_token_allowed: 'Jobs may push to the repository',
  ci_restrict_pipeline_cancellation_role: ['Who may cancel pipelines', 'This role and higher ones'],
  ci_pipeline_variables_minimum_override_role: [
    'Who may pass variables to a pipeline',
    'This role and higher ones, if passing variables is restricted',
  ],
  restrict_user_defined_variables: 'Restrict passing variables to a pipeline',
  keep_latest_artifact: ['Keep the newest artifacts', 'Even when they have expired'],
  service_desk_enabled: ['Service Desk', 'Creates issues from e-mails'],
  mr_default_target_self: [
    'Merge requests go to this project itself',
    'For a fork: not to the original project',
  ],
  issues_template: 'Text that new issues begin with',
  merge_requests_template: 'Text that new merge requests begin with',
  mirror_overwrites_diverged_branches: [
    'Pulling overwrites branches that differ',
    'Commits that exist only here are then lost',
  ],
  only_mirror_protected_branches: 'Pull protected branches only',
  mirror_user_id: 'ID of the user who pulls',
  prevent_merge_without_jira_issue: 'Merge only with a Jira issue',
};

const fieldLabels: Readonly<Record<string, string>> = {
  cadence: 'How often',
  keep_n: 'Tags to keep of each image',
  older_than: 'Remove tags older than',
  name_regex_delete: 'Pattern of the tags to remove',
  name_regex_keep: 'Pattern of the tags to keep',
  enabled: 'Clean up',
};

/**
 * Returns the label and hint of an attribute. An access level without a label gets the name of its feature, and any
 * other attribute without a label gets GitLab's name.
 */
export function attributeTextOf(name: string): { label: string; hint?: string } {
  const found =
    texts[name] ?? (name.endsWith(accessLevel) ? relationLabel(name.slice(0, -accessLevel.length)) : name);
  return typeof found === 'string' ? { label: found } : { label: found[0], hint: found[1] };
}

export const labelOfField = (name: string): string => fieldLabels[name] ?? name;
