/** @file The parts of an export that no comparison covers, and the reason for each. */

/**
 * `not-requested`: the REST API shows the part, but no request was sent, as by a comparison of another version.
 * `not-shown`: the REST API does not show it. `not-kept`: an import does not keep it. `changes-later`: GitLab changes it
 * after an import, without an edit. `instance`: it depends on the instance, not on the project. `number-only`: only the
 * number is compared. `of-groups`: it belongs to groups, which an export of a project does not contain as a whole.
 * `not-compared`: the REST API shows it, and it is only named. `no-sign`: GitLab shows it for one record at a time, and no
 * list shows whether the part exists. A part of the archive that is `not-requested` or `number-only` prevents the depth
 * `contents`; parts with another reason do not (`docs/decisions/0026-when-contents-are-compared.md`).
 */
export const uncomparedReasons = [
  'not-requested',
  'not-shown',
  'not-kept',
  'changes-later',
  'instance',
  'number-only',
  'of-groups',
  'not-compared',
  'no-sign',
] as const;
export type UncomparedReason = (typeof uncomparedReasons)[number];

export const uncomparedParts = {
  approval_rules: 'not-shown',
  assignee_states: 'not-shown',
  auto_merge: 'not-kept',
  commit_emoji: 'not-shown',
  commit_notes: 'no-sign',
  commit_system_notes: 'not-compared',
  designs: 'not-shown',
  edit_details: 'not-shown',
  edit_times: 'changes-later',
  membership_times: 'not-compared',
  epic_contents: 'of-groups',
  events: 'changes-later',
  external_pull_requests: 'not-shown',
  external_services: 'not-shown',
  individual_rights: 'number-only',
  integrations: 'not-kept',
  issue_details: 'not-shown',
  job_attempts: 'not-requested',
  job_queues: 'not-compared',
  member_details: 'not-kept',
  merge_options: 'not-shown',
  merge_users: 'not-compared',
  metrics: 'not-shown',
  mirroring: 'instance',
  note_details: 'not-shown',
  note_emoji: 'no-sign',
  pages_https: 'not-compared',
  pipeline_jobs: 'not-shown',
  pipeline_notes: 'not-requested',
  pipeline_settings: 'not-shown',
  record_history: 'not-shown',
  pipeline_links_and_issue_order: 'not-compared',
  runners: 'instance',
  security: 'changes-later',
  service_desk: 'not-shown',
  service_desk_address: 'instance',
  service_levels: 'not-shown',
  size_limits: 'instance',
  system_note_actions: 'not-shown',
  time_logs: 'not-shown',
  triggers: 'not-kept',
  wiki_contents: 'not-shown',
} as const satisfies Record<string, UncomparedReason>;
export type UncomparedPart = keyof typeof uncomparedParts;
export const uncomparedPartNames = Object.keys(uncomparedParts) as UncomparedPart[];
