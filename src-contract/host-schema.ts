/** @file The schemas of `host.ts`. */
import { z } from './schema.ts';
import { hostKinds, hostCommands } from './host.ts';

/** A capability that is false is not offered in the window; a call that needs it fails with `host-cannot`. */
export const capabilitiesSchema = z.object({
  host: z.enum(hostKinds),
  /** A system dialog for choosing a file or a folder. */
  choosePath: z.boolean(),
  /** Showing a stored archive in the system's file manager. */
  reveal: z.boolean(),
  /** Opening a page of an instance in the system's browser; where false the page itself may follow links. */
  openLink: z.boolean(),
  tray: z.boolean(),
  notify: z.boolean(),
  startAtLogin: z.boolean(),
  /** A person at this process can be given a new token outside the page: by a dialog of the system. */
  handOverTokens: z.boolean(),
  /** False where a keychain was tried and cannot be used; tokens are then kept for this session only. */
  keychain: z.boolean(),
});

/** A thing that the action destroys, by name (`records`: the relation). `count` where it is known, for `trash` in bytes. */
export const destroyedSchema = z.object({
  what: z.enum(['token', 'project-list', 'plan', 'project', 'records', 'access-token', 'trash']),
  name: z.string(),
  count: z.number().int().nullable(),
});

/**
 * The outcome of deleting a project. `delayed`: it is marked, and can be restored until `finalOn`, the day
 * that the usual delay leads to; null: it may also be deleted at once, which its instance does not announce.
 */
export const deletionOutlookSchema = z.object({
  delayed: z.boolean().nullable(),
  finalOn: z.string().nullable(),
});

/** The subject of a notification, and the place that a click on it opens. */
export const hostPlaceSchema = z.strictObject({
  what: z.enum(['run', 'plan', 'archive']),
  id: z.string().min(1).max(100),
});

export const hostRequestSchema = z.union([
  z.strictObject({ command: z.enum(hostCommands) }),
  z.strictObject({ command: z.literal('show'), place: hostPlaceSchema }),
]);
