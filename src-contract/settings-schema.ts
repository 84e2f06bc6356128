/** @file The schemas of `settings.ts`. */
import { jobsAtOnceBounds } from './bounds.ts';
import { addressSchema, idSchema } from './ids-schema.ts';
import { z } from './schema.ts';
import { appearances, closeBehaviours, notificationLevels } from './settings.ts';

/** The layout of a table: columns in their order, widths in CSS pixels, and the column by which it is sorted. */
export const tableLayoutSchema = z.object({
  columns: z.array(
    z.object({ id: idSchema, width: z.number().int().min(40).max(2000), visible: z.boolean() }),
  ),
  sort: z.object({ column: idSchema, descending: z.boolean() }).nullable(),
});

export const preferencesSchema = z.object({
  appearance: z.enum(appearances),
  closeBehaviour: z.enum(closeBehaviours),
  /** Whether the person was informed once that closing the window does not end the program. */
  closeExplained: z.boolean(),
  startAtLogin: z.boolean(),
  notifications: z.enum(notificationLevels),
  /** `http://` or `https://` address that requests to instances go through; null: none. Without a password in it. */
  proxy: addressSchema.nullable(),
  /** How many jobs run at once, over all instances. */
  jobsAtOnce: z.number().int().min(jobsAtOnceBounds.min).max(jobsAtOnceBounds.max),
  /** By the name of the table. */
  tables: z.record(idSchema, tableLayoutSchema),
});

export const settingsViewSchema = z.object({
  preferences: preferencesSchema,
  /** Absolute path of the folder that new archives go to. */
  archiveRoot: z.string(),
  /** Folders that held archives before; archives in them are still listed and read. */
  earlierRoots: z.array(z.string()),
  dataFolder: z.string(),
});
