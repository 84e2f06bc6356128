/**
 * @file The settings that are compared after a migration, and the place of each in an archive (gitlab-facts 5.3 and
 * 5.4). Attributes have the API's names. Pure.
 */
import { attributeNamed, projectFeatures } from '../../../../../src-contract/projects/project-attributes.ts';
import { isSame, toText } from './setting-values.ts';
import { operations, readByAnyName } from './older-names.ts';

export type Attributes = Readonly<Record<string, unknown>>;

/** `project` is `tree/project.json`; the others are the relations of that name. Custom attributes are values by key. */
type SettingPart =
  | 'project'
  | 'project_feature'
  | 'ci_cd_settings'
  | 'auto_devops'
  | 'container_expiration_policy'
  | 'error_tracking_setting'
  | 'custom_attributes';

/** Columns of an archive. Empty if the archive has no such part, null if the part cannot be read. */
export type ArchivedSettings = Readonly<Record<SettingPart, Attributes | null>>;

export interface ComparedSetting {
  /** A field within an attribute has the name of both, such as `container_expiration_policy.cadence`. */
  attribute: string;
  /**
   * Null if no part of an archive contains the setting. The default branch, for example, is stored in the repository.
   */
  part: SettingPart | null;
  /** Returns the value as the API would report it; undefined if the columns are missing. */
  read: (columns: Attributes) => unknown;
  /**
   * True if exports carry the setting, or a function that decides this by the columns. Settings that are not carried
   * are not expected on the target.
   */
  includedInExport: boolean | ((columns: Attributes) => boolean);
  /** Returns whether the target's instance or group may have forced this value. */
  mayDifferOnTarget?: (found: string) => boolean;
  /** Returns whether the source's instance may have forced this value, so that the archive decides the expected one. */
  mayDifferOnSource?: (shown: string) => boolean;
  /**
   * True if an export may have lost the value that the source shows, although the source may have forced it. The
   * difference from the archive is then named.
   */
  mayLoseForcedValue?: true;
  /** The advice for a setting that newer versions of GitLab no longer have. */
  replacement?: string;
}

type Read = ComparedSetting['read'];

const column =
  (name: string): Read =>
  (columns) =>
    columns[name];

const enumColumn =
  (name: string, values: Readonly<Record<number, string>>): Read =>
  (columns) => {
    const value = readByAnyName(columns, name);
    // An older name may have no number.
    return typeof value === 'number' ? values[value] : typeof value === 'string' ? value : undefined;
  };

const plainAttributes = [
  'description',
  'squash_option',
  'build_timeout',
  'auto_cancel_pending_pipelines',
  'request_access_enabled',
  'only_allow_merge_if_pipeline_succeeds',
  'only_allow_merge_if_all_discussions_are_resolved',
  'allow_merge_on_skipped_pipeline',
  'resolve_outdated_diff_discussions',
  'remove_source_branch_after_merge',
  'printing_merge_request_link_enabled',
  'autoclose_referenced_issues',
  'suggestion_commit_message',
  'merge_commit_template',
  'squash_commit_template',
  'issues_template',
  'merge_requests_template',
  'external_authorization_classification_label',
];

/** Attributes whose columns were never seen in an archive. */
export const unseenAttributes = [
  'topics',
  'lfs_enabled',
  'packages_enabled',
  'emails_enabled',
  'show_default_award_emojis',
  'warn_about_potentially_unwanted_characters',
  'enforce_auth_checks_on_uploads',
  'issue_branch_template',
  'mr_default_target_self',
  'only_allow_merge_if_all_status_checks_passed',
  'prevent_merge_without_jira_issue',
  'allow_pipeline_trigger_approve_deployment',
];

const visibilities = { 0: 'private', 10: 'internal', 20: 'public' };
/** `public` is for Pages and packages, which can be more open than the project. */
const levels = { 0: 'disabled', 10: 'private', 20: 'enabled', 30: 'public' };
const overridingRoles = { 1: 'no_one_allowed', 2: 'developer', 3: 'maintainer', 4: 'owner' };

const projectSetting = (attribute: string, read: Read = column(attribute)): ComparedSetting => ({
  attribute,
  part: 'project',
  read,
  includedInExport: true,
});

const mergeMethod: Read = ({ merge_requests_ff_only_enabled: ff, merge_requests_rebase_enabled: rebase }) => {
  if (ff === undefined && rebase === undefined) return undefined;
  return ff === true ? 'ff' : rebase === true ? 'rebase_merge' : 'merge';
};

/**
 * Features that depend on a registry. A server without a registry disables them in new projects, and only newer
 * archives have their columns.
 */
const registryFeatures: readonly string[] = ['container_registry', 'package_registry'];

