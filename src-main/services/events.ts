/**
 * @file The events of the app. Payloads contain ids and a revision only, so a listener that misses an event misses only
 * a refresh.
 */
import type { EventName } from '../../src-contract/call-names.ts';
import type { EventPayload } from '../../src-contract/calls.ts';

export type EventListener = (name: EventName, payload: unknown) => void;

/** Events whose revision counts the changes of their kind since the program started. */
export type RevisionedEvent = Exclude<EventName, 'job.changed' | 'call.progress' | 'host.command'>;

export type Announce = <Name extends RevisionedEvent>(
  name: Name,
  fields: Omit<EventPayload<Name>, 'revision'>,
) => void;

export function createEvents() {
  const listeners = new Set<EventListener>();
  const revisions = new Map<EventName, number>();
  const notify = (name: EventName, payload: unknown): void => {
    for (const listener of listeners) listener(name, payload);
  };
  const announce: Announce = (name, fields) => {
    const revision = (revisions.get(name) ?? 0) + 1;
    revisions.set(name, revision);
    notify(name, { ...fields, revision });
  };
  return {
    subscribe(listener: EventListener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    announce,
    announceJobChange(payload: EventPayload<'job.changed'>) {
      notify('job.changed', payload);
    },
  };
}
