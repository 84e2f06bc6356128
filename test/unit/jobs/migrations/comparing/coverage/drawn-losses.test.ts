/**
 * @file Every compared part of a project is lost by a test, on both sides of a migration: `migration-losses.test.ts` and
 * the bench of losses draw each variant of each kind of loss.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { archiveCoverage } from '../../../../../../src-main/jobs/migrations/comparing/coverage/archive-coverage.ts';
import { coveredPaths } from '../../../../../../src-main/jobs/migrations/comparing/coverage/field-coverage.ts';
import { recordRelations } from '../../../../../../src-main/jobs/migrations/comparing/contents/differing-fields.ts';
import { jobColumns } from '../../../../../../src-main/jobs/migrations/comparing/contents/pipeline-jobs.ts';
import { protectedRelations } from '../../../../../../src-main/jobs/migrations/comparing/refs/protected-refs.ts';
import { comparedSettings } from '../../../../../../src-main/jobs/migrations/comparing/settings/setting-table.ts';
import { columnsRead } from '../../../../../support/migrations/columns-read.ts';
import { jobLists } from '../../../../../support/migrations/changed-values.ts';
import {
  drawnLosses,
  normalizedPath,
  type DrawnLosses,
} from '../../../../../support/migrations/drawn-losses.ts';
import { lossKindNames, sides, type Side } from '../../../../../support/migrations/loss-kinds.ts';

/** Relations with one record, which a comparison reads as settings. */
const settingRelations = new Set<string>(comparedSettings.flatMap(({ part }) => part ?? []));

const settingsNotExported = new Set(
  comparedSettings.flatMap(({ part, read, includedInExport }) =>
    includedInExport === false ? columnsRead(read).map((column) => `${part ?? ''}.${column}`) : [],
  ),
);

/** GitLab shows the others of external statuses only, which older archives do not keep apart. */
const jobColumnNames = Object.keys(jobColumns)
  .map((field) => field.replace(/^job_/, ''))
  .filter((name) => name !== 'description' && name !== 'target_url');

/** Compared fields that no test loses on either side, by the reason. */
const notDrawn: Record<string, readonly string[]> = {
  'It selects the comparison of the record, and has no value of its own.': [
    ...['notes.system', 'notes.type', 'approval_rules.rule_type'],
    ...['builds', 'bridges', 'generic_commit_statuses', 'statuses'].map(
      (list) => `ci_pipelines.stages.${list}.type`,
    ),
  ],
  'GitLab shows it of failed jobs only, which pipeline-jobs.test.ts compares.': [
    ...['builds', 'bridges'].map((list) => `ci_pipelines.stages.${list}.failure_reason`),
  ],
  'Its loss changes other notes, too, which changed-notes.test.ts tests.': ['notes.discussion_id'],
  'Newer versions of GitLab do not have it, and older-settings.test.ts compares it.': [
    'project.build_coverage_regex',
  ],
  'Archives have it in another column, which is drawn.': [
    ...['notes.internal', 'issues.issue_type', 'snippets.file_name'],
    'project_feature.operations_access_level',
    'project.container_registry_enabled',
    ...['name', 'status', 'user_id', ...jobColumnNames].map(
      (field) => `ci_pipelines.stages.statuses.${field}`,
    ),
    'boards.lists.milestone.title',
    ...[
      ...['author_name', 'author_email', 'committer_name', 'committer_email'],
      'merge_request_commits_metadata',
    ].map((column) => `merge_requests.merge_request_diff.merge_request_diff_commits.${column}`),
  ],
  'It is compared of labels and milestones of groups only, which group-contents.test.ts tests.': [
    ...['issues.label_links', 'merge_requests.label_links', 'boards.lists'].flatMap((path) =>
      ['color', 'description', 'priorities'].map((column) => `${path}.label.${column}`),
    ),
    ...['issues', 'merge_requests', 'boards.lists', 'releases.milestone_releases'].flatMap((path) =>
      ['description', 'state', 'start_date', 'due_date', 'created_at'].map(
        (column) => `${path}.milestone.${column}`,
      ),
    ),
  ],
  'Events of this kind have no such column.': ['issues', 'merge_requests'].flatMap((relation) =>
    [
      ...['label_events.milestone', 'label_events.state', 'milestone_events.label', 'milestone_events.state'],
      ...['state_events.action', 'state_events.label', 'state_events.milestone'],
      ...['label_events.source_commit', 'milestone_events.source_commit'],
    ].map((column) => `${relation}.resource_${column}`),
  ),
  'It is compared with the names of the changed files, which are drawn.': [
    ...['new_file', 'renamed_file', 'deleted_file'].map(
      (column) => `merge_requests.merge_request_diff.merge_request_diff_files.${column}`,
    ),
    'merge_requests.merge_request_diff.real_size',
  ],
  'No export contains it, so every import lacks it.': [
    ...[
      'issues.moved_to_id',
      'issues.service_desk_reply_to',
      'boards.milestone',
      'pipeline_schedules.active',
    ],
    ...settingsNotExported,
  ],
  'Only older exports contain it, and the sandbox writes newer ones.': ['project.ci_config_path'],
  'A migration changes it itself.': ['project.archived'],
  'GitLab has no request that sets it.': ['ci_cd_settings.runner_token_expiration_interval'],
  'The value after a loss is one that the target may force on its projects.': [
    'project.service_desk_enabled',
  ],
  // The kind “custom attributes” loses them by their keys, which no table knows.
  'It has no columns.': ['custom_attributes'],
};

