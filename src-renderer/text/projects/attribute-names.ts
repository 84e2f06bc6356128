/** @file What the attributes of a project are called in the form, and what they do, by GitLab's names. */

interface AttributeWords {
  label: string;
  hint?: string;
}

const words: Readonly<Record<string, AttributeWords>> = {
  name: { label: 'Name', hint: 'As people read it' },
  path: { label: 'Path', hint: 'Last part of its address' },
  description: { label: 'Description' },
  visibility: { label: 'Visibility', hint: 'Who can find and read the project' },
  default_branch: { label: 'Default branch' },
  initialize_with_readme: { label: 'Begin with a README', hint: 'So that it can be cloned at once' },
  import_url: { label: 'Address to import the repository from' },
  topics: { label: 'Topics' },
  avatar: { label: 'Picture' },
  merge_method: { label: 'Merge method', hint: 'Which history a merge leaves' },
  squash_option: { label: 'Squash commits when merging' },
  allow_merge_on_skipped_pipeline: { label: 'A skipped pipeline counts as passed' },
  auto_devops_enabled: { label: 'Auto DevOps', hint: 'Builds, tests and deploys without a configuration' },
  autoclose_referenced_issues: { label: 'Close issues that a merge mentions' },
  emails_enabled: { label: 'E-mail notifications' },
  group_runners_enabled: { label: 'Runners of the group' },
  lfs_enabled: { label: 'Git LFS', hint: 'Large files beside the repository' },
  only_allow_merge_if_all_discussions_are_resolved: { label: 'Merge only with all threads resolved' },
  only_allow_merge_if_pipeline_succeeds: { label: 'Merge only after a pipeline that passed' },
  packages_enabled: { label: 'Package registry' },
  public_jobs: {
    label: 'Public pipelines',
    hint: 'Whoever may see the project may see its pipelines and their logs',
  },
  remove_source_branch_after_merge: {
    label: 'Delete the source branch after a merge',
    hint: 'Chosen beforehand in new merge requests',
  },
  request_access_enabled: { label: 'Users may ask to become members' },
  resolve_outdated_diff_discussions: { label: 'Resolve threads on lines that a push changes' },
  shared_runners_enabled: { label: 'Runners of the instance' },
  warn_about_potentially_unwanted_characters: {
    label: 'Warn about hidden characters',
    hint: 'Those that make code read otherwise than it runs',
  },
  printing_merge_request_link_enabled: {
    label: 'Link to a new merge request after a push',
    hint: 'Shown on the command line',
  },
  show_default_award_emojis: { label: 'Offer the usual emoji reactions' },
  merge_pipelines_enabled: {
    label: 'Pipelines of the merged result',
    hint: 'Tests what the branch would be after the merge',
  },
  merge_trains_enabled: { label: 'Merge trains', hint: 'Merge requests queue and are tested together' },
  only_allow_merge_if_all_status_checks_passed: { label: 'Merge only after all status checks' },
  mirror: { label: 'Pull from another repository', hint: 'Keeps this one the same as that one' },
  mirror_trigger_builds: { label: 'Run pipelines for what is pulled' },
  analytics_access_level: { label: 'Analytics' },
  builds_access_level: { label: 'Pipelines and jobs' },
  container_registry_access_level: { label: 'Container registry' },
  environments_access_level: { label: 'Environments' },
  feature_flags_access_level: { label: 'Feature flags' },
  forking_access_level: { label: 'Forks' },
  infrastructure_access_level: { label: 'Infrastructure' },
  issues_access_level: { label: 'Issues' },
  merge_requests_access_level: { label: 'Merge requests' },
  model_experiments_access_level: { label: 'Model experiments' },
  model_registry_access_level: { label: 'Model registry' },
  monitor_access_level: { label: 'Monitoring' },
  pages_access_level: { label: 'Pages', hint: 'The website of the project' },
  releases_access_level: { label: 'Releases' },
  repository_access_level: { label: 'Repository' },
  requirements_access_level: { label: 'Requirements' },
  security_and_compliance_access_level: { label: 'Security and compliance' },
  snippets_access_level: { label: 'Snippets' },
  wiki_access_level: { label: 'Wiki' },
  auto_cancel_pending_pipelines: { label: 'Cancel pipelines that a push makes superfluous' },
  auto_devops_deploy_strategy: { label: 'How Auto DevOps deploys' },
  build_git_strategy: { label: 'How jobs get the repository', hint: 'fetch is faster, clone is cleaner' },
  build_timeout: { label: 'Longest time of a job', hint: 'In seconds' },
  ci_config_path: { label: 'File that configures pipelines', hint: 'Empty: .gitlab-ci.yml' },
  external_authorization_classification_label: {
    label: 'Classification label',
    hint: 'For an outside service that decides who gets in',
  },
  repository_storage: { label: 'Storage of the repository', hint: 'Name of a storage of the instance' },
  repository_object_format: {
    label: 'Hash of the repository',
    hint: 'sha1 or sha256; it cannot be changed later',
  },
  container_expiration_policy_attributes: {
    label: 'Clean up the container registry',
    hint: 'Removes old image tags regularly',
  },
  use_custom_template: { label: 'From a template of one’s own', hint: 'Of a group or of the instance' },
  template_name: { label: 'Name of the template' },
  template_project_id: { label: 'ID of the template project', hint: 'Goes before the name of the template' },
  group_with_project_templates_id: {
    label: 'ID of the group with the templates',
    hint: 'Empty: templates of the instance',
  },
  enforce_auth_checks_on_uploads: {
    label: 'Uploaded files for members only',
    hint: 'Otherwise whoever knows the address can open them',
  },
  issue_branch_template: { label: 'Names of branches made from issues' },
  merge_commit_template: { label: 'Message of merge commits' },
  squash_commit_template: { label: 'Message of squash commits' },
  suggestion_commit_message: { label: 'Message of applied suggestions' },
  allow_pipeline_trigger_approve_deployment: { label: 'Who starts a pipeline may approve its deployment' },
  ci_default_git_depth: { label: 'Depth of shallow clones', hint: 'How many commits a job gets; 0: all' },
  ci_forward_deployment_enabled: { label: 'Prevent outdated deployments' },
  ci_forward_deployment_rollback_allowed: { label: 'Allow retries that roll back a deployment' },
  ci_allow_fork_pipelines_to_run_in_parent_project: {
    label: 'Pipelines of forks may run here',
    hint: 'With the variables and runners of this project',
  },
  ci_separated_caches: { label: 'Separate caches for protected branches' },
  ci_push_repository_for_job_token_allowed: { label: 'Jobs may push to the repository' },
  ci_restrict_pipeline_cancellation_role: {
    label: 'Who may cancel pipelines',
    hint: 'This role and higher ones',
  },
  ci_pipeline_variables_minimum_override_role: {
    label: 'Who may pass variables to a pipeline',
    hint: 'Where that is restricted: this role and higher ones',
  },
  restrict_user_defined_variables: { label: 'Restrict passing variables to a pipeline' },
  keep_latest_artifact: { label: 'Keep the newest artifacts', hint: 'Even when they have expired' },
  service_desk_enabled: { label: 'Service Desk', hint: 'Makes issues from e-mails' },
  mr_default_target_self: {
    label: 'Merge requests go to this project itself',
    hint: 'Of a fork: not to its source',
  },
  issues_template: { label: 'Text that new issues begin with' },
  merge_requests_template: { label: 'Text that new merge requests begin with' },
  mirror_overwrites_diverged_branches: {
    label: 'Pulling overwrites branches that differ',
    hint: 'What was only here is then lost',
  },
  only_mirror_protected_branches: { label: 'Pull protected branches only' },
  mirror_user_id: { label: 'ID of the user who pulls' },
  prevent_merge_without_jira_issue: { label: 'Merge only with a Jira issue' },
};

const parts: Readonly<Record<string, string>> = {
  cadence: 'How often',
  keep_n: 'Tags to keep of each image',
  older_than: 'Remove those older than',
  name_regex_delete: 'Pattern of the tags to remove',
  name_regex_keep: 'Pattern of the tags to keep',
  enabled: 'Clean up',
};

/** What a field of the form says; an attribute that has no words yet is called as GitLab calls it. */
export const wordsOf = (name: string): AttributeWords => words[name] ?? { label: name };

/** A field within an attribute. */
export const labelOfPart = (name: string): string => parts[name] ?? name;
