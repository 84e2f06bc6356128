/**
 * @file The compared fields of issues and merge requests. Pure. gitlab-facts 5.7 says what archives and lists contain of
 * them.
 */
import {
  column,
  emojiField,
  emojiTimes,
  entryTimes,
  isFields,
  listOf,
  sameColumn,
  unexported,
  type ComparedField,
  type Fields,
  type ReadField,
} from './field-readers.ts';
import { eventsField, iterationDays, stateEventCommits } from './resource-events.ts';

/** Returns null for a record without a milestone; undefined if a list does not have the field. */
export const titleOf: ReadField = ({ milestone }) =>
  isFields(milestone) ? milestone['title'] : milestone === undefined ? undefined : null;

/** An archive without label links has a record without labels. */
const labelTitles: ReadField = ({ label_links: links }) =>
  (listOf(links) ?? []).flatMap(({ label }) => (isFields(label) ? [label['title']] : []));

/** Undefined if a side does not have the states. */
const statesOf = (reviewers: unknown): unknown[] | undefined => {
  const states = listOf(reviewers)?.map(({ state }) => state);
  return states?.includes(undefined) === true ? undefined : states?.toSorted();
};

/** Returns the columns of a nested record; none if there is no such record, so that its fields are not compared. */
const within = (name: string, record: Fields): Fields => {
  const value = record[name];
  return isFields(value) ? value : {};
};

/** Newer versions show no longer time than this one: about a year. Others have a longer maximum, or none. */
const maxTimeSpent = 31_557_600;
const clampTime = (seconds: unknown): unknown =>
  typeof seconds === 'number' ? Math.min(Math.max(seconds, -maxTimeSpent), maxTimeSpent) : seconds;

const timeSpent: ReadField = ({ timelogs }) => {
  const times = listOf(timelogs)?.map(({ time_spent: seconds }) => Number(seconds));
  return times === undefined ? undefined : clampTime(times.reduce((sum, seconds) => sum + seconds, 0));
};

const votes = (listedName: string, emoji: string): ComparedField => ({
  kind: 'number',
  archived: ({ award_emoji: all }) => listOf(all)?.filter(({ name }) => name === emoji).length,
  listed: column(listedName),
  changesSilently: true,
});

const noteableFields = {
  title: sameColumn('title', 'title'),
  description: sameColumn('text', 'description'),
  state: {
    ...sameColumn('text', 'state'),
    // GitLab 10 and older reopened records into a state of their own.
    archived: ({ state }) => (state === 'reopened' ? 'opened' : state),
  },
  labels: { kind: 'names', archived: labelTitles, listed: column('labels'), hasRenames: true },
  milestone: {
    kind: 'text',
    archived: (record) => titleOf(record) ?? null,
    listed: titleOf,
    hasRenames: true,
  },
  discussion_locked: sameColumn('flag', 'discussion_locked'),
  time_estimate: {
    kind: 'number',
    // Old records have none.
    archived: ({ time_estimate: seconds }) => (seconds === null ? 0 : seconds),
    listed: (row) => within('time_stats', row)['time_estimate'],
  },
  total_time_spent: {
    kind: 'number',
    archived: timeSpent,
    listed: (row) => clampTime(within('time_stats', row)['total_time_spent']),
  },
  upvotes: votes('upvotes', 'thumbsup'),
  downvotes: votes('downvotes', 'thumbsdown'),
  emoji: emojiField(['thumbsup', 'thumbsdown']),
  emoji_times: emojiTimes,
  state_events: eventsField('state'),
  state_event_commits: stateEventCommits,
  label_events: eventsField('label'),
  milestone_events: eventsField('milestone'),
  created_at: sameColumn('time', 'created_at'),
} satisfies Record<string, ComparedField>;

const iterationEvents = eventsField('iteration');
const epicTitle = (epic: unknown): unknown => (isFields(epic) ? epic['title'] : null);

