/** @file The schemas of `host.ts`. */
import { z } from './schema.ts';
import { hostKinds, hostCommands } from './host.ts';

/**
 * The capabilities of the host. The window hides each function whose capability is false; a call that needs the
 * capability fails with `host-cannot`.
 */
export const capabilitiesSchema = z.object({
  host: z.enum(hostKinds),
  /** A system dialog for choosing a file or a folder. */
  choosePath: z.boolean(),
  /** Shows a stored archive in the system's file manager. */
  reveal: z.boolean(),
  /** Opens a page of an instance in the system's browser. If false, the page itself may follow links. */
  openLink: z.boolean(),
  tray: z.boolean(),
  notify: z.boolean(),
  startAtLogin: z.boolean(),
  /** Gives a new token to the user outside the page, with a dialog of the system. */
  handOverTokens: z.boolean(),
  /** False if a keychain was tried and is unusable. Tokens are then kept for this session only. */
  keychain: z.boolean(),
});

/**
 * Data that the action destroys, by name; for `records`, the relation. `count` is null if unknown; for `trash`, it is
 * in bytes.
 */
export const destroyedDataSchema = z.object({
  what: z.enum(['token', 'project-list', 'plan', 'project', 'records', 'access-token', 'trash']),
  name: z.string(),
  count: z.number().int().nullable(),
});

/**
 * The outcome of deleting a project. `delayed`: the project is only marked, and can be restored until `finalOn`, which
 * assumes the usual delay. `delayed` is null if unknown: GitLab before 18 may delete the project at once, and does not
 * report whether it will.
 */
export const deletionForecastSchema = z.object({
  delayed: z.boolean().nullable(),
  finalOn: z.string().nullable(),
});

/** The subject of a notification, and the place that a click on it opens. */
export const notificationTargetSchema = z.strictObject({
  what: z.enum(['run', 'plan', 'archive']),
  id: z.string().min(1).max(100),
});

export const hostRequestSchema = z.union([
  z.strictObject({ command: z.enum(hostCommands) }),
  z.strictObject({ command: z.literal('show'), place: notificationTargetSchema }),
]);
