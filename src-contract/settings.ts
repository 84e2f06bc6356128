/** @file The noun *settings*: a person's choices about the program itself, as the window shows and changes them. */
import type { z } from './schema.ts';
import type * as schemas from './settings-schema.ts';

export type TableLayout = z.output<typeof schemas.tableLayoutSchema>;
export type Preferences = z.output<typeof schemas.preferencesSchema>;
export type SettingsReply = z.output<typeof schemas.settingsViewSchema>;

export const appearances = ['system', 'light', 'dark'] as const;
/** The effect of closing the window: `tray` keeps schedules running without a window. */
export const closeBehaviours = ['tray', 'quit'] as const;
/** The ended work that is announced: everything, only what needs attention, nothing. */
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
