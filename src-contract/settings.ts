/** @file The noun *settings*: what a person decides about the program itself, as the window shows and changes it. */
import { addressSchema, idSchema } from './ids.ts';
import { z } from './schema.ts';

export const appearances = ['system', 'light', 'dark'] as const;
/** What closing the window does: `tray` keeps schedules running without a window. */
export const closeBehaviours = ['tray', 'quit'] as const;
/** Which ended work is announced: everything, only what needs attention, nothing. */
export const notificationLevels = ['all', 'problems', 'none'] as const;

/** How a table was left: columns in their order, widths in CSS pixels, and by which column it is sorted. */
export const tableLayoutSchema = z.object({
  columns: z.array(
    z.object({ id: idSchema, width: z.number().int().min(40).max(2000), visible: z.boolean() }),
  ),
  sort: z.object({ column: idSchema, descending: z.boolean() }).nullable(),
});
export type TableLayout = z.infer<typeof tableLayoutSchema>;

export const preferencesSchema = z.object({
  appearance: z.enum(appearances),
  closeBehaviour: z.enum(closeBehaviours),
  /** Whether the person was told once that closing the window does not end the program. */
  closeExplained: z.boolean(),
  startAtLogin: z.boolean(),
  notifications: z.enum(notificationLevels),
  /** `http://` or `https://` address that requests to instances go through; null: none. Without a password in it. */
  proxy: addressSchema.nullable(),
  /** How many jobs run at once, over all instances. */
  jobsAtOnce: z.number().int().min(1).max(8),
  /** By the name of the table. */
  tables: z.record(idSchema, tableLayoutSchema),
});
export type Preferences = z.infer<typeof preferencesSchema>;

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

export const settingsViewSchema = z.object({
  preferences: preferencesSchema,
  /** Absolute path of the folder that new archives go to. */
  archiveRoot: z.string(),
  /** Folders that held archives before; what stands in them is still listed and read. */
  earlierRoots: z.array(z.string()),
  dataFolder: z.string(),
});
export type SettingsView = z.infer<typeof settingsViewSchema>;
