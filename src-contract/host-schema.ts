/** @file The schemas of `host.ts`. */
import { z, schemaOf } from './schema.ts';
import {
  type Capabilities,
  type Destroyed,
  type DeletionOutlook,
  type HostPlace,
  type HostRequest,
  hostKinds,
  hostCommands,
} from './host.ts';

export const capabilitiesSchema = schemaOf<Capabilities>()(
  z.object({
    host: z.enum(hostKinds),
    choosePath: z.boolean(),
    reveal: z.boolean(),
    openLink: z.boolean(),
    tray: z.boolean(),
    notify: z.boolean(),
    startAtLogin: z.boolean(),
    handOverTokens: z.boolean(),
    keychain: z.boolean(),
  }),
);

export const destroyedSchema = schemaOf<Destroyed>()(
  z.object({
    what: z.enum(['token', 'project-list', 'plan', 'project', 'records', 'access-token', 'trash']),
    name: z.string(),
    count: z.number().int().nullable(),
  }),
);

export const deletionOutlookSchema = schemaOf<DeletionOutlook>()(
  z.object({
    delayed: z.boolean().nullable(),
    finalOn: z.string().nullable(),
  }),
);

export const hostPlaceSchema = schemaOf<HostPlace>()(
  z.strictObject({
    what: z.enum(['run', 'plan', 'archive']),
    id: z.string().min(1).max(100),
  }),
);

export const hostRequestSchema = schemaOf<HostRequest>()(
  z.union([
    z.strictObject({ command: z.enum(hostCommands) }),
    z.strictObject({ command: z.literal('show'), place: hostPlaceSchema }),
  ]),
);
