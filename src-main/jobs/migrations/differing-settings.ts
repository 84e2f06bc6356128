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

/** How an attribute stands in `tree/project.json`; of the others the column is called like the attribute. Undefined: it is not there. */
const columns: Readonly<Record<string, (of: Attributes) => unknown>> = {
  visibility: ({ visibility_level: level }) =>
    level === undefined ? undefined : { 0: 'private', 10: 'internal', 20: 'public' }[Number(level)],
  merge_method: ({ merge_requests_ff_only_enabled: ff, merge_requests_rebase_enabled: rebase }) => {
    if (ff === undefined && rebase === undefined) return undefined;
    return ff === true ? 'ff' : rebase === true ? 'rebase_merge' : 'merge';
  },
  public_jobs: ({ public_builds: isPublic }) => isPublic,
  build_git_strategy: ({ build_allow_git_fetch: fetches }) =>
    fetches === undefined ? undefined : fetches === true ? 'fetch' : 'clone',
};

/** A group that allows no shared runners takes them from a project that comes into it (gitlab-facts 7). */
const reset: Readonly<Record<string, string>> = { shared_runners_enabled: 'false' };

type Attributes = Readonly<Record<string, unknown>>;

/**
 * What the target says otherwise than an override, or without one than the source; null: the source is not asked. What one of
 * them does not show, because of its release, tier or the role there, is not compared, nor is what the source has not set.
 * @param archive columns of its `tree/project.json`, which tell on which side a setting was lost; null: they cannot be read.
 */
export function differingSettings(
  source: Attributes | null,
  overrides: Readonly<Record<string, string>>,
  archive: Attributes | null,
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
    if (isAsked(overrides, attribute) && attribute in target) expected.set(attribute, value);
  }
  return [...expected].flatMap(([attribute, wanted]) => {
    const found = plain(target[attribute]);
    if (found === null || isSame(found, wanted)) return [];
    const lost = isAsked(overrides, attribute) ? 'on-import' : sideOf(attribute, wanted, archive);
    return [{ attribute, expected: wanted, found, lost }];
  });
}

/** GitLab passes over an override that is blank. */
const isAsked = (overrides: Readonly<Record<string, string>>, attribute: string): boolean =>
  (overrides[attribute] ?? '') !== '';

function sideOf(
  attribute: string,
  wanted: string,
  archive: Attributes | null,
): Reconciliation['settings'][number]['lost'] {
  // The default branch is that of the repository, not a column.
  if (archive === null || attribute === 'default_branch') return null;
  const held = columns[attribute] === undefined ? archive[attribute] : columns[attribute](archive);
  return held !== undefined && isSame(plain(held) ?? '', wanted) ? 'on-import' : 'on-export';
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
