/**
 * @file The noun *settings*: a person's choices about the program itself, as the window shows and changes
 * them.
 */

export const appearances = ['system', 'light', 'dark'] as const;
export type Appearance = (typeof appearances)[number];
/** The effect of closing the window: `tray` keeps schedules running without a window. */
export const closeBehaviours = ['tray', 'quit'] as const;
export type CloseBehaviour = (typeof closeBehaviours)[number];
/** The ended work that is announced: everything, only what needs attention, nothing. */
export const notificationLevels = ['all', 'problems', 'none'] as const;
export type NotificationLevel = (typeof notificationLevels)[number];

/**
 * The layout of a table: columns in their order, widths in CSS pixels, and the column by which it is sorted.
 */
export interface TableLayout {
  columns: { id: string; width: number; visible: boolean }[];
  sort: { column: string; descending: boolean } | null;
}

export interface Preferences {
  appearance: Appearance;
  closeBehaviour: CloseBehaviour;
  /** Whether the person was informed once that closing the window does not end the program. */
  closeExplained: boolean;
  startAtLogin: boolean;
  notifications: NotificationLevel;
  /** `http://` or `https://` address that requests to instances go through; null: none. Without a password in it. */
  proxy: string | null;
  /** How many jobs run at once, over all instances. */
  jobsAtOnce: number;
  /** By the name of the table. */
  tables: Record<string, TableLayout>;
}

export const initialPreferences: Preferences = {
  appearance: 'system',
  closeBehaviour: 'tray',
  closeExplained: false,
  startAtLogin: false,
  notifications: 'problems',
  proxy: null,
  jobsAtOnce: 4,
  tables: {},
};

export interface SettingsView {
  preferences: Preferences;
  /** Absolute path of the folder that new archives go to. */
  archiveRoot: string;
  /** Folders that held archives before; archives in them are still listed and read. */
  earlierRoots: string[];
  dataFolder: string;
}
