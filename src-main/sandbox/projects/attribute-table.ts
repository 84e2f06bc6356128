/**
 * @file The attributes that this server accepts for creating and editing a project. The table is written from the
 * specification, independently of the product's table, so that a wrong name in one of the tables makes a test fail.
 */

export type AttributeUse = 'create' | 'createFor' | 'edit';
export type AttributeType = 'boolean' | 'integer' | 'text' | 'choice' | 'list' | 'hash' | 'file';

export interface AttributeField {
  readonly name: string;
  readonly type: 'boolean' | 'integer' | 'text';
  /** Name under which the value is stored. */
  readonly replacedBy?: string;
}

export interface Attribute {
  readonly name: string;
  readonly type: AttributeType;
  readonly uses: readonly AttributeUse[];
  readonly values?: readonly string[];
  readonly fields?: readonly AttributeField[];
  /** Lowest tier with this attribute. Lower tiers accept and ignore it. */
  readonly tier?: 'premium' | 'ultimate';
  readonly administratorsOnly?: true;
  /** First release with this attribute. Earlier releases ignore it. */
  readonly since?: string;
  readonly replacedBy?: string;
}

export const words = (text: string): string[] => text.trim().split(/\s+/);

const always = ['create', 'createFor', 'edit'] as const;
const whenCreated = ['create', 'createFor'] as const;
const whenEdited = ['edit'] as const;
const exceptCreateFor = ['create', 'edit'] as const;

const defineAttributes = (
  type: AttributeType,
  names: string,
  rules: Omit<Partial<Attribute>, 'name' | 'type'> = {},
): Attribute[] => words(names).map((name) => ({ name, type, uses: always, ...rules }));

const defineChoice = (name: string, values: string, rules: Partial<Attribute> = {}): Attribute[] =>
  defineAttributes('choice', name, { values: words(values), ...rules });

/** Features that may also be open to non-members. */
const publicFeatures = words('package_registry pages');

/** Features that have an access level, `<feature>_access_level`. */
export const projectFeatures = [
  ...words(
    'analytics builds container_registry environments feature_flags forking infrastructure issues merge_requests',
  ),
  ...words('model_experiments model_registry monitor releases repository requirements'),
  ...words('security_and_compliance snippets wiki'),
  ...publicFeatures,
];

const accessLevels = projectFeatures.flatMap((feature) =>
  defineChoice(
    `${feature}_access_level`,
    publicFeatures.includes(feature) ? 'disabled private enabled public' : 'disabled private enabled',
    feature === 'model_registry' ? { since: '16.7' } : {},
  ),
);

/** Deprecated booleans, each with the attribute that it sets. */
const deprecatedBooleans: Record<string, string> = {
  container_registry_enabled: 'container_registry_access_level',
  emails_disabled: 'emails_enabled',
  issues_enabled: 'issues_access_level',
  jobs_enabled: 'builds_access_level',
  merge_requests_enabled: 'merge_requests_access_level',
  public_builds: 'public_jobs',
  snippets_enabled: 'snippets_access_level',
  wiki_enabled: 'wiki_access_level',
};

const premium = { tier: 'premium' } as const;
const ultimate = { tier: 'ultimate' } as const;

