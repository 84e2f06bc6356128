/**
 * @file Names of all calls and events, without zod, so that the sandboxed preload bundle needs nothing but Electron.
 * `calls.ts` must have a schema for each name; the compiler checks it.
 */
export const callNames = [
  'host.describe',
  'instance.setToken',
  'instance.add',
  'instance.list',
  'instance.check',
  'instance.remove',
  'project.list',
  'project.show',
  'backup.start',
  'archive.list',
  'archive.show',
  'archive.inspect',
  'archive.verify',
  'archive.record',
  'archive.rescan',
  'import.start',
  'import.status',
  'job.list',
  'job.show',
  'job.log',
  'job.cancel',
  'doctor.run',
] as const;

export type CallName = (typeof callNames)[number];

export const eventNames = ['job.changed'] as const;

export type EventName = (typeof eventNames)[number];

/** What the preload puts on `window.packhorse`: plain data both ways. A call resolves to a `Result`, see `calls.ts`. */
export interface WindowBridge {
  readonly calls: Readonly<Record<CallName, (request: unknown) => Promise<unknown>>>;
  /** The returned function ends the subscription. */
  readonly on: (event: EventName, listener: (payload: unknown) => void) => () => void;
}
