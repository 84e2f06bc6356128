/** @file The schemas of `instance.ts`. */
import { rotationDays } from '../tokens/rotation-days.ts';
import { z } from '../schema.ts';
import { pacePresets, instanceNamePattern, tokenRefusals, tokenSources } from './instance.ts';

/**
 * All limits and waits on our side. Times are milliseconds; a per-minute limit of 0 means unlimited. `exports`,
 * `imports`: per user. `downloads`: per project, or per namespace on GitLab 14.10 to 17.9.
 */
export const paceSchema = z.object({
  exportsPerMinute: z.number().int().nonnegative(),
  importsPerMinute: z.number().int().nonnegative(),
  downloadsPerMinute: z.number().int().nonnegative(),
  downloadScope: z.enum(['project', 'namespace']),
  /** First and longest time between two polls of a running export or import. */
  firstPollMs: z.number(),
  maxPollMs: z.number(),
  /** For this long after an accepted request, the status `none` or `failed` may be outdated. */
  graceMs: z.number(),
  /** How long to wait before checking the target after a response was lost. */
  lookAgainMs: z.number(),
  /** After this time an export or import that does not end is given up. */
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
 * GitLab replaced the token, and the new one was lost. No request is possible until the user enters a token. These
 * fields identify the lost token in the account's list, so that it can be revoked.
 */
export const rotationLostSchema = z.object({
  /** When the replacement was requested; epoch milliseconds. */
  at: z.number(),
  oldId: z.number().int(),
  /** The name of both the old and the new token. */
  name: z.string(),
  /** The id of the lost token; null if no working token could look it up. */
  orphanId: z.number().int().nullable(),
  expiresOn: z.string().nullable(),
  /** Page of the account's tokens on the instance. */
  page: z.string(),
});

/** An instance as `settings.json` stores it. Never contains a token. */
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
  /**
   * First day on which the token no longer works, as of the last check; null if it never expires, or that is unknown.
   */
  tokenExpiresOn: z.string().nullable().default(null),
  /** True if the token may export and import, false if it may only read, as of the last check; null if unknown. */
  tokenCanWrite: z.boolean().nullable().default(null),
  addedAt: z.string(),
  /** True if Packhorse sends no request to the instance that changes anything. */
  readOnly: z.boolean().default(false),
  /** True if the instance is used without an account: only public projects are read, and nothing is changed. */
  anonymous: z.boolean().default(false),
  /** Address of the proxy for its requests; null for the one of the preferences. */
  proxy: z.string().nullable().default(null),
  /** Number of days before expiry at which its tokens are replaced automatically; null if never. */
  rotateDaysBefore: z.number().int().min(rotationDays.min).max(rotationDays.max).nullable().default(null),
  /** True if the keychain has a second token of the same user, so that the one in use can be replaced safely. */
  hasSpare: z.boolean().default(false),
  spareExpiresOn: z.string().nullable().default(null),
  rotationLost: rotationLostSchema.nullable().default(null),
  /**
   * Set if the instance refused the token when it was last used. Null after the token was accepted, or another one was
   * entered. `at`: ISO 8601 UTC.
   */
  tokenRefused: z
    .object({ code: z.enum(tokenRefusals), at: z.string() })
    .nullable()
    .default(null),
});

/**
 * The abilities of an account and its token, as the server reports them. Fields about the account are null without an
 * account.
 */
export const instanceCheckSchema = z.object({
  name: z.string(),
  url: z.string(),
  version: z.string().nullable(),
  userId: z.number().int().nullable(),
  username: z.string().nullable(),
  administrator: z.boolean(),
  tokenSource: z.enum(tokenSources).nullable(),
  /** Scopes, and the first day on which the token no longer works; null if the server does not report them. */
  scopes: z.array(z.string()).nullable(),
  expiresOn: z.string().nullable(),
  canRead: z.boolean(),
  canWrite: z.boolean(),
  /**
   * Difference between the server's clock and ours, in milliseconds (server minus ours); null without a Date header.
   */
  clockSkewMs: z.number().nullable(),
  notes: z.array(z.string()),
});
