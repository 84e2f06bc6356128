/** @file Settings of a migrated project that the target shows otherwise than its source, or than an override asked for. Pure. */
import type { Reconciliation } from '../../../src-preload/contract/import.ts';

/**
 * Attributes of the API whose columns `tree/project.json` carries; `merge_method` stands there as two, `public_jobs` as
 * `public_builds`, `build_git_strategy` as `build_allow_git_fetch`. Left out is what an import decides by where the project
 * comes to (the service desk, the label of an external authorization), what is not carried as it is (approvals, limits), and
 * `archived`, which a migration itself changes.
 */
const carried = [
  'description',
  'visibility',
  'default_branch',
  'merge_method',
  'squash_option',
  'build_timeout',
  'build_git_strategy',
  'public_jobs',
  'ci_config_path',
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
  'shared_runners_enabled',
] as const;

/** A group that allows no shared runners takes them from a project that comes into it (gitlab-facts 7). */
const reset: Readonly<Record<string, string>> = { shared_runners_enabled: 'false' };

type Attributes = Readonly<Record<string, unknown>>;

/**
 * What the target says otherwise than an override, or without one than the source; null: the source is not asked. What one of
 * them does not show, because of its release, tier or the role there, is not compared, nor is what the source has not set.
 */
export function differingSettings(
  source: Attributes | null,
  overrides: Readonly<Record<string, string>>,
  target: Attributes,
): Reconciliation['settings'] {
  const expected = new Map<string, string>();
  for (const attribute of carried) {
    const value = plain(source?.[attribute]);
    const isSet = value !== null && (value !== '' || attribute === 'description');
    if (isSet && source?.[attribute] !== null && attribute in target) expected.set(attribute, value);
  }
  for (const attribute of Object.keys(reset)) {
    if (plain(target[attribute]) === reset[attribute]) expected.delete(attribute);
  }
  for (const [attribute, value] of Object.entries(overrides)) {
    // GitLab passes over what is blank.
    if (value !== '' && attribute in target) expected.set(attribute, value);
  }
  return [...expected].flatMap(([attribute, wanted]) => {
    const found = plain(target[attribute]);
    return found === null || isSame(found, wanted) ? [] : [{ attribute, expected: wanted, found }];
  });
}

/** A switch that was never touched may be told as null, which is off. */
const isSame = (one: string, other: string): boolean =>
  one === other || [one, other].every((value) => value === '' || value === 'false');

/** As a form would send it; null for what is no plain value. */
function plain(value: unknown): string | null {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}