export const issueFields: Readonly<Record<string, ComparedField>> = {
  ...noteableFields,
  iteration: {
    kind: 'text',
    archived: iterationDays,
    listed: (row) => (row['iteration'] === undefined ? undefined : iterationDays(row)),
    // The days of an iteration belong to a group, which may change them.
    changesSilently: true,
  },
  epic: {
    kind: 'text',
    archived: ({ epic_issue: place }) => epicTitle(isFields(place) ? place['epic'] : null),
    listed: ({ epic }) => (epic === undefined ? undefined : epicTitle(epic)),
    // An epic is renamed, and gets issues, without a new time of the issue.
    changesSilently: true,
  },
  iteration_events: {
    ...iterationEvents,
    // Archives of the Free tier have none.
    archived: ({ resource_iteration_events: events = [] }) =>
      iterationEvents.listed({ resource_iteration_events: events }),
  },
  confidential: sameColumn('flag', 'confidential'),
  due_date: sameColumn('day', 'due_date'),
  weight: sameColumn('number', 'weight'),
  closed_at: sameColumn('time', 'closed_at'),
  health_status: sameColumn('text', 'health_status'),
  issue_type: {
    ...sameColumn('text', 'issue_type'),
    archived: (record) => within('work_item_type', record)['base_type'] ?? record['issue_type'],
  },
  ...unexported('number', 'moved_to_id'),
  ...unexported('text', 'service_desk_reply_to'),
  severity: {
    kind: 'text',
    archived: null,
    // Only incidents have a severity.
    listed: ({ severity }) => (severity === 'UNKNOWN' ? null : severity),
  },
};

/** GitLab stores the entries of forms, such as "1", and shows them as switches. */
const mergeOption = (name: string): ComparedField => ({
  kind: 'flag',
  archived: ({ merge_params: options }) =>
    isFields(options) ? /^(true|t|yes|y|1|on)$/i.test(String(options[name])) : undefined,
  listed: column(name),
});

/** Builds and deployments change these times without a new `updated_at` of the merge request. */
const buildTime = (name: string): Record<string, ComparedField> => ({
  [name]: {
    kind: 'time',
    archived: (record) => within('metrics', record)[name],
    listed: column(name),
    ...{ isReadSingly: true, changesSilently: true },
  },
});

export const mergeRequestFields: Readonly<Record<string, ComparedField>> = {
  ...noteableFields,
  source_branch: sameColumn('text', 'source_branch'),
  target_branch: sameColumn('text', 'target_branch'),
  merge_commit_sha: sameColumn('text', 'merge_commit_sha'),
  squash_commit_sha: sameColumn('text', 'squash_commit_sha'),
  squash: sameColumn('flag', 'squash'),
  review_states: {
    kind: 'sequence',
    archived: ({ merge_request_reviewers: reviewers }) => statesOf(reviewers),
    listed: ({ reviewer_states: reviewers }) => statesOf(reviewers),
    // A review does not change `updated_at` of the merge request.
    ...{ isReadSingly: true, changesSilently: true, requiresSameCount: true },
  },
  reviewer_times: entryTimes('merge_request_reviewers', 'reviewer_states'),
  approval_times: entryTimes('approvals', 'approved_by'),
  approvals_before_merge: sameColumn('number', 'approvals_before_merge'),
  should_remove_source_branch: mergeOption('should_remove_source_branch'),
  force_remove_source_branch: mergeOption('force_remove_source_branch'),
  sha: { kind: 'text', archived: column('diff_head_sha'), listed: column('sha') },
  merged_at: {
    ...sameColumn('time', 'merged_at'),
    archived: (record) => within('metrics', record)['merged_at'],
  },
  closed_at: {
    ...sameColumn('time', 'closed_at'),
    archived: (record) => within('metrics', record)['latest_closed_at'],
  },
  ...buildTime('latest_build_started_at'),
  ...buildTime('latest_build_finished_at'),
  ...buildTime('first_deployed_to_production_at'),
};
