/** @file The noun *token*: a personal access token as an instance tells of it. Its secret is never among this. */
import { textSchema } from './ids.ts';
import { z } from './schema.ts';

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
export type PersonalToken = z.infer<typeof tokenSchema>;

/** An instance may hold two tokens of the same user: the one in use, and a spare with which that one can be rotated safely. */
export const tokenSlots = ['main', 'spare'] as const;
export type TokenSlot = (typeof tokenSlots)[number];

/** A token of a list, and what it is to us. */
export const listedTokenSchema = tokenSchema.extend({ slot: z.enum(tokenSlots).nullable() });
export type ListedToken = z.infer<typeof listedTokenSchema>;

export const tokenFilterSchema = z.object({
  state: z.enum(['active', 'inactive']).nullable(),
  revoked: z.boolean().nullable(),
  search: textSchema.nullable(),
  createdAfter: textSchema.nullable(),
  createdBefore: textSchema.nullable(),
  lastUsedAfter: textSchema.nullable(),
  lastUsedBefore: textSchema.nullable(),
  /** An id or a username; administrators may ask for any user's. */
  user: z.union([z.number().int(), z.string().min(1).max(255)]).nullable(),
});
export type TokenFilter = z.infer<typeof tokenFilterSchema>;

/**
 * What a job does with a token. `rotate` replaces one that we hold; `expiresOn` null: it lasts as long as the one before, a
 * year at the most. `hand-over` replaces any, by its id (null: the one in use), and gives the new one to a person at the
 * process that asked, which `recipient` names. `revoke` ends any token of the account for good.
 */
export const tokenInputSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('rotate'), slot: z.enum(tokenSlots), expiresOn: z.string().nullable() }),
  z.object({
    action: z.literal('hand-over'),
    id: z.number().int().nullable(),
    expiresOn: z.string().nullable(),
    recipient: z.string(),
  }),
  z.object({ action: z.literal('revoke'), id: z.number().int() }),
]);
export type TokenInput = z.infer<typeof tokenInputSchema>;

/** What came of it. Of a rotation the new token is in use, and its secret in the keychain. */
export const tokenResultSchema = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('rotate'),
    slot: z.enum(tokenSlots),
    oldId: z.number().int(),
    newId: z.number().int(),
    expiresOn: z.string().nullable(),
  }),
  /** The new token was given to a person, and is kept nowhere. */
  z.object({
    action: z.literal('hand-over'),
    oldId: z.number().int(),
    newId: z.number().int(),
    expiresOn: z.string().nullable(),
  }),
  /** `slot`: what it was to us; it is not kept any more. */
  z.object({ action: z.literal('revoke'), id: z.number().int(), slot: z.enum(tokenSlots).nullable() }),
]);
export type TokenResult = z.infer<typeof tokenResultSchema>;
