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
  /** First day, `YYYY-MM-DD`, on which it no longer works; null: never. */
  expiresOn: z.string().nullable(),
});

/** A token of a list, and its slot here. */
export const listedTokenSchema = tokenSchema.extend({ slot: z.enum(tokenSlots).nullable() });

export const tokenFilterSchema = z.object({
  state: z.enum(['active', 'inactive']).nullable().default(null),
  revoked: z.boolean().nullable().default(null),
  search: textSchema.nullable().default(null),
  createdAfter: textSchema.nullable().default(null),
  createdBefore: textSchema.nullable().default(null),
  lastUsedAfter: textSchema.nullable().default(null),
  lastUsedBefore: textSchema.nullable().default(null),
  /** An id or a username; administrators may ask for any user's. */
  user: z
    .union([z.number().int(), z.string().min(1).max(255)])
    .nullable()
    .default(null),
});

/** The work of a job on a token. `expiresOn` null: the new one lasts as long as the one before, a year at most. */
export const tokenInputSchema = z.discriminatedUnion('action', [
  /** Replaces one that we hold. */
  z.object({ action: z.literal('rotate'), slot: z.enum(tokenSlots), expiresOn: z.string().nullable() }),
  /** Replaces any, and gives the new one to a person at the process that requested it, which `recipient` names. */
  z.object({
    action: z.literal('hand-over'),
    /** Null: the token in use. */
    id: z.number().int().nullable(),
    expiresOn: z.string().nullable(),
    recipient: z.string(),
  }),
  /** Ends any token of the account for good. */
  z.object({ action: z.literal('revoke'), id: z.number().int() }),
]);

/** The result. After a rotation the new token is in use, and its secret in the keychain. */
export const tokenResultSchema = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('rotate'),
    slot: z.enum(tokenSlots),
    oldId: z.number().int(),
    newId: z.number().int(),
    expiresOn: z.string().nullable(),
  }),
  /** The new token was given to a person, and is stored nowhere. */
  z.object({
    action: z.literal('hand-over'),
    oldId: z.number().int(),
    newId: z.number().int(),
    expiresOn: z.string().nullable(),
  }),
  /** `slot`: its former slot; the token is not stored any more. */
  z.object({ action: z.literal('revoke'), id: z.number().int(), slot: z.enum(tokenSlots).nullable() }),
]);
