/** @file Checks what a comparison reports about each omission of a sandbox, and collects false alarms. */
import { buildTimes, changedJobColumns, jobLists } from './changed-values.ts';
import { approvalSettings } from './lost-settings.ts';
import type { Loss } from '../../../src-main/sandbox/exporting/losses.ts';
import { relationText } from '../../../src-contract/words/relations.ts';
import type { Comparison, MissingRecord, Reconciliation } from '../../../src-contract/transfers/import.ts';

/**
 * The way in which a comparison reports a loss. `named`: with its record, on the right side. `counted`: by numbers, on
 * the right side. `differs`: a setting with a wrong value. `declared`: a sentence says that it cannot be compared.
 * `silent`: none of these.
 */
export type Detection = 'named' | 'counted' | 'differs' | 'declared' | 'silent';

/** A loss with the identifier of the record on the side that had it. */
export interface KnownLoss extends Loss {
  iid: number | null;
}

/** Patterns of sentences that declare a part as not comparable. */
const declarations: Partial<Record<Loss['part'], RegExp>> = {
  diff: /changes.*were not compared/i,
  field: /so it is not known whether (?:they were lost|the export lost them)/,
  'note-field': /so it is not known whether they were lost/,
  setting:
    /so it is not known whether (?:they were lost|the export lost them)|^The target may decide these settings/,
  file: /total size of the LFS objects is not reported/i,
};

/** Compared fields by the column of GitLab's archives. */
const fieldOf: Record<string, string> = {
  award_emoji: 'emoji',
  resource_state_events: 'state_events',
  resource_label_events: 'label_events',
  resource_milestone_events: 'milestone_events',
  resource_iteration_events: 'iteration_events',
  'award_emoji.user_id': 'emoji_users',
  'award_emoji.created_at': 'emoji_times',
  'approvals.created_at': 'approval_times',
  'merge_request_reviewers.created_at': 'reviewer_times',
  'lists.user_id': 'list_assignees',
  ...Object.fromEntries(
    ['state', 'label', 'milestone', 'iteration'].map((kind) => [
      `resource_${kind}_events.user_id`,
      `${kind}_event_users`,
    ]),
  ),
  'resource_state_events.source_commit': 'state_event_commits',
  'approval_project_rules_users.user_id': 'users',
  'approval_project_rules_protected_branches.branch_name': 'branches',
  ...Object.fromEntries(
    jobLists.flatMap((list): [string, string][] => [
      [`stages.${list}.user_id`, 'job_users'],
      ...Object.keys(changedJobColumns).map((name): [string, string] => [
        `stages.${list}.${name}`,
        `job_${name}`,
      ]),
    ]),
  ),
  epic_issue: 'epic',
  stages: 'jobs',
  label_links: 'labels',
  diff_head_sha: 'sha',
  timelogs: 'total_time_spent',
  work_item_type: 'issue_type',
  author_id: 'author',
  user_id: 'user',
  issue_assignees: 'assignees',
  merge_request_assignees: 'assignees',
  merge_request_reviewers: 'reviewers',
  'merge_request_reviewers.state': 'review_states',
  approvals: 'approvers',
  'metrics.merged_at': 'merged_at',
  ...Object.fromEntries(buildTimes.map((name) => [`metrics.${name}`, name])),
  'metrics.latest_closed_at': 'closed_at',
  'metrics.merged_by_id': 'merged_by',
  'metrics.latest_closed_by_id': 'closed_by',
  closed_by_id: 'closed_by',
  'merge_params.should_remove_source_branch': 'should_remove_source_branch',
  'merge_params.force_remove_source_branch': 'force_remove_source_branch',
  pipeline_metadata: 'name',
  priorities: 'priority',
  push_access_levels: 'push access level',
  merge_access_levels: 'merge access level',
  create_access_levels: 'create access level',
  unprotect_access_levels: 'unprotect access level',
  deploy_access_levels: 'deploy access level',
  access_level: 'access level',
  expires_at: 'end of the membership',
  allow_force_push: 'force push',
  code_owner_approval_required: 'code owner approval',
  approvals_required: 'required approvals',
  applies_to_all_protected_branches: 'all protected branches',
  milestone_releases: 'milestones',
  visibility_level: 'visibility',
  content: 'files',
  'merge_request_diff.merge_request_diff_files': 'diffs',
  'merge_request_diff.merge_request_diff_commits': 'commits',
  'merge_request_diff.created_at': 'diff_created_at',
  'merge_request_diff.merge_request_diff_commits.message': 'commit_messages',
  ...Object.fromEntries(
    ['commit_author', 'committer', 'authored_date', 'committed_date'].map((name) => [
      `merge_request_diff.merge_request_diff_commits.${name}`,
      'commit_details',
    ]),
  ),
  ...Object.fromEntries(
    ['base', 'start', 'head'].map((name) => [`merge_request_diff.${name}_commit_sha`, `${name}_commit_sha`]),
  ),
};
/** Other fields in the same column of an archive. */
const otherFieldsIn: Record<string, readonly string[]> = {
  lists: ['max_issue_count', 'max_issue_weight', 'limit_metric'],
  award_emoji: ['upvotes', 'downvotes'],
  links: ['link_type', 'filepath'],
  push_access_levels: ['users who may push'],
  merge_request_reviewers: ['review_states', 'review_state_users'],
  position: ['position_type', 'line_range', 'image_point', 'diff_refs', 'ignore_whitespace_change'],
};
/** Compared fields of notes by the column of GitLab's archives. */
const noteFieldOf: Record<string, string> = {
  'award_emoji.user_id': 'emoji_users',
  'award_emoji.created_at': 'emoji_times',
  resolved_by_id: 'resolved_by',
  award_emoji: 'emoji',
  note: 'text',
  resolved_at: 'resolved',
  confidential: 'internal',
  author_id: 'author',
};
const partsOfRecords: ReadonlySet<Loss['part']> = new Set([
  'note',
  'note-field',
  'diff',
  'field',
  'content',
  'commit',
]);