const featureLevel = (attribute: string): ComparedSetting => ({
  attribute,
  part: 'project_feature',
  read: enumColumn(attribute, levels),
  includedInExport: true,
});
const features = [...projectFeatures, 'package_registry'].map((feature): ComparedSetting => {
  return {
    ...featureLevel(`${feature}_access_level`),
    ...(registryFeatures.includes(feature) && { mayDifferOnTarget: (found) => found === 'disabled' }),
  };
});

const pipelineSetting = (
  attribute: string,
  read: Read,
  overrides: Partial<ComparedSetting> = {},
): ComparedSetting => ({
  attribute,
  part: 'ci_cd_settings',
  read,
  includedInExport: false,
  ...overrides,
});

const pipelines: readonly ComparedSetting[] = [
  pipelineSetting('group_runners_enabled', column('group_runners_enabled'), { includedInExport: true }),
  // Archives have both columns since 13.8.
  pipelineSetting('ci_default_git_depth', column('default_git_depth'), {
    includedInExport: (columns) => 'runner_token_expiration_interval' in columns,
  }),
  pipelineSetting('runner_token_expiration_interval', column('runner_token_expiration_interval'), {
    includedInExport: (columns) => 'default_git_depth' in columns,
  }),
  ...[
    'forward_deployment_enabled',
    'forward_deployment_rollback_allowed',
    'separated_caches',
    'allow_fork_pipelines_to_run_in_parent_project',
    'push_repository_for_job_token_allowed',
    'job_token_scope_enabled',
    'id_token_sub_claim_components',
    'delete_pipelines_in_seconds',
    'display_pipeline_variables',
  ].map((name) => pipelineSetting(`ci_${name}`, column(name))),
  pipelineSetting('resource_group_default_process_mode', column('resource_group_default_process_mode')),
  ...['merge_pipelines_enabled', 'merge_trains_enabled', 'merge_trains_skip_train_allowed'].map((name) =>
    pipelineSetting(name, column(name)),
  ),
  pipelineSetting(
    'ci_restrict_pipeline_cancellation_role',
    enumColumn('restrict_pipeline_cancellation_role', { 0: 'developer', 1: 'maintainer', 2: 'no_one' }),
  ),
  pipelineSetting(
    'ci_pipeline_variables_minimum_override_role',
    enumColumn('pipeline_variables_minimum_override_role', overridingRoles),
  ),
  pipelineSetting('restrict_user_defined_variables', ({ pipeline_variables_minimum_override_role: role }) =>
    typeof role === 'number'
      ? overridingRoles[role as keyof typeof overridingRoles] !== 'developer'
      : undefined,
  ),
  // An instance may force it to be on (gitlab-facts 5.6).
  pipelineSetting('job_token_scope.inbound_enabled', column('inbound_job_token_scope_enabled'), {
    mayDifferOnTarget: (found) => found === 'true',
  }),
  // The API reports true only if the setting is on for both the project and the whole server.
  pipelineSetting('keep_latest_artifact', column('keep_latest_artifact'), { mayDifferOnTarget: () => true }),
];

const cleanupPolicy = ['enabled', 'cadence', 'keep_n', 'older_than', 'name_regex', 'name_regex_keep'].map(
  (name): ComparedSetting => ({
    attribute: `container_expiration_policy.${name}`,
    part: 'container_expiration_policy',
    read: column(name),
    includedInExport: true,
  }),
);

const errorTracking = ['api_url', 'project_name'].map((name): ComparedSetting => ({
  attribute: `error_tracking.${name}`,
  part: 'error_tracking_setting',
  read: column(name),
  includedInExport: true,
}));

/** The settings of approvals, with the values that an instance or group may force (gitlab-facts 5.6). */
const approvals = Object.entries({
  reset_approvals_on_push: ['true'],
  disable_overriding_approvers_per_merge_request: ['true'],
  merge_requests_author_approval: ['false'],
  merge_requests_disable_committers_approval: ['true'],
  // An instance without passwords for its web interface shows false.
  require_password_to_approve: ['true', 'false'],
}).map(([name, forced]): ComparedSetting => ({
  ...projectSetting(`approvals.${name}`, column(name)),
  mayDifferOnTarget: (found) => forced.includes(found),
  mayDifferOnSource: (shown) => forced.includes(shown),
  mayLoseForcedValue: true,
}));

const customAttributes = 'custom_attributes';

/** Returns a setting for each custom attribute of the source and the archive. */
export function customAttributeSettings(
  source: Attributes | null,
  archive: ArchivedSettings | null,
): ComparedSetting[] {
  const listed = source?.[customAttributes];
  const keys = new Set([
    ...(Array.isArray(listed) ? listed.map(({ key }: Attributes) => String(key)) : []),
    ...Object.keys(archive?.custom_attributes ?? {}),
  ]);
  return [...keys].map((key) => ({
    attribute: `${customAttributes}.${key}`,
    part: customAttributes,
    read: column(key),
    includedInExport: true,
  }));
}

