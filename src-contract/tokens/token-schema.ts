/** @file The schemas of `token.ts`. */
import { textSchema } from '../ids-schema.ts';
import { z, schemaOf } from '../schema.ts';
import {
  type PersonalToken,
  type ListedToken,
  type TokenFilter,
  type TokenInput,
  type TokenResult,
  tokenSlots,
} from './token.ts';

export const tokenSchema = schemaOf<PersonalToken>()(
  z.object({
    id: z.number().int(),
    name: z.string(),
    description: z.string().nullable(),
    scopes: z.array(z.string()),
    userId: z.number().int(),
    active: z.boolean(),
    revoked: z.boolean(),
    createdAt: z.string(),
    lastUsedAt: z.string().nullable(),
    expiresOn: z.string().nullable(),
  }),
);

export const listedTokenSchema = schemaOf<ListedToken>()(
  tokenSchema.extend({ slot: z.enum(tokenSlots).nullable() }),
);

export const tokenFilterSchema = schemaOf<TokenFilter>()(
  z.object({
    state: z.enum(['active', 'inactive']).nullable().default(null),
    revoked: z.boolean().nullable().default(null),
    search: textSchema.nullable().default(null),
    createdAfter: textSchema.nullable().default(null),
    createdBefore: textSchema.nullable().default(null),
    lastUsedAfter: textSchema.nullable().default(null),
    lastUsedBefore: textSchema.nullable().default(null),
    user: z
      .union([z.number().int(), z.string().min(1).max(255)])
      .nullable()
      .default(null),
  }),
);

export const tokenInputSchema = schemaOf<TokenInput>()(
  z.discriminatedUnion('action', [
    z.object({ action: z.literal('rotate'), slot: z.enum(tokenSlots), expiresOn: z.string().nullable() }),
    z.object({
      action: z.literal('hand-over'),
      id: z.number().int().nullable(),
      expiresOn: z.string().nullable(),
      recipient: z.string(),
    }),
    z.object({ action: z.literal('revoke'), id: z.number().int() }),
  ]),
);

export const tokenResultSchema = schemaOf<TokenResult>()(
  z.discriminatedUnion('action', [
    z.object({
      action: z.literal('rotate'),
      slot: z.enum(tokenSlots),
      oldId: z.number().int(),
      newId: z.number().int(),
      expiresOn: z.string().nullable(),
    }),
    z.object({
      action: z.literal('hand-over'),
      oldId: z.number().int(),
      newId: z.number().int(),
      expiresOn: z.string().nullable(),
    }),
    z.object({ action: z.literal('revoke'), id: z.number().int(), slot: z.enum(tokenSlots).nullable() }),
  ]),
);