export const acceptedAttributes: readonly Attribute[] = [
  ...defineAttributes('text', 'name path description default_branch import_url ci_config_path'),
  ...defineAttributes(
    'text',
    `suggestion_commit_message merge_commit_template squash_commit_template issue_branch_template
     merge_request_title_regex merge_request_title_regex_description`,
  ),
  ...defineAttributes('text', 'repository_storage', { administratorsOnly: true }),
  ...defineAttributes('text', 'external_authorization_classification_label', premium),
  ...defineAttributes('text', 'issues_template merge_requests_template mirror_branch_regex', {
    ...premium,
    uses: whenEdited,
  }),

  ...defineAttributes(
    'boolean',
    `allow_merge_on_skipped_pipeline auto_devops_enabled autoclose_referenced_issues emails_enabled
     enforce_auth_checks_on_uploads group_runners_enabled lfs_enabled mr_default_target_self
     only_allow_merge_if_all_discussions_are_resolved only_allow_merge_if_pipeline_succeeds packages_enabled
     printing_merge_request_link_enabled public_jobs remove_source_branch_after_merge request_access_enabled
     resolve_outdated_diff_discussions service_desk_enabled shared_runners_enabled show_default_award_emojis
     show_diff_preview_in_email warn_about_potentially_unwanted_characters`,
  ),
  ...defineAttributes(
    'boolean',
    `mirror mirror_trigger_builds prevent_merge_without_jira_issue auto_duo_code_review_enabled
     duo_remote_flows_enabled`,
    premium,
  ),
  ...defineAttributes(
    'boolean',
    'only_allow_merge_if_all_status_checks_passed spp_repository_pipeline_access',
    ultimate,
  ),
  // GitLab's OpenAPI file allows these two only for edits; our specification also allows them for new projects.
  ...defineAttributes('boolean', 'merge_pipelines_enabled merge_trains_enabled', { uses: exceptCreateFor }),
  ...defineAttributes(
    'boolean',
    `ci_allow_fork_pipelines_to_run_in_parent_project ci_forward_deployment_enabled
     ci_forward_deployment_rollback_allowed ci_push_repository_for_job_token_allowed ci_separated_caches
     keep_latest_artifact restrict_user_defined_variables`,
    { uses: whenEdited },
  ),
  ...defineAttributes(
    'boolean',
    `allow_pipeline_trigger_approve_deployment merge_trains_skip_train_allowed mirror_overwrites_diverged_branches
     only_mirror_protected_branches web_based_commit_signing_enabled`,
    { ...premium, uses: whenEdited },
  ),

  ...defineAttributes('integer', 'build_timeout'),
  ...defineAttributes('integer', 'approvals_before_merge', premium),
  ...defineAttributes('integer', 'ci_default_git_depth ci_delete_pipelines_in_seconds max_artifacts_size', {
    uses: whenEdited,
  }),
  ...defineAttributes('integer', 'fallback_approvals_required', { ...premium, uses: whenEdited }),
  ...defineAttributes('integer', 'mirror_user_id', {
    ...premium,
    administratorsOnly: true,
    uses: whenEdited,
  }),

  ...defineChoice('visibility', 'private internal public'),
  ...defineChoice('merge_method', 'merge rebase_merge ff'),
  ...defineChoice('squash_option', 'never always default_on default_off'),
  ...defineChoice('build_git_strategy', 'fetch clone'),
  ...defineChoice('auto_cancel_pending_pipelines', 'enabled disabled'),
  ...defineChoice('auto_devops_deploy_strategy', 'continuous manual timed_incremental'),
  ...defineChoice(
    'resource_group_default_process_mode',
    'unordered oldest_first newest_first newest_ready_first',
  ),
  ...defineChoice('ci_restrict_pipeline_cancellation_role', 'developer maintainer no_one', {
    ...premium,
    uses: whenEdited,
  }),
  ...defineChoice(
    'ci_pipeline_variables_minimum_override_role',
    'owner maintainer developer no_one_allowed',
    {
      since: '17.1',
      uses: whenEdited,
    },
  ),
  ...accessLevels,

  ...defineAttributes('list', 'topics'),
  ...defineAttributes('list', 'tag_list', { replacedBy: 'topics' }),
  ...defineAttributes('list', 'ci_id_token_sub_claim_components', { uses: whenEdited }),
  ...defineAttributes('file', 'avatar'),
  ...defineAttributes('hash', 'container_expiration_policy_attributes', {
    uses: exceptCreateFor,
    fields: [
      ...words('cadence older_than name_regex_delete name_regex_keep').map(
        (name) => ({ name, type: 'text' }) as const,
      ),
      { name: 'name_regex', type: 'text', replacedBy: 'name_regex_delete' },
      { name: 'keep_n', type: 'integer' },
      { name: 'enabled', type: 'boolean' },
    ],
  }),

  ...defineAttributes('integer', 'namespace_id', { uses: whenCreated }),
  ...defineAttributes('integer', 'group_with_project_templates_id', { ...premium, uses: whenCreated }),
  ...defineAttributes('integer', 'template_project_id', { ...premium, uses: ['create'] }),
  ...defineAttributes('text', 'template_name', { uses: whenCreated }),
  ...defineAttributes('boolean', 'initialize_with_readme', { uses: whenCreated }),
  ...defineAttributes('boolean', 'use_custom_template', { ...premium, uses: whenCreated }),
  ...defineChoice('repository_object_format', 'sha1 sha256', { since: '16.9', uses: whenCreated }),

  ...Object.entries(deprecatedBooleans).flatMap(([name, replacedBy]) =>
    defineAttributes('boolean', name, { replacedBy }),
  ),
];
