/** @file The parts of an export that no comparison covers, and the reason for each. */

/**
 * `not-requested`: a comparison by another version did not request the part. `not-shown`: the REST API does not
 * show it. `not-kept`: an import does not keep it. `changes-later`: GitLab changes it after an import, without an edit.
 * `instance`: it depends on the instance, not on the project. `number-only`: only the number is compared. `no-sign`: GitLab shows it only for one record at a time, and
 * shows for these records that nothing changed since they were written. Parts that are
 * `not-requested` keep a comparison from reaching the depth `contents`, and so do those of an archive that are `number-only`.
 */
export const uncomparedReasons = [
  'not-requested',
  'not-shown',
  'not-kept',
  'changes-later',
  'instance',
  'number-only',
  'no-sign',
] as const;
export type UncomparedReason = (typeof uncomparedReasons)[number];

export const uncomparedParts = {
  approval_rules: 'not-shown',
  assignee_states: 'not-shown',
  auto_merge: 'not-kept',
  commit_notes: 'not-shown',
  designs: 'not-shown',
  edit_details: 'not-shown',
  edit_times: 'changes-later',
  epic_contents: 'instance',
  events: 'changes-later',
  external_pull_requests: 'not-shown',
  external_services: 'not-shown',
  integrations: 'not-kept',
  issue_details: 'not-shown',
  member_details: 'not-kept',
  merge_options: 'not-shown',
  metrics: 'not-shown',
  mirroring: 'instance',
  note_emoji: 'no-sign',
  pipeline_jobs: 'not-shown',
  pipeline_settings: 'not-shown',
  record_history: 'not-shown',
  security: 'changes-later',
  service_desk: 'instance',
  service_levels: 'not-shown',
  single_user_rights: 'number-only',
  size_limits: 'instance',
  system_note_actions: 'not-shown',
  time_logs: 'not-shown',
  triggers: 'not-kept',
  wiki_contents: 'not-shown',
} as const satisfies Record<string, UncomparedReason>;
export type UncomparedPart = keyof typeof uncomparedParts;
export const uncomparedPartNames = Object.keys(uncomparedParts) as UncomparedPart[];