const relationOfRow: Record<string, string> = {
  issue_notes: 'issues',
  merge_request_notes: 'merge_requests',
};
/** Relations that are compared by size. */
const rowOf: Record<string, string> = { lfs_objects: 'lfs_objects_size' };
/** Attributes of the API by the column of GitLab's table. */
const attributeOf: Record<string, string> = {
  visibility_level: 'visibility',
  public_builds: 'public_jobs',
  merge_requests_ff_only_enabled: 'merge_method',
  merge_requests_rebase_enabled: 'merge_method',
  build_allow_git_fetch: 'build_git_strategy',
  deploy_strategy: 'auto_devops_deploy_strategy',
  default_git_depth: 'ci_default_git_depth',
  ...Object.fromEntries(
    ['cadence', 'keep_n', 'older_than', 'name_regex', 'name_regex_keep', 'enabled'].map((name) => [
      name,
      `container_expiration_policy.${name}`,
    ]),
  ),
  location: 'custom_attributes.location',
  ...Object.fromEntries(Object.keys(approvalSettings).map((name) => [name, `approvals.${name}`])),
  api_url: 'error_tracking.api_url',
  project_name: 'error_tracking.project_name',
};

/** Returns the compared setting that shows the column of GitLab's table. */
export const settingOf = (column: string): string => attributeOf[column] ?? column;

export interface LossAssessment {
  found: { loss: KnownLoss; as: Detection }[];
  /** Reported losses that did not happen. */
  falseAlarms: string[];
}

export function assessLosses(losses: readonly KnownLoss[], reported: Reconciliation): LossAssessment {
  const missing = [...reported.missing];
  const settings = [...reported.settings];
  const found = losses.map((loss) => {
    // Another field of the column may differ alone, for example if the import replaces its users.
    const names = [loss.name, ...(otherFieldsIn[loss.name ?? ''] ?? [])];
    const count = missing.length;
    for (const name of names) {
      const at = missing.findIndex((record) => matches({ ...loss, name }, record));
      if (at >= 0) missing.splice(at, 1);
    }
    if (missing.length < count) return { loss, as: 'named' as const };
    if (loss.part === 'setting') {
      const name = settingOf(loss.name ?? '');
      const differing = settings.findIndex(
        ({ attribute, lost }) => attribute === name && lost === sideOf(loss),
      );
      if (differing >= 0) {
        settings.splice(differing, 1);
        return { loss, as: 'differs' as const };
      }
    }
    if (reported.rows.some((row) => isAbout(loss, row))) return { loss, as: 'counted' as const };
    const isDeclared = reported.declared.some((sentence) => declares(sentence, loss));
    return { loss, as: isDeclared ? ('declared' as const) : ('silent' as const) };
  });
  const rows = reported.rows.filter(
    (row) => row.verdict.startsWith('lost') && !losses.some((loss) => isAbout(loss, row)),
  );
  const falseAlarms = [...missing, ...settings, ...rows].map((report) => JSON.stringify(report));
  if (!reported.reconciled && losses.length === 0) falseAlarms.push('not reconciled');
  if (reported.reconciled && found.some(({ as }) => as !== 'declared' && as !== 'silent')) {
    falseAlarms.push('reconciled although something is lost');
  }
  return { found, falseAlarms };
}

