/** @file The names of the parts of an export that no comparison covers, and the sentences for the reasons. */
import type { Reconciliation } from '../transfers/import.ts';
import {
  uncomparedPartNames,
  uncomparedParts,
  uncomparedReasons,
  type UncomparedPart,
  type UncomparedReason,
} from '../transfers/uncompared-parts.ts';

export const uncomparedPartTexts: Record<UncomparedPart, string> = {
  approval_rules: 'reports of approval rules',
  assignee_states: 'states of reviews by assignees',
  auto_merge: 'auto-merge of merge requests',
  commit_emoji: 'reactions to comments on commits',
  commit_notes: 'comments on commits without a comment in the archive',
  commit_system_notes: 'system notes of commits',
  designs: 'designs',
  edit_details: 'users and times of edits of texts, times of labels, and times of changes of releases',
  edit_times: 'times of the last change',
  membership_times: 'times of memberships',
  epic_contents: 'contents of epics',
  events: 'events of the activity page',
  external_pull_requests: 'external pull requests',
  external_services: 'external issue trackers and wikis, and the organization of error tracking',
  individual_rights:
    'the individual users and groups with rights on protected branches, tags and environments',
  integrations: 'integrations',
  issue_details: 'Zoom meetings and Sentry links of issues',
  job_attempts: 'earlier attempts of trigger jobs and of external statuses',
  job_queues: 'the queued time of jobs, and which attempt of a job was the last one',
  member_details:
    'tokens and times of accepted invitations, and access requests and notification levels of members',
  merge_options:
    'prepared commit messages and pushes to forks of merge requests, and squash options of protected branches',
  merge_users: 'users who set auto-merge',
  metrics: 'statistics of merge requests, and metrics dashboards',
  mirroring: 'mirroring',
  note_details: 'original positions and diffs of comments, and commits of applied suggestions',
  note_emoji: 'reactions to comments without a reaction in the archive that were never changed',
  pages_https: '“Force HTTPS for Pages”',
  pipeline_jobs:
    'options, schedules and environments of jobs, stages of external statuses, and sources of configurations, failures and merged commits of pipelines',
  pipeline_notes: 'comments on commits in archives before GitLab 15.10',
  pipeline_settings: 'auto-rollback, and pipelines of composite identities',
  record_history: 'issues closed by alerts and errors, and threads resolved by a push',
  pipeline_links_and_issue_order: 'merge requests of pipelines, and the manual order of issues',
  runners: 'runners of jobs',
  security: 'vulnerabilities',
  service_desk: 'templates and sender names of Service Desk',
  service_desk_address: 'addresses of Service Desk',
  service_levels: 'service levels of issues',
  size_limits: 'size limits',
  system_note_actions: 'kinds of changes that system notes record',
  time_logs: 'users and dates of time logs',
  triggers: 'pipeline triggers',
  wiki_contents: 'attached files and earlier versions of wiki pages',
};

/** Why a part is not compared. */
export const uncomparedReasonText: Record<UncomparedReason, string> = {
  'not-requested': 'GitLab’s API shows it, but it was not compared, so the contents do not count as compared',
  'not-shown': 'GitLab’s REST API does not show it',
  'not-kept': 'an import does not keep it',
  'changes-later': 'GitLab changes it after an import, without an edit',
  instance: 'depends on the instance',
  'number-only': 'compared by number only',
  'of-groups': 'belongs to groups',
  'not-compared': 'GitLab’s API shows it, but it is only named, and the contents still count as compared',
  'no-sign': 'nothing in GitLab’s lists shows that the part exists',
};

type NotCompared = Reconciliation['notCompared'];

const knownParts: ReadonlyMap<string, UncomparedPart> = new Map<string, UncomparedPart>([
  ...uncomparedPartNames.map((part) => [part, part] as const),
  // Comparisons of older versions are stored with these names.
  ['single_user_rights', 'individual_rights'],
  ['entry_times', 'membership_times'],
  ['record_links', 'pipeline_links_and_issue_order'],
]);

/** Returns the name for a sentence. A part that this version does not know gets its key as name. */
export function uncomparedPartText(part: string): string {
  const known = knownParts.get(part);
  return known === undefined ? part.replaceAll('_', ' ') : uncomparedPartTexts[known];
}

function reasonOf(part: string): UncomparedReason {
  const known = knownParts.get(part);
  return known === undefined ? 'not-requested' : uncomparedParts[known];
}

/** Returns the parts by reason, without empty groups. A part that this version does not know counts as not requested. */
export const uncomparedGroups = (parts: NotCompared): { reason: UncomparedReason; parts: NotCompared }[] =>
  uncomparedReasons
    .map((reason) => ({
      reason,
      parts: parts.filter(({ part }) => reasonOf(part) === reason),
    }))
    .filter(({ parts: some }) => some.length > 0);

/** Returns sentences for a terminal about the parts: those that the archive contains, and the number of the others. */
export function uncomparedSentences(parts: NotCompared): string[] {
  const contained = parts.filter(({ records }) => records > 0);
  const otherCount = parts.length - contained.length;
  const names = contained.map(({ part, records }) => `${uncomparedPartText(part)} (${records})`).join(', ');
  return [
    ...(contained.length === 0
      ? []
      : [`The archive contains these parts, which were not compared: ${names}.`]),
    ...(otherCount === 0
      ? []
      : [
          `Not compared either: ${otherCount === 1 ? '1 part' : `${otherCount} parts`} in which the archive has no content. The option --json lists them.`,
        ]),
  ];
}
