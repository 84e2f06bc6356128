/** @file The noun *host*: a way to run the app, and what that way can do for the window. */
import { z } from './schema.ts';

export const hostKinds = ['desktop', 'browser', 'command-line'] as const;

/** What is false is not offered in the window; a call that needs it answers `host-cannot`. */
export const capabilitiesSchema = z.object({
  host: z.enum(hostKinds),
  /** A dialog of the system for choosing a file or a folder. */
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
  /** False where a keychain was looked for and cannot be used; tokens are then kept for this session only. */
  keychain: z.boolean(),
});
export type Capabilities = z.infer<typeof capabilitiesSchema>;

export const chosenPaths = ['archive', 'folder', 'certificate', 'program'] as const;

/** What may be destroyed only with a confirmation, asked for shortly before and for that one target. */
export const confirmedActions = [
  'instance.remove',
  'import.overwrite',
  'project.delete',
  'token.revoke',
  'token.rotate',
  'trash.empty',
  'migration.start',
  'migration.again',
] as const;
export type ConfirmedAction = (typeof confirmedActions)[number];

/** What the confirmed action will destroy, by name (of `records`: the relation); `count` where it can be told, of `trash` in bytes. */
export const destroyedSchema = z.object({
  what: z.enum(['token', 'project-list', 'plan', 'project', 'records', 'access-token', 'trash']),
  name: z.string(),
  count: z.number().int().nullable(),
});
export type Destroyed = z.infer<typeof destroyedSchema>;

/**
 * What becomes of a project that is deleted. `delayed`: it is marked, and can be restored until `finalOn`, the day that the usual
 * delay leads to; null: it may also be deleted at once, which its instance does not tell before.
 */
export const deletionOutlookSchema = z.object({
  delayed: z.boolean().nullable(),
  finalOn: z.string().nullable(),
});
export type DeletionOutlook = z.infer<typeof deletionOutlookSchema>;

/** What the native menu and the tray ask the window to do. */
export const hostCommands = [
  'palette',
  'view.overview',
  'view.projects',
  'view.plans',
  'view.migrations',
  'view.archives',
  'view.import',
  'view.check',
  'view.activity',
  'view.instances',
  'view.tokens',
  'view.settings',
] as const;
export type HostCommand = (typeof hostCommands)[number];

/** What a notification tells of, and where its click leads. */
export const hostPlaceSchema = z.strictObject({
  what: z.enum(['run', 'plan', 'archive']),
  id: z.string().min(1).max(100),
});
export type HostPlace = z.infer<typeof hostPlaceSchema>;

export const hostRequestSchema = z.union([
  z.strictObject({ command: z.enum(hostCommands) }),
  z.strictObject({ command: z.literal('show'), place: hostPlaceSchema }),
]);
export type HostRequest = z.infer<typeof hostRequestSchema>;
