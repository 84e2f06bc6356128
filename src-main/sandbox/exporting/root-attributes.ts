/** @file The settings of a project in an archive's `tree/project.json`, by the columns of GitLab's table. */
import type { JsonRecord } from '../content/project-content.ts';
import { capVisibility } from '../projects/project-making.ts';
import { visibilities, type Project, type Visibility } from '../sandbox-database.ts';

/** Maps a column to the attribute of the API that changes it. */
const attributeOf: Record<string, string> = {
  ...Object.fromEntries(
    (
      'build_timeout shared_runners_enabled request_access_enabled only_allow_merge_if_pipeline_succeeds ' +
      'only_allow_merge_if_all_discussions_are_resolved resolve_outdated_diff_discussions squash_option ' +
      'printing_merge_request_link_enabled auto_cancel_pending_pipelines autoclose_referenced_issues ' +
      'allow_merge_on_skipped_pipeline issues_template merge_requests_template ' +
      'external_authorization_classification_label remove_source_branch_after_merge suggestion_commit_message merge_commit_template squash_commit_template ' +
      'approvals_before_merge service_desk_enabled reset_approvals_on_push disable_overriding_approvers_per_merge_request ' +
      'merge_requests_author_approval merge_requests_disable_committers_approval require_password_to_approve'
    )
      .split(' ')
      .map((name) => [name, name]),
  ),
  public_builds: 'public_jobs',
};

export const visibilityLevels: Record<Visibility, number> = { private: 0, internal: 10, public: 20 };

/** Returns the attributes of an export: those of the content, overridden by the project's current ones. */
export function rootAttributesOf(project: Project, content: JsonRecord): JsonRecord {
  const { attributes } = project;
  const currentEntries = Object.entries(attributeOf).flatMap(([column, name]) =>
    attributes[name] === undefined ? [] : [[column, attributes[name]] as const],
  );
  const { merge_method: method, build_git_strategy: strategy } = attributes;
  return {
    ...content,
    ...Object.fromEntries(currentEntries),
    ...(strategy !== undefined && { build_allow_git_fetch: strategy === 'fetch' }),
    ...(method === undefined
      ? {}
      : {
          merge_requests_rebase_enabled: method === 'rebase_merge',
          merge_requests_ff_only_enabled: method === 'ff',
        }),
    description: project.description,
    archived: project.archived,
    visibility_level: visibilityLevels[project.visibility],
  };
}

/**
 * Sets the project's attributes from the columns. Without columns it is private, not archived, and has no description.
 */
export function replaceAttributes(project: Project, columns: JsonRecord): void {
  project.visibility = 'private';
  project.description = null;
  project.archived = false;
  mergeAttributes(project, columns);
}

/** Assigns the columns. The project never becomes more visible than its namespace. */
export function mergeAttributes(project: Project, columns: JsonRecord): void {
  const { description, archived, visibility_level: level } = columns;
  const visibility = visibilities.find((name) => visibilityLevels[name] === Number(level ?? Number.NaN));
  if (visibility !== undefined) project.visibility = capVisibility(visibility, project.namespace.visibility);
  if (description !== undefined) project.description = typeof description === 'string' ? description : null;
  if (archived !== undefined) project.archived = archived === true;
  for (const [column, name] of Object.entries(attributeOf)) {
    const value = columns[column];
    if (value !== undefined && value !== null) project.attributes[name] = value;
  }
  const { build_allow_git_fetch: fetches } = columns;
  if (typeof fetches === 'boolean') project.attributes['build_git_strategy'] = fetches ? 'fetch' : 'clone';
  const { merge_requests_rebase_enabled: rebase, merge_requests_ff_only_enabled: ff } = columns;
  if (rebase === true || ff === true) {
    project.attributes['merge_method'] = ff === true ? 'ff' : 'rebase_merge';
  }
}
