/**
 * @file The table of project attributes that can be set, from gitlab-facts 14.3: when a project is created (`create`),
 * created for another user (`createFor`) or edited (`edit`). The names are those of the specification.
 */

export const attributeUses = ['create', 'createFor', 'edit'] as const;
export type AttributeUse = (typeof attributeUses)[number];

export type AttributeType = 'boolean' | 'integer' | 'text' | 'choice' | 'list' | 'hash' | 'file';

/** Lists contain texts, hashes are flat, and a file is a path. */
export type AttributeValue =
  boolean | number | string | readonly string[] | Readonly<Record<string, boolean | number | string>>;
export type AttributeValues = Record<string, AttributeValue>;

/** A part of a hash. */
export interface AttributeField {
  readonly name: string;
  readonly type: 'boolean' | 'integer' | 'text';
  readonly replacedBy?: string;
}

export interface Attribute {
  readonly name: string;
  readonly type: AttributeType;
  readonly uses: readonly AttributeUse[];
  /** Only for a choice. */
  readonly values?: readonly string[];
  /** Only for a hash. */
  readonly fields?: readonly AttributeField[];
  /** The value that applies if the attribute is left out. */
  readonly defaultValue?: string | boolean;
  readonly tier?: 'higher' | 'highest'; // `higher`: Premium and Ultimate; `highest`: Ultimate only.
  readonly administratorsOnly?: true;
  /** The first release that has the attribute. */
  readonly since?: string;
  /** The attribute still works, but GitLab may remove it. */
  readonly deprecated?: true;
  /** Name of the attribute that replaces a deprecated one. */
  readonly replacedBy?: string;
  /** Other names of its field in the full view of the project. */
  readonly shownAs?: readonly string[];
  /** How often the response shows the attribute: `never` or `sometimes`. Absent if always. */
  readonly shownInReply?: 'never' | 'sometimes';
  /** True if the specification (gitlab-facts 14) lacks the attribute, but GitLab's OpenAPI file of 18.5 has it. */
  readonly missingInSpecification?: true;
  /** Unit, condition or meaning, in a few words. */
  readonly note?: string;
}

const everywhere = ['create', 'createFor', 'edit'] as const;
const creationUses = ['create', 'createFor'] as const;
const notCreateFor = ['create', 'edit'] as const;
const notCreate = ['createFor', 'edit'] as const;
const editing = ['edit'] as const;

type AttributeDetails = Omit<Attribute, 'name' | 'type' | 'uses'>;
const attributesOfType =
  (type: AttributeType) =>
  (uses: readonly AttributeUse[], names: readonly string[], details: AttributeDetails = {}): Attribute[] =>
    names.map((name) => ({ name, type, uses, ...details }));
const booleans = attributesOfType('boolean');
const integers = attributesOfType('integer');
const texts = attributesOfType('text');
const choice = (
  uses: readonly AttributeUse[],
  name: string,
  values: readonly string[],
  details: AttributeDetails = {},
): Attribute => ({ name, type: 'choice', uses, values, ...details });
const deprecatedBoolean = (name: string, replacedBy: string): Attribute => ({
  name,
  type: 'boolean',
  uses: everywhere,
  deprecated: true,
  replacedBy,
});

const premiumTier = { tier: 'higher' } as const;
const neverShown = { shownInReply: 'never' } as const;
const missingInSpecification = { missingInSpecification: true } as const;

export const accessLevels = ['disabled', 'private', 'enabled'] as const;
/**
 * The levels of a feature, from the fewest users to the most. Pages and packages may be open to everybody, regardless of
 * the project's visibility.
 */
