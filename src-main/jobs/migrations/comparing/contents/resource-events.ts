/**
 * @file The events of issues and merge requests: changes of the state, the labels, the milestone and, of issues, the iteration
 * (gitlab-facts 5.7). Pure.
 */
import { isFields, listOf, type ComparedField, type Fields, type ReadField } from './field-readers.ts';
import { joinParts, normalizers } from './field-values.ts';

export const eventKinds = ['state', 'label', 'milestone'] as const;
export type EventKind = (typeof eventKinds)[number] | 'iteration';

/** If a label or milestone is deleted, GitLab keeps the events without it, or hides them. An iteration is deleted with its events. */
const isCompared = (kind: EventKind, event: Fields): boolean => kind === 'state' || isFields(event[kind]);

/** Returns the time and the kind of change, and the days of an iteration; null for an event that is not compared. */
export function eventKey(kind: EventKind, event: Fields): string | null {
  if (!isCompared(kind, event)) return null;
  const change = kind === 'state' ? event['state'] : event['action'];
  const iteration = kind === 'iteration' ? ` ${String(iterationDays(event))}` : '';
  return `${normalizers.time(event['created_at']) ?? ''} ${String(change)}${iteration}`;
}

/** Returns the key of an event, with the title of its label or milestone, which may be renamed. */
function eventText(kind: EventKind, event: Fields): string | null {
  const key = eventKey(kind, event);
  const record = event[kind];
  if (key === null || kind === 'iteration' || !isFields(record)) return key;
  // GitLab shows the title of a label as its name.
  return joinParts(key, String(record['title'] ?? record['name']));
}

/** Returns the days of an iteration, because those with a schedule have no title; null for a record without one. */
export const iterationDays: ReadField = ({ iteration }) =>
  isFields(iteration) ? [iteration['start_date'], iteration['due_date']].map(String).join(' to ') : null;

export function eventsField(kind: EventKind): ComparedField {
  const events: ReadField = ({ [`resource_${kind}_events`]: all }) =>
    listOf(all)?.flatMap((event) => eventText(kind, event) ?? []);
  const field = { kind: 'entries', archived: events, listed: events, isReadSingly: true } as const;
  if (kind === 'state') return field;
  return { ...field, changesSilently: true, ...(kind !== 'iteration' && { hasRenames: true }) };
}

/** The commits that closed a record. Some versions of GitLab do not show them. */
export const stateEventCommits: ComparedField = {
  kind: 'names',
  archived: (record) => closingCommits(record),
  listed: (record) => closingCommits(record),
  isReadSingly: true,
};

const closingCommits: ReadField = ({ resource_state_events: all }) => {
  const events = listOf(all);
  if (events?.some(({ source_commit: commit }) => commit === undefined) !== false) return undefined;
  const closing = events.filter(({ source_commit: commit }) => typeof commit === 'string');
  return closing.map((event) => `${eventKey('state', event) ?? ''} by ${String(event['source_commit'])}`);
};
