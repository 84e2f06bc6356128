/** @file The settings that a sandbox loses, with values that no new project has. */
import { projectFeatures } from '../../../src-contract/projects/project-attributes.ts';

/** Features with compared lists stay enabled. */
export const featureLevels = Object.fromEntries(
  [...projectFeatures, 'package_registry'].map((feature) => {
    const isPrivate = feature === 'pages' || feature === 'security_and_compliance';
    return [`${feature}_access_level`, isPrivate ? 'enabled' : feature === 'wiki' ? 'disabled' : 'private'];
  }),
);
/** Settings of pipelines that exports contain. */
export const pipelineSettings = { group_runners_enabled: false, ci_default_git_depth: 50 };
const cleanupPolicy = {
  ...{ cadence: '7d', keep_n: 5, older_than: '14d', name_regex_keep: 'stable', enabled: true },
  name_regex_delete: 'dev-.*',
};
/** Settings of approvals with a value that an instance may force on a project. */
const approvalsMaybeForced = {
  disable_overriding_approvers_per_merge_request: true,
  merge_requests_disable_committers_approval: true,
};
/** An instance forces this setting on, or off if it has no passwords. */
const approvalsForcedEitherWay = { require_password_to_approve: true };
/** Settings of approvals with a value that no instance forces. Instances may force the one of a new project. */
const approvalsNotForced = { reset_approvals_on_push: false, merge_requests_author_approval: true };
export const approvalSettings = {
  ...{ ...approvalsMaybeForced, ...approvalsForcedEitherWay },
  ...approvalsNotForced,
};
export const approvalCounts = {
  maybeForced: Object.keys(approvalsMaybeForced).length,
  forcedEitherWay: Object.keys(approvalsForcedEitherWay).length,
  notForced: Object.keys(approvalsNotForced).length,
};
/** Attributes of a project with the same names as their columns. */
const texts = {
  ...{ suggestion_commit_message: 'Apply', merge_commit_template: '%{title}' },
  ...{ squash_commit_template: '%{title}', issues_template: 'Steps', merge_requests_template: 'Reason' },
  external_authorization_classification_label: 'internal',
};
const switches = {
  ...{ shared_runners_enabled: false, request_access_enabled: false, autoclose_referenced_issues: false },
  ...{ remove_source_branch_after_merge: false, printing_merge_request_link_enabled: false },
  ...{ auto_cancel_pending_pipelines: 'disabled', resolve_outdated_diff_discussions: true },
  ...{ allow_merge_on_skipped_pipeline: true, only_allow_merge_if_pipeline_succeeds: true },
  only_allow_merge_if_all_discussions_are_resolved: true,
};
/** Settings of pipelines that exports do not contain. */
export const notExported = { ci_forward_deployment_enabled: false, keep_latest_artifact: false };

/**
 * Columns of GitLab's tables, with the values that the API sets on the source, so that its project differs from a new
 * one.
 */
interface Settings {
  columns: string[];
  /** Settings that no export contains, because the import request sends them. */
  sent?: string[];
  edit: object | null;
}
export const lostSettings: readonly [Settings, ...Settings[]] = [
  { columns: ['description'], sent: ['name'], edit: null },
  { columns: ['visibility_level'], edit: { visibility: 'public' } },
  { columns: ['build_timeout'], edit: { build_timeout: 7200 } },
  { columns: ['public_builds'], edit: { public_jobs: false } },
  { columns: ['squash_option'], edit: { squash_option: 'always' } },
  { columns: ['merge_requests_ff_only_enabled'], edit: { merge_method: 'ff' } },
  { columns: ['merge_requests_rebase_enabled'], edit: { merge_method: 'rebase_merge' } },
  { columns: ['build_allow_git_fetch'], edit: { build_git_strategy: 'clone' } },
  { columns: Object.keys(texts), edit: texts },
  { columns: Object.keys(switches), edit: switches },
  { columns: Object.keys(featureLevels), edit: featureLevels },
  { columns: ['group_runners_enabled'], edit: pipelineSettings },
  { columns: ['deploy_strategy'], edit: { auto_devops_deploy_strategy: 'manual' } },
  {
    columns: Object.keys(cleanupPolicy).map((name) => (name === 'name_regex_delete' ? 'name_regex' : name)),
    edit: { container_expiration_policy_attributes: cleanupPolicy },
  },
  { columns: ['approvals_before_merge'], edit: { approvals_before_merge: 3 } },
  { columns: ['default_git_depth', 'build_timeout'], edit: { ...pipelineSettings, build_timeout: 7200 } },
];