export const openLevels = [...accessLevels, 'public'] as const;
/** Features with an access level, `<feature>_access_level`. */
export const projectFeatures = [
  'analytics',
  'builds',
  'container_registry',
  'environments',
  'feature_flags',
  'forking',
  'infrastructure',
  'issues',
  'merge_requests',
  'model_experiments',
  'model_registry',
  'monitor',
  'pages',
  'releases',
  'repository',
  'requirements',
  'security_and_compliance',
  'snippets',
  'wiki',
] as const;
const accessLevelAttributes = projectFeatures.map((feature) =>
  choice(
    everywhere,
    `${feature}_access_level`,
    feature === 'pages' ? openLevels : accessLevels,
    feature === 'model_registry' ? { since: '16.7' } : {},
  ),
);

/** Every attribute, the most common first. */
export const projectAttributes: readonly Attribute[] = [
  ...texts(everywhere, ['name', 'path', 'description']),
  ...integers(creationUses, ['namespace_id'], { ...neverShown, note: "by default the caller's namespace" }),
  choice(everywhere, 'visibility', ['private', 'internal', 'public']),
  ...texts(everywhere, ['default_branch'], { note: 'for a new project only with initialize_with_readme' }),
  ...booleans(creationUses, ['initialize_with_readme'], { ...neverShown, defaultValue: false }),
  // The response omits the credentials of the address.
  ...texts(everywhere, ['import_url'], {
    ...neverShown,
    note: 'when editing: where the repository was imported from',
  }),
  { name: 'topics', type: 'list', uses: everywhere, note: 'replaces all existing topics' },
  { name: 'tag_list', type: 'list', uses: everywhere, deprecated: true, replacedBy: 'topics' },
  {
    name: 'avatar',
    type: 'file',
    uses: everywhere,
    ...neverShown,
    note: 'an image; when editing, an empty value removes it',
  },

  choice(everywhere, 'merge_method', ['merge', 'rebase_merge', 'ff']),
  choice(everywhere, 'squash_option', ['never', 'always', 'default_on', 'default_off']),
  ...booleans(everywhere, [
    'allow_merge_on_skipped_pipeline',
    'auto_devops_enabled',
    'autoclose_referenced_issues',
    'emails_enabled',
    'group_runners_enabled',
    'lfs_enabled',
    'only_allow_merge_if_all_discussions_are_resolved',
    'only_allow_merge_if_pipeline_succeeds',
    'packages_enabled',
    'public_jobs',
    'remove_source_branch_after_merge',
    'request_access_enabled',
    'resolve_outdated_diff_discussions',
    'shared_runners_enabled',
    'warn_about_potentially_unwanted_characters',
  ]),
  ...booleans(everywhere, ['printing_merge_request_link_enabled'], {
    shownAs: ['printing_merge_requests_link_enabled'],
  }),
  ...booleans(everywhere, ['show_default_award_emojis'], { shownInReply: 'sometimes' }),
  ...booleans(notCreateFor, ['merge_pipelines_enabled', 'merge_trains_enabled']),
  ...booleans(everywhere, ['only_allow_merge_if_all_status_checks_passed'], {
    defaultValue: false,
    tier: 'highest',
  }),
  ...booleans(everywhere, ['mirror', 'mirror_trigger_builds'], premiumTier),
  ...accessLevelAttributes,

  choice(everywhere, 'auto_cancel_pending_pipelines', ['enabled', 'disabled']),
  choice(everywhere, 'auto_devops_deploy_strategy', ['continuous', 'manual', 'timed_incremental']),
  ...texts(everywhere, ['build_git_strategy'], { defaultValue: 'fetch', shownInReply: 'sometimes' }),
  ...integers(everywhere, ['build_timeout'], { note: 'seconds' }),
  ...texts(everywhere, ['ci_config_path']),
  ...texts(everywhere, ['external_authorization_classification_label'], premiumTier),
  ...texts(everywhere, ['repository_storage'], { administratorsOnly: true }),
  ...texts(creationUses, ['repository_object_format'], { defaultValue: 'sha1', since: '16.9' }),
  {
    name: 'container_expiration_policy_attributes',
    type: 'hash',
    uses: notCreateFor,
    shownAs: ['container_expiration_policy'],
    fields: [
      { name: 'cadence', type: 'text' },
      { name: 'keep_n', type: 'integer' },
      { name: 'older_than', type: 'text' },
      { name: 'name_regex', type: 'text', replacedBy: 'name_regex_delete' },
      { name: 'name_regex_delete', type: 'text' },
      { name: 'name_regex_keep', type: 'text' },
      { name: 'enabled', type: 'boolean' },
    ],
  },

  ...booleans(creationUses, ['use_custom_template'], { ...premiumTier, ...neverShown }),
  ...texts(creationUses, ['template_name'], {
    ...neverShown,
    note: 'a built-in template, or with use_custom_template a custom one',
  }),
  ...integers(['create'], ['template_project_id'], {
    ...premiumTier,
    ...neverShown,
    note: 'with use_custom_template; preferred over template_name',
  }),
  ...integers(creationUses, ['group_with_project_templates_id'], {
    ...premiumTier,
    ...neverShown,
    note: 'with use_custom_template; by default the templates of the instance',
  }),

  ...booleans(notCreate, ['enforce_auth_checks_on_uploads']),
  ...texts(notCreate, [
    'issue_branch_template',
    'merge_commit_template',
    'squash_commit_template',
    'suggestion_commit_message',
  ]),

  ...booleans(editing, ['allow_pipeline_trigger_approve_deployment'], premiumTier),
  ...integers(editing, ['ci_default_git_depth'], { note: 'depth of shallow clones' }),
  ...booleans(editing, [
    'ci_forward_deployment_enabled',
    'ci_forward_deployment_rollback_allowed',
    'ci_allow_fork_pipelines_to_run_in_parent_project',
    'ci_separated_caches',
    'ci_push_repository_for_job_token_allowed',
  ]),
  choice(
    editing,
    'ci_restrict_pipeline_cancellation_role',
    ['developer', 'maintainer', 'no_one'],
    premiumTier,
  ),
  choice(
    editing,
    'ci_pipeline_variables_minimum_override_role',
    ['owner', 'maintainer', 'developer', 'no_one_allowed'],
    { since: '17.1', note: 'applies when restrict_user_defined_variables is on' },
  ),
  ...booleans(editing, ['restrict_user_defined_variables'], {
    note: 'only Maintainers may pass variables to a pipeline',
  }),
  ...booleans(editing, ['keep_latest_artifact', 'service_desk_enabled']),
  ...booleans(editing, ['mr_default_target_self'], { note: 'for forks' }),
  ...texts(editing, ['issues_template', 'merge_requests_template'], premiumTier),
  ...booleans(
    editing,
    ['mirror_overwrites_diverged_branches', 'only_mirror_protected_branches'],
    premiumTier,
  ),
  ...integers(editing, ['mirror_user_id'], { ...premiumTier, administratorsOnly: true }),
  ...booleans(editing, ['prevent_merge_without_jira_issue'], premiumTier),

  choice(everywhere, 'package_registry_access_level', openLevels, missingInSpecification),
  choice(
    everywhere,
    'resource_group_default_process_mode',
    ['unordered', 'oldest_first', 'newest_first', 'newest_ready_first'],
    missingInSpecification,
  ),
  ...booleans(everywhere, ['show_diff_preview_in_email'], missingInSpecification),
  ...texts(
    everywhere,
    ['merge_request_title_regex', 'merge_request_title_regex_description'],
    missingInSpecification,
  ),
  ...booleans(everywhere, ['auto_duo_code_review_enabled', 'duo_remote_flows_enabled'], {
    ...missingInSpecification,
    ...premiumTier,
  }),
  ...booleans(everywhere, ['spp_repository_pipeline_access'], { ...missingInSpecification, tier: 'highest' }),
  ...integers(editing, ['ci_delete_pipelines_in_seconds'], {
    ...missingInSpecification,
    note: 'age of pipelines',
  }),
  { name: 'ci_id_token_sub_claim_components', type: 'list', uses: editing, ...missingInSpecification },
  ...integers(editing, ['max_artifacts_size'], { ...missingInSpecification, note: 'MB of each job' }),
  ...integers(editing, ['fallback_approvals_required'], {
    ...missingInSpecification,
    ...premiumTier,
    shownInReply: 'sometimes',
  }),
  ...booleans(
    editing,
    ['merge_trains_skip_train_allowed', 'web_based_commit_signing_enabled'],
    missingInSpecification,
  ),
  ...texts(editing, ['mirror_branch_regex'], {
    ...missingInSpecification,
    ...premiumTier,
    shownInReply: 'sometimes',
  }),

  deprecatedBoolean('container_registry_enabled', 'container_registry_access_level'),
  deprecatedBoolean('emails_disabled', 'emails_enabled'),
  deprecatedBoolean('issues_enabled', 'issues_access_level'),
  deprecatedBoolean('jobs_enabled', 'builds_access_level'),
  deprecatedBoolean('merge_requests_enabled', 'merge_requests_access_level'),
  deprecatedBoolean('public_builds', 'public_jobs'),
  deprecatedBoolean('snippets_enabled', 'snippets_access_level'),
  deprecatedBoolean('wiki_enabled', 'wiki_access_level'),
  ...integers(everywhere, ['approvals_before_merge'], {
    ...premiumTier,
    deprecated: true,
    note: 'replaced by the merge request approvals API',
  }),
];

