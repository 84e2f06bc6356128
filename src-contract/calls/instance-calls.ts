/** @file Calls about the registered instances, and the tokens entered for them. */
import { urlSchema, referenceSchema, secretSchema, textSchema } from '../ids-schema.ts';
import { pacePresets } from '../instances/instance.ts';
import { instanceCheckSchema, instanceNameSchema, instanceSchema } from '../instances/instance-schema.ts';
import { pathSchema } from '../path-schema.ts';
import { z } from '../schema.ts';
import { tokenSchema } from '../tokens/token-schema.ts';

const none = z.object({});

export const instanceCalls = {
  /**
   * Sets the token of an instance. `session` keeps it in memory. `keychain` stores it and reads it back; a token that
   * can only read never replaces one that can write. For a registered instance the token is checked first, and the old
   * token stays after any error. For a new instance, the token is forgotten if the instance is not added within
   * minutes.
   */
  'instance.setToken': {
    /** `command`: used by one command only; the stored token stays. */
    request: z.object({
      name: instanceNameSchema,
      token: secretSchema,
      keep: z.enum(['session', 'keychain', 'command']),
    }),
    /** `lost`: a token that an earlier rotation lost, that still works, and that should be revoked. */
    reply: z.object({ lost: tokenSchema.optional() }),
  },
  /** Checks the token that was just set for a new `name` on `url`. Stores nothing, and forgets a refused token. */
  'instance.preview': {
    request: z.object({
      name: instanceNameSchema,
      url: urlSchema,
      caFile: pathSchema('certificate').nullable(),
    }),
    reply: instanceCheckSchema,
  },
  /**
   * Adds an instance, with the token that is available for `name` unless `anonymous`. Stores it only if the instance
   * replied.
   */
  'instance.add': {
    request: z.object({
      name: instanceNameSchema,
      url: urlSchema,
      caFile: pathSchema('certificate').nullable(),
      pace: z.enum(pacePresets),
      keep: z.enum(['session', 'keychain']),
      anonymous: z.boolean().default(false),
    }),
    reply: z.object({ instance: instanceSchema, check: instanceCheckSchema }),
  },
  'instance.list': { request: none, reply: z.object({ instances: z.array(instanceSchema) }) },
  'instance.check': { request: z.object({ name: referenceSchema }), reply: instanceCheckSchema },
  /**
   * Changes the settings of an instance; absent fields stay as they are. A new `caFile` or `proxy` is tried first; null
   * removes it. Running work continues with the previous settings.
   */
  'instance.change': {
    request: z.object({
      name: referenceSchema,
      readOnly: z.boolean().optional(),
      proxy: urlSchema.nullable().optional(),
      caFile: pathSchema('certificate').nullable().optional(),
      rotateDaysBefore: instanceSchema.shape.rotateDaysBefore.unwrap().optional(),
    }),
    reply: instanceSchema,
  },
  /** Fetches and stores the instance's project list. An interrupted refresh loses nothing. Reports progress. */
  'instance.refresh': {
    request: z.object({ name: referenceSchema, visible: z.boolean() }),
    reply: z.object({ projects: z.number().int(), refreshedAt: z.string() }),
  },
  /**
   * Removes the instance with its plans, project list and token; archives stay. `confirmation` is from `host.confirm`.
   */
  'instance.remove': { request: z.object({ name: referenceSchema, confirmation: textSchema }), reply: none },
} as const;