/** The parts of a project that a loss of each sentence of the documentation concerns. */
const documented: Record<string, readonly string[]> = {
  'the authors of issues, merge requests, snippets, releases, comments and system notes': [
    ...['issues', 'merge_requests', 'snippets', 'releases', 'notes'].map(
      (relation) => `${relation}.author_id`,
    ),
    'system notes',
  ],
  'the users of pipelines, jobs and reactions, of changes of states, labels, milestones and iterations, and of resolved threads':
    [
      ...['ci_pipelines.user_id', ...jobLists.map((list) => `ci_pipelines.stages.${list}.user_id`)],
      ...['issues', 'merge_requests'].flatMap((relation) => [
        `${relation}.award_emoji.user_id`,
        ...['state', 'label', 'milestone'].map((kind) => `${relation}.resource_${kind}_events.user_id`),
      ]),
      'issues.resource_iteration_events.user_id',
      ...['notes.award_emoji.user_id', 'notes.resolved_by_id'],
    ],
  'the assignees of issues, merge requests and lists of boards, the reviewers of merge requests with the states of their reviews, their approvers, and the users who closed or merged them':
    [
      ...['issues.issue_assignees.user_id', 'merge_requests.merge_request_assignees.user_id'],
      'boards.lists.user_id',
      'merge_requests.merge_request_reviewers.state',
      ...['merge_requests.merge_request_reviewers.user_id', 'merge_requests.approvals.user_id'],
      ...['issues.closed_by_id', 'merge_requests.metrics.latest_closed_by_id'],
      'merge_requests.metrics.merged_by_id',
    ],
  'refs with their commits': ['drop-refs branches', 'drop-refs tags', 'move-refs branches', 'move-refs tags'],
  'members with their roles and ends of membership': [
    ...['project_members', 'project_members.access_level', 'project_members.expires_at'],
  ],
  'invitations with their roles and ends': [
    ...['invitations', 'invitations.access_level', 'invitations.expires_at'],
  ],
  'protected branches, tags and environments with their levels, the numbers of their individual users and groups, force pushes and approvals of code owners, and approval rules with their number of approvals, users and branches':
    [
      ...protectedRelations,
      ...['push', 'merge', 'unprotect'].map(
        (name) => `protected_branches.${name}_access_levels.access_level`,
      ),
      'protected_branches.push_access_levels.user_id',
      ...['allow_force_push', 'code_owner_approval_required'].map((name) => `protected_branches.${name}`),
      'protected_tags.create_access_levels.access_level',
      'protected_environments.deploy_access_levels.access_level',
      'approval_rules.approvals_required',
      'approval_rules.approval_project_rules_users.user_id',
      'approval_rules.approval_project_rules_protected_branches.branch_name',
    ],
  'uploads with name, size and content': ['drop-files uploads', 'change-files uploads'],
  'the files that each merge request changes with their texts, its commits, and the commits between which GitLab compares':
    [
      ...['new_path', 'old_path', 'utf8_diff'].map((name) => `merge_request_diff_files.${name}`),
      'merge_request_diff_commits.sha',
      ...['base', 'start', 'head'].map((name) => `${name}_commit_sha`),
    ].map((name) => `merge_requests.merge_request_diff.${name}`),
  'LFS objects by their SHA-256, on the target, and their total size': ['drop-files lfs-objects'],
  'the avatar': ['drop-files avatar', 'change-files avatar'],
  'whether the wiki exists, and its pages with their contents': ['drop-files wiki', 'change-files wiki'],
  'the settings and the name of the project, the cleanup policy of its container registry, its error tracking, its settings of approvals, and its custom attributes':
    ['description', 'cadence', 'api_url', 'merge_requests_disable_committers_approval', 'location'],
};