/** Returns whether a sentence names the setting or the relation, and says that something is not known about it. */
function declares(sentence: string, { part, relation, name }: Loss): boolean {
  // This sentence is in every comparison.
  if (sentence.startsWith('Events, ')) return false;
  const names = part === 'setting' ? [settingOf(name ?? '')] : namesOf(relation);
  if (!names.some((each) => new RegExp(`\\b${each}\\b`, 'i').test(sentence))) return false;
  if (declarations[part]?.test(sentence) === true) return true;
  const isUnknown =
    /not known|not used|may be newer|not be distinguished|not confirmed|not compared|not listed|only counted/i;
  return isUnknown.test(sentence) && (part !== 'note' || /notes of/i.test(sentence));
}

/** A comparison also calls the members without an account invitations. */
const namesOf = (relation: string): string[] => [
  ...[relation, relationText(relation)],
  ...(relation === 'project_members' ? ['invitations'] : []),
];

const sideOf = ({ phase }: Loss): MissingRecord['lost'] => (phase === 'export' ? 'on-export' : 'on-import');

function fieldNameOf({ relation, name }: KnownLoss): string | null {
  const names = relation === 'commit_notes' ? noteFieldOf : fieldOf;
  return names[name ?? ''] ?? name;
}

function matches(loss: KnownLoss, record: MissingRecord): boolean {
  // A comparison does not know which side lost a page of a wiki.
  const isOnSide = record.lost === sideOf(loss) || loss.relation === 'wiki';
  if (record.relation !== loss.relation || !isOnSide) return false;
  const isPart = partsOfRecords.has(loss.part);
  if (isPart !== (record.part !== null)) return false;
  if (loss.part === 'field') {
    const name = fieldNameOf(loss);
    // A comparison counts lost files of a merge request, and compares the texts of the others.
    const isName = record.part?.name === name || (name === 'diffs' && record.part?.name === 'changes');
    return record.line === loss.line && isName;
  }
  if (loss.part === 'note-field') {
    // A column may be a field, too: if a thread was resolved before, only the time changes.
    const names = [noteFieldOf[loss.name ?? ''] ?? loss.name, loss.name];
    const part = record.part?.name.replace('system note', 'note');
    return (
      record.line === loss.line &&
      names.some((name) => part?.startsWith(`${name ?? ''} of the note of`) === true)
    );
  }
  if (loss.phase === 'import' && loss.line !== null && record.line !== null) return record.line === loss.line;
  // The part of a record without an iid is found in its line of the archive.
  if (isPart && record.iid === null && loss.part !== 'commit') return record.line === loss.line;
  if (loss.iid !== null && record.iid !== null) return record.iid === loss.iid;
  // The title of a file is the last part of a member's name, with the size.
  if (record.relation === 'uploads' || record.relation === 'lfs_objects')
    return loss.name?.split('/').at(-1) === record.title?.replace(/ \(\d+ bytes\)$/, '');
  // A push rule has no name.
  if (loss.name === null || record.title === null) return loss.name === record.title;
  return record.title.endsWith(loss.name);
}

/** Returns whether a comparison is about the loss. A lost record also loses its notes. */
function isAbout(loss: Loss, { relation, verdict }: Comparison): boolean {
  const notesOf = relationOfRow[relation];
  const isRow =
    notesOf === undefined
      ? (rowOf[loss.relation] ?? loss.relation) === relation &&
        (!partsOfRecords.has(loss.part) || relation === 'wiki')
      : notesOf === loss.relation && (loss.part === 'note' || loss.part === 'record');
  return isRow && (verdict === `lost-${sideOf(loss)}` || verdict === 'lost-on-both');
}
