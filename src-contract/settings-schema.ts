/** @file The schemas of `settings.ts`. */
import { jobsAtOnceBounds } from './bounds.ts';
import { urlSchema, idSchema } from './ids-schema.ts';
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
  /** True after the user was informed that closing the window does not end the program. */
  closeExplained: z.boolean(),
  startAtLogin: z.boolean(),
  notifications: z.enum(notificationLevels),
  /** The `http://` or `https://` address of the proxy for requests to instances, without a password; null for none. */
  proxy: urlSchema.nullable(),
  /** How many jobs may run at once, over all instances. */
  jobsAtOnce: z.number().int().min(jobsAtOnceBounds.min).max(jobsAtOnceBounds.max),
  /** The layouts by the name of the table. */
  tables: z.record(idSchema, tableLayoutSchema),
});

export const settingsViewSchema = z.object({
  preferences: preferencesSchema,
  /** Absolute path of the folder for new archives. */
  archiveRoot: z.string(),
  /** Former archive folders. Their archives are still listed and read. */
  earlierRoots: z.array(z.string()),
  dataFolder: z.string(),
});