/** The name is no part of an export. A migration sends it with the import. */
const documentedOn: Record<Side, readonly string[]> = { export: [], import: ['name'] };

const relations = [
  ...[...recordRelations, ...protectedRelations],
  ...['commit_notes', 'project_members', 'invitations', 'notes', 'system notes'],
];
const compared = [
  ...new Set(
    [...coveredPaths(archiveCoverage)].flatMap(([path, coverage]) =>
      coverage === 'compared' ? [normalizedPath(path)] : [],
    ),
  ),
];

function isDrawn(path: string, { fields, settings, parts }: DrawnLosses): boolean {
  const [relation = '', column = ''] = path.split('.');
  if (settingsNotExported.has(path)) return false;
  if (settingRelations.has(relation)) return settings.has(column);
  return (
    parts.has(path) || settings.has(path) || [...fields].some((field) => `${field}.`.startsWith(`${path}.`))
  );
}

describe.each(sides)('a loss on %s', (side) => {
  const drawn = drawnLosses(side);

  it('is drawn for every compared field, except those without a loss', () => {
    const exceptions = Object.values(notDrawn).flat();
    expect(compared.filter((path) => !isDrawn(path, drawn)).toSorted()).toEqual(exceptions.toSorted());
  });

  it('is drawn for the records of every compared relation', () => {
    expect(relations.filter((name) => !drawn.parts.has(name))).toEqual([]);
  });

  it('is drawn for every sentence of the documentation', () => {
    const page = readFileSync(
      join(import.meta.dirname, '../../../../../../docs/what-is-compared.md'),
      'utf8',
    );
    const [, list = ''] = /A comparison also covers:\n\n(.*?)\n\n/s.exec(page) ?? [];
    const sentences = list
      .split(/^- /m)
      .slice(1)
      .map((text) => text.trim().replace(/\s+/g, ' '));
    expect(Object.keys(documented).toSorted()).toEqual(sentences.toSorted());
    const missing = Object.values(documented)
      .flat()
      .concat(documentedOn[side])
      .filter((part) => !isDrawn(part, drawn));
    expect(missing).toEqual([]);
  });

  it.each(lossKindNames)('is not drawn for all of these without the kind “%s”', (left) => {
    const others = drawnLosses(
      side,
      lossKindNames.filter((name) => name !== left),
    );
    const lostFields = [...compared, ...Object.values(documented).flat()].filter(
      (part) => isDrawn(part, drawn) && !isDrawn(part, others),
    );
    const lostRelations = relations.filter((name) => drawn.parts.has(name) && !others.parts.has(name));
    expect(lostFields.length + lostRelations.length > 0).toBe(!repeatingKinds.has(left));
  });
});

/** Kinds that lose parts of other kinds in another way: completely, or by a second record in their place. */
const repeatingKinds = new Set<string>(['emptied parts', 'duplicates']);
