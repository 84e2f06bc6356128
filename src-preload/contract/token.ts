/** @file The noun *token*: a personal access token as an instance tells of it. Its secret is never among this. */
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
  search: z.string().nullable(),
  createdAfter: z.string().nullable(),
  createdBefore: z.string().nullable(),
  lastUsedAfter: z.string().nullable(),
  lastUsedBefore: z.string().nullable(),
  /** An id; administrators may ask for any user's. */
  user: z.number().int().nullable(),
});
export type TokenFilter = z.infer<typeof tokenFilterSchema>;

/** `finished`: the new one is in use. `lost`: GitLab made a new one that nobody knows, its id in `orphanId`. */
export const rotationResultSchema = z.object({
  slot: z.enum(tokenSlots),
  oldId: z.number().int(),
  newId: z.number().int(),
  expiresOn: z.string().nullable(),
});
export type RotationResult = z.infer<typeof rotationResultSchema>;
