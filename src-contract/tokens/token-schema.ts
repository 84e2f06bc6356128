/** @file The schemas of `token.ts`. */
import { textSchema } from '../ids-schema.ts';
import { z } from '../schema.ts';
import { tokenSlots } from './token.ts';

export const tokenSchema = z.object({
  id: z.number().int(),
  name: z.string(),
  description: z.string().nullable(),
  scopes: z.array(z.string()),
  userId: z.number().int(),
  active: z.boolean(),
  revoked: z.boolean(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
  /** First day, `YYYY-MM-DD`, on which the token no longer works; null if it never expires. */
  expiresOn: z.string().nullable(),
});

/** A token of a list, with its slot in Packhorse; null if Packhorse does not use it. */
export const listedTokenSchema = tokenSchema.extend({ slot: z.enum(tokenSlots).nullable() });

export const tokenFilterSchema = z.object({
  state: z.enum(['active', 'inactive']).nullable().default(null),
  revoked: z.boolean().nullable().default(null),
  search: textSchema.nullable().default(null),
  createdAfter: textSchema.nullable().default(null),
  createdBefore: textSchema.nullable().default(null),
  lastUsedAfter: textSchema.nullable().default(null),
  lastUsedBefore: textSchema.nullable().default(null),
  /** An id or a username. Administrators may list the tokens of any user. */
  user: z
    .union([z.number().int(), z.string().min(1).max(255)])
    .nullable()
    .default(null),
});

/**
 * The work of a job on a token. Null `expiresOn`: the new token is valid for as long as the previous one, at most a
 * year.
 */
export const tokenInputSchema = z.discriminatedUnion('action', [
  /** Replaces a token that Packhorse uses. */
  z.object({ action: z.literal('rotate'), slot: z.enum(tokenSlots), expiresOn: z.string().nullable() }),
  /**
   * Replaces any token, and gives the new one to the user of the process that requested it. `recipient` names the
   * process.
   */
  z.object({
    action: z.literal('hand-over'),
    /** Null for the token in use. */
    id: z.number().int().nullable(),
    expiresOn: z.string().nullable(),
    recipient: z.string(),
  }),
  /** Permanently revokes any token of the account. */
  z.object({ action: z.literal('revoke'), id: z.number().int() }),
]);

/** The token that was replaced, and the new one. */
export const replacedTokenSchema = z.object({
  oldId: z.number().int(),
  newId: z.number().int(),
  expiresOn: z.string().nullable(),
});

/** The result. After a rotation, the new token is in use, and its secret is in the keychain. */
export const tokenResultSchema = z.discriminatedUnion('action', [
  replacedTokenSchema.extend({ action: z.literal('rotate'), slot: z.enum(tokenSlots) }),
  /** The new token was given to the user, and is not stored. */
  replacedTokenSchema.extend({ action: z.literal('hand-over') }),
  /** `slot` is the former slot. The token is no longer stored. */
  z.object({ action: z.literal('revoke'), id: z.number().int(), slot: z.enum(tokenSlots).nullable() }),
]);
