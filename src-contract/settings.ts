/** @file The noun *settings*: the user's settings for the program itself, as the window shows and changes them. */
import type { z } from './schema.ts';
import type * as schemas from './settings-schema.ts';

export type TableLayout = z.output<typeof schemas.tableLayoutSchema>;
export type Preferences = z.output<typeof schemas.preferencesSchema>;
export type SettingsReply = z.output<typeof schemas.settingsViewSchema>;

export const appearances = ['system', 'light', 'dark'] as const;
/** The effect of closing the window: `tray` keeps schedules running without a window. */
export const closeBehaviours = ['tray', 'quit'] as const;
/** The ended work that causes a notification: all, only work that needs attention, or none. */
export const notificationLevels = ['all', 'problems', 'none'] as const;

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
