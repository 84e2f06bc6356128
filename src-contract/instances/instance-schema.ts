/** @file The schemas of `instance.ts`. */
import { rotationDays } from '../tokens/rotation-days.ts';
import { z, schemaOf } from '../schema.ts';
import {
  type Pace,
  type RotationLost,
  type Instance,
  type InstanceCheck,
  pacePresets,
  instanceNameRule,
  tokenRefusals,
  tokenSources,
} from './instance.ts';

export const paceSchema = schemaOf<Pace>()(
  z.object({
    exportsPerMinute: z.number().int().nonnegative(),
    importsPerMinute: z.number().int().nonnegative(),
    downloadsPerMinute: z.number().int().nonnegative(),
    downloadScope: z.enum(['project', 'namespace']),
    firstPollMs: z.number(),
    maxPollMs: z.number(),
    graceMs: z.number(),
    lookAgainMs: z.number(),
    deadlineMs: z.number(),
  }),
);

export const instanceNameSchema = z
  .string()
  .max(63, 'use at most 63 characters')
  .regex(
    instanceNameRule,
    'use lower-case letters, digits, ".", "_" and "-", and begin with a letter or a digit',
  );

export const rotationLostSchema = schemaOf<RotationLost>()(
  z.object({
    at: z.number(),
    oldId: z.number().int(),
    name: z.string(),
    orphanId: z.number().int().nullable(),
    expiresOn: z.string().nullable(),
    page: z.string(),
  }),
);

export const instanceSchema = schemaOf<Instance>()(
  z.object({
    name: instanceNameSchema,
    url: z.string(),
    caFile: z.string().nullable(),
    pacePreset: z.enum(pacePresets),
    pace: paceSchema,
    username: z.string().nullable(),
    userId: z.number().int().nullable(),
    administrator: z.boolean(),
    serverVersion: z.string().nullable(),
    tokenExpiresOn: z.string().nullable().default(null),
    tokenCanWrite: z.boolean().nullable().default(null),
    addedAt: z.string(),
    readOnly: z.boolean().default(false),
    anonymous: z.boolean().default(false),
    proxy: z.string().nullable().default(null),
    rotateDaysBefore: z.number().int().min(rotationDays.min).max(rotationDays.max).nullable().default(null),
    hasSpare: z.boolean().default(false),
    spareExpiresOn: z.string().nullable().default(null),
    rotationLost: rotationLostSchema.nullable().default(null),
    tokenRefused: z
      .object({ code: z.enum(tokenRefusals), at: z.string() })
      .nullable()
      .default(null),
  }),
);

export const instanceCheckSchema = schemaOf<InstanceCheck>()(
  z.object({
    name: z.string(),
    url: z.string(),
    version: z.string().nullable(),
    userId: z.number().int().nullable(),
    username: z.string().nullable(),
    administrator: z.boolean(),
    tokenSource: z.enum(tokenSources).nullable(),
    scopes: z.array(z.string()).nullable(),
    expiresOn: z.string().nullable(),
    canRead: z.boolean(),
    canWrite: z.boolean(),
    clockSkewMs: z.number().nullable(),
    notes: z.array(z.string()),
  }),
);
