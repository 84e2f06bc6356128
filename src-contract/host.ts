/**
 * @file The noun *host*: a way to run the app, and its capabilities for the window.
 */

export const hostKinds = ['desktop', 'browser', 'command-line'] as const;
export type HostKind = (typeof hostKinds)[number];

/** A capability that is false is not offered in the window; a call that needs it fails with `host-cannot`. */
export interface Capabilities {
  host: HostKind;
  /** A system dialog for choosing a file or a folder. */
  choosePath: boolean;
  /** Showing a stored archive in the system's file manager. */
  reveal: boolean;
  /** Opening a page of an instance in the system's browser; where false the page itself may follow links. */
  openLink: boolean;
  tray: boolean;
  notify: boolean;
  startAtLogin: boolean;
  /** A person at this process can be given a new token outside the page: by a dialog of the system. */
  handOverTokens: boolean;
  /** False where a keychain was tried and cannot be used; tokens are then kept for this session only. */
  keychain: boolean;
}

export const chosenPaths = ['archive', 'folder', 'certificate', 'program'] as const;

/** Actions that need a confirmation, asked for shortly before and for that one target. */
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

/**
 * The things that the confirmed action will destroy, by name (for `records`: the relation). `count` where it
 * is known, for `trash` in bytes.
 */
export interface Destroyed {
  what: 'token' | 'project-list' | 'plan' | 'project' | 'records' | 'access-token' | 'trash';
  name: string;
  count: number | null;
}

/**
 * The outcome of deleting a project. `delayed`: it is marked, and can be restored until `finalOn`, the day
 * that the usual delay leads to; null: it may also be deleted at once, which its instance does not announce.
 */
export interface DeletionOutlook {
  delayed: boolean | null;
  finalOn: string | null;
}

/** Requests of the native menu and the tray to the window. */
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

/** The subject of a notification, and the place that a click on it opens. */
export interface HostPlace {
  what: 'run' | 'plan' | 'archive';
  id: string;
}

export type HostRequest = { command: HostCommand } | { command: 'show'; place: HostPlace };
