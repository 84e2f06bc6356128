/** @file The schemas of `settings.ts`. */
import { jobsAtOnceBounds } from './bounds.ts';
import { addressSchema, idSchema } from './ids-schema.ts';
import { z, schemaOf } from './schema.ts';
import {
  type TableLayout,
  type Preferences,
  type SettingsView,
  appearances,
  closeBehaviours,
  notificationLevels,
} from './settings.ts';

export const tableLayoutSchema = schemaOf<TableLayout>()(
  z.object({
    columns: z.array(
      z.object({ id: idSchema, width: z.number().int().min(40).max(2000), visible: z.boolean() }),
    ),
    sort: z.object({ column: idSchema, descending: z.boolean() }).nullable(),
  }),
);

export const preferencesSchema = schemaOf<Preferences>()(
  z.object({
    appearance: z.enum(appearances),
    closeBehaviour: z.enum(closeBehaviours),
    closeExplained: z.boolean(),
    startAtLogin: z.boolean(),
    notifications: z.enum(notificationLevels),
    proxy: addressSchema.nullable(),
    jobsAtOnce: z.number().int().min(jobsAtOnceBounds.min).max(jobsAtOnceBounds.max),
    tables: z.record(idSchema, tableLayoutSchema),
  }),
);

export const settingsViewSchema = schemaOf<SettingsView>()(
  z.object({
    preferences: preferencesSchema,
    archiveRoot: z.string(),
    earlierRoots: z.array(z.string()),
    dataFolder: z.string(),
  }),
);