const byName = new Map(projectAttributes.map((attribute) => [attribute.name, attribute]));

/** Returns the attributes that the use accepts, in the order of the table. */
export const attributesFor = (use: AttributeUse): Attribute[] =>
  projectAttributes.filter(({ uses }) => uses.includes(use));

/** Returns the attribute with that name for any use; undefined if there is none. */
export const attributeNamed = (name: string): Attribute | undefined => byName.get(name);

/**
 * Returns the likely attribute name: it differs in at most two letters, or begins with `key`; else null. Prefers names
 * that are not deprecated.
 */
export function nearestAttribute(key: string, use: AttributeUse): string | null {
  const typed = key.toLowerCase().replaceAll('-', '_');
  const near = attributesFor(use)
    .map(({ name, deprecated = false }) => ({ name, deprecated, distance: nameDistance(typed, name) }))
    .filter(({ distance }) => distance <= prefixDistance)
    .sort((a, b) => a.distance - b.distance || Number(a.deprecated) - Number(b.deprecated));
  return near[0]?.name ?? null;
}

const purposes: Record<AttributeUse, string> = {
  create: 'when a project is created',
  createFor: 'when a project is created for a user',
  edit: 'when a project is edited',
};

/** Returns a sentence that the attribute does not exist, with the most similar name. */
export function unknownAttributeMessage(name: string, use: AttributeUse): string {
  const near = nearestAttribute(name, use);
  const instead = near === null ? '' : `. The most similar name is "${near}"`;
  return `There is no attribute "${name}" ${purposes[use]}${instead}.`;
}

/** The distance of a name that only begins with the text. Such names come after those with a typing error. */
const prefixDistance = 3;

/** Returns the number of letters to change, up to 2; 3 for a name that begins with the text; 4 for all others. */
function nameDistance(typed: string, name: string): number {
  const distance = Math.abs(typed.length - name.length) > 2 ? 3 : editDistance(typed, name);
  if (distance <= 2) return distance;
  return typed.length >= 3 && name.startsWith(typed) ? prefixDistance : prefixDistance + 1;
}

/** Returns the number of letters to insert, remove or replace. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let line = 0; line < from.length; line += 1) {
    const next = [line + 1];
    for (let column = 0; column < to.length; column += 1) {
      next.push(
        Math.min(
          (row[column] ?? 0) + (from[line] === to[column] ? 0 : 1),
          (row[column + 1] ?? 0) + 1,
          (next[column] ?? 0) + 1,
        ),
      );
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