/**
 * Returns the value of a setting; undefined if the instance does not show it. Only administrators see custom attributes.
 */
export function shownValue(
  attributes: Attributes,
  { attribute, part }: Pick<ComparedSetting, 'attribute' | 'part'>,
): unknown {
  if (part === customAttributes) {
    const listed = attributes[customAttributes];
    const key = attribute.slice(customAttributes.length + 1);
    if (!Array.isArray(listed)) return undefined;
    return (listed as Attributes[]).find((one) => one['key'] === key)?.['value'] ?? null;
  }
  const [outer = '', inner] = attribute.split('.');
  if (inner === undefined) return readByAnyName(attributes, attribute);
  return ((attributes[outer] ?? {}) as Attributes)[inner];
}

const valueIn = (attributes: Attributes, attribute: string): unknown =>
  shownValue(attributes, {
    attribute,
    part: attribute.startsWith(`${customAttributes}.`) ? customAttributes : null,
  });

/** Returns whether an instance shows this value of a setting. @param attribute as a comparison reports it. */
export function hasValue(attributes: Attributes, attribute: string, value: string): boolean {
  const text = settingText(attributes, attribute);
  return text !== null && isSame(text, value);
}

/** Returns the value of a setting that an instance shows, by any of its names; null if it shows none. */
export function settingText(attributes: Attributes, attribute: string): string | null {
  const shown = valueIn(attributes, attribute);
  return shown === undefined ? null : toText(shown);
}

/**
 * Returns whether an instance shows a setting, or the requested attribute under another name. An account that may not read
 * error tracking is shown a project without it.
 */
export function showsSetting(attributes: Attributes, attribute: string): boolean {
  const { shownAs: otherNames = [], replacedBy } = attributeNamed(attribute) ?? {};
  const names = [attribute, ...otherNames, ...(replacedBy === undefined ? [] : [replacedBy])];
  const shown = names.map((name) => valueIn(attributes, name)).find((value) => value !== undefined);
  return attribute.startsWith('error_tracking.') ? (shown ?? null) !== null : shown !== undefined;
}

/** Returns the visibility in the archive; null if the archive lacks it. */
export function archivedVisibility({ project }: ArchivedSettings): string | null {
  const value = project === null ? null : visibilitySetting.read(project);
  return typeof value === 'string' ? value : null;
}

export const visibilitySetting = projectSetting('visibility', enumColumn('visibility_level', visibilities));

/** Objects of settings that no reply about a project shows, so that each costs a request. Comparisons of numbers send none. */
const separateObjects: readonly string[] = ['error_tracking', 'approvals', 'job_token_scope'];
export const isReadSeparately = (attribute: string): boolean =>
  separateObjects.includes(attribute.split('.')[0] ?? '');

/** Excludes `archived`, which a migration itself changes. */
export const comparedSettings: readonly ComparedSetting[] = [
  visibilitySetting,
  { attribute: 'default_branch', part: null, read: () => undefined, includedInExport: true },
  projectSetting('merge_method', mergeMethod),
  projectSetting('public_jobs', column('public_builds')),
  projectSetting('build_git_strategy', ({ build_allow_git_fetch: fetches }) =>
    fetches === undefined ? undefined : fetches === true ? 'fetch' : 'clone',
  ),
  ...plainAttributes.map((attribute) => projectSetting(attribute)),
  // GitLab 15.0 removed it (gitlab-facts 5.6).
  {
    ...projectSetting('build_coverage_regex'),
    replacement: 'the keyword coverage in .gitlab-ci.yml',
  },
  // A group that allows no shared runners disables them for a project that moves into it (gitlab-facts 7).
  { ...projectSetting('shared_runners_enabled'), mayDifferOnTarget: (found) => found === 'false' },
  // GitLab shows it as off on an instance that receives no mail (gitlab-facts 5.6).
  {
    ...projectSetting('service_desk_enabled'),
    mayDifferOnTarget: (found) => found === 'false',
    mayDifferOnSource: (shown) => shown === 'false',
  },
  ...features,
  featureLevel(operations),
  ...pipelines,
  ...cleanupPolicy,
  ...errorTracking,
  ...approvals,
  // GitLab shows it on Premium only.
  projectSetting('approvals_before_merge'),
  // Only older exports contain this column (gitlab-facts 5.4).
  { ...projectSetting('ci_config_path'), includedInExport: (columns) => 'ci_config_path' in columns },
  // If nothing was set for the project, the API reports the value of the group or the server.
  {
    attribute: 'auto_devops_enabled',
    part: 'auto_devops',
    read: column('enabled'),
    includedInExport: false,
  },
  {
    attribute: 'auto_devops_deploy_strategy',
    part: 'auto_devops',
    read: column('deploy_strategy'),
    includedInExport: true,
  },
  ...unseenAttributes.map((attribute): ComparedSetting => ({
    ...projectSetting(attribute),
    includedInExport: false,
  })),
];
