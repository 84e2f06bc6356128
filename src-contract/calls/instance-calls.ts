/** @file Calls about the registered instances, and the tokens entered for them. */
import { addressSchema, referenceSchema, secretSchema, textSchema } from '../ids-schema.ts';
import { pacePresets } from '../instances/instance.ts';
import { instanceCheckSchema, instanceNameSchema, instanceSchema } from '../instances/instance-schema.ts';
import { pathTo } from '../path-schema.ts';
import { z } from '../schema.ts';
import { tokenSchema } from '../tokens/token-schema.ts';

const none = z.object({});

export const instanceCalls = {
  /**
   * Carries the token to use. `session`: kept in memory; `keychain`: stored and read back, unless it cannot
   * write and the stored one can. For a known instance the token is checked first, and on any error the one
   * before stays. For others it is forgotten when the instance is not added within minutes.
   */
  'instance.setToken': {
    /** `command`: for one command, which changes nothing for others. */
    request: z.object({
      name: instanceNameSchema,
      token: secretSchema,
      keep: z.enum(['session', 'keychain', 'command']),
    }),
    /** `lost`: the token that a rotation lost before, found now, and still working; it is to be revoked. */
    reply: z.object({ lost: tokenSchema.optional() }),
  },
  /** Reports the abilities of the token just set for a new `name` on `url`. Stores nothing; a refused token is dropped. */
  'instance.preview': {
    request: z.object({
      name: instanceNameSchema,
      url: addressSchema,
      caFile: pathTo('certificate').nullable(),
    }),
    reply: instanceCheckSchema,
  },
  /** Uses the token that is available for `name`, unless `anonymous`. Stored only if the instance replied. */
  'instance.add': {
    request: z.object({
      name: instanceNameSchema,
      url: addressSchema,
      caFile: pathTo('certificate').nullable(),
      pace: z.enum(pacePresets),
      keep: z.enum(['session', 'keychain']),
      anonymous: z.boolean().default(false),
    }),
    reply: z.object({ instance: instanceSchema, check: instanceCheckSchema }),
  },
  'instance.list': { request: none, reply: z.object({ instances: z.array(instanceSchema) }) },
  'instance.check': { request: z.object({ name: referenceSchema }), reply: instanceCheckSchema },
  /**
   * Changes how the instance is used; absent fields stay as they are. `caFile` and `proxy` (null: none of its
   * own) are tried first. Work in progress continues with the settings that it began with.
   */
  'instance.change': {
    request: z.object({
      name: referenceSchema,
      readOnly: z.boolean().optional(),
      proxy: addressSchema.nullable().optional(),
      caFile: pathTo('certificate').nullable().optional(),
      rotateDaysBefore: instanceSchema.shape.rotateDaysBefore.unwrap().optional(),
    }),
    reply: instanceSchema,
  },
  /** Stores the instance's list of projects; a refresh that breaks off loses nothing. Reports progress. */
  'instance.refresh': {
    request: z.object({ name: referenceSchema, visible: z.boolean() }),
    reply: z.object({ projects: z.number().int(), refreshedAt: z.string() }),
  },
  /** Removes its entry, plans, project list and token; archives stay. `confirmation` from `host.confirm`. */
  'instance.remove': { request: z.object({ name: referenceSchema, confirmation: textSchema }), reply: none },
} as const;
