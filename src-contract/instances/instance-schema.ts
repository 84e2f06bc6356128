/** @file The schemas of `instance.ts`. */
import { rotationDays } from '../tokens/rotation-days.ts';
import { z } from '../schema.ts';
import { pacePresets, instanceNamePattern, tokenRefusals, tokenSources } from './instance.ts';

/**
 * All limits and waits of our side. Milliseconds; a per-minute limit of 0 means unlimited.
 * `exports`, `imports`: per user. `downloads`: per project, or per namespace on GitLab 14.10 to 17.9.
 */
export const paceSchema = z.object({
  exportsPerMinute: z.number().int().nonnegative(),
  importsPerMinute: z.number().int().nonnegative(),
  downloadsPerMinute: z.number().int().nonnegative(),
  downloadScope: z.enum(['project', 'namespace']),
  /** First and longest time between two polls of a running export or import. */
  firstPollMs: z.number(),
  maxPollMs: z.number(),
  /** How long after an accepted request `none` or `failed` may still be an old answer. */
  graceMs: z.number(),
  /** How long to wait before asking the server about a request whose response was lost. */
  lookAgainMs: z.number(),
  /** An export or import that never ends is given up after this time. */
  deadlineMs: z.number(),
});

export const instanceNameSchema = z
  .string()
  .max(63, 'use at most 63 characters')
  .regex(
    instanceNamePattern,
    'use lower-case letters, digits, ".", "_" and "-", and begin with a letter or a digit',
  );

/**
 * GitLab replaced the token and nobody knows the new one: nothing can be asked until somebody gives a token.
 * These fields find the lost token in the account's list, so that it can be revoked.
 */
export const rotationLostSchema = z.object({
  /** Epoch milliseconds, when the replacement was requested. */
  at: z.number(),
  oldId: z.number().int(),
  /** Both have this name. */
  name: z.string(),
  /** Null while it cannot be found out, which needs a token. */
  orphanId: z.number().int().nullable(),
  expiresOn: z.string().nullable(),
  /** Page of the account's tokens on the instance. */
  page: z.string(),
});

/** An instance as `settings.json` keeps it. Tokens are never part of it. */
export const instanceSchema = z.object({
  name: instanceNameSchema,
  /** Base URL without `/api/v4` and without a trailing slash. */
  url: z.string(),
  /** Absolute path of a PEM file with further certificate authorities, or null. */
  caFile: z.string().nullable(),
  pacePreset: z.enum(pacePresets),
  pace: paceSchema,
  username: z.string().nullable(),
  userId: z.number().int().nullable(),
  administrator: z.boolean(),
  serverVersion: z.string().nullable(),
  /** First day on which the token no longer works, from the last check; null: never, or not said. */
  tokenExpiresOn: z.string().nullable().default(null),
  /** Whether the token may export and import, or only read, from the last check; null: not said. */
  tokenCanWrite: z.boolean().nullable().default(null),
  addedAt: z.string(),
  /** No request that changes something is sent to the instance. */
  readOnly: z.boolean().default(false),
  /** Used without an account: public projects only, and nothing is changed. */
  anonymous: z.boolean().default(false),
  /** Address that its requests go through; null: that of the preferences. */
  proxy: z.string().nullable().default(null),
  /** Its tokens are replaced automatically this many days before they expire; null: never. */
  rotateDaysBefore: z.number().int().min(rotationDays.min).max(rotationDays.max).nullable().default(null),
  /** Whether the keychain has a second token of the same user, with which the one in use can be replaced safely. */
  hasSpare: z.boolean().default(false),
  spareExpiresOn: z.string().nullable().default(null),
  rotationLost: rotationLostSchema.nullable().default(null),
  /** The instance refused the token when it was last used; null since it was accepted, or another one was given. `at`: ISO 8601 UTC. */
  tokenRefused: z
    .object({ code: z.enum(tokenRefusals), at: z.string() })
    .nullable()
    .default(null),
});

/** The abilities of an account and its token, as the server reports them; nulls about the account where there is none. */
export const instanceCheckSchema = z.object({
  name: z.string(),
  url: z.string(),
  version: z.string().nullable(),
  userId: z.number().int().nullable(),
  username: z.string().nullable(),
  administrator: z.boolean(),
  tokenSource: z.enum(tokenSources).nullable(),
  /** Scopes and first day on which the token no longer works; null where the server does not say. */
  scopes: z.array(z.string()).nullable(),
  expiresOn: z.string().nullable(),
  canRead: z.boolean(),
  canWrite: z.boolean(),
  /** Difference between the server's clock and ours, in milliseconds (server minus ours); null without a Date header. */
  clockSkewMs: z.number().nullable(),
  notes: z.array(z.string()),
});
