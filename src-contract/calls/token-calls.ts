/** @file Calls about the tokens of an instance's account, and about the requests that were sent with them. */
import { idSchema, referenceSchema, secretSchema, textSchema } from '../ids-schema.ts';
import { z } from '../schema.ts';
import { tokenSlots } from '../tokens/token.ts';
import { listedTokenSchema, tokenFilterSchema } from '../tokens/token-schema.ts';
import { writeRequestSchema } from '../instances/write-request-schema.ts';

const limit = z.number().int().min(1).max(500);
const startedJobSchema = z.object({ runId: idSchema, jobId: idSchema });

export const tokenCalls = {
  /**
   * Lists the tokens of the account; for an administrator, those of all users. `cursor`: `next` of the previous page,
   * with the same `limit`.
   */
  'token.list': {
    request: z.object({
      instance: referenceSchema,
      filter: tokenFilterSchema,
      cursor: textSchema.nullable().default(null),
      limit,
    }),
    reply: z.object({ tokens: z.array(listedTokenSchema), next: z.string().nullable() }),
  },
  /** Returns one token. Null `id`: the token in use. */
  'token.show': {
    request: z.object({ instance: referenceSchema, id: z.number().int().nullable() }),
    reply: listedTokenSchema,
  },
  /**
   * Starts a job that replaces a token stored here with a new one. Null `expiresOn`: the new token is valid for as long
   * as the previous one.
   */
  'token.rotate': {
    request: z.object({
      instance: referenceSchema,
      slot: z.enum(tokenSlots),
      expiresOn: z.iso.date().nullable(),
    }),
    reply: startedJobSchema,
  },
  /**
   * Starts a job that replaces any token, and gives the new one to the user of this process, never to the page. Null
   * `id`: the token in use. `confirmation` is from `host.confirm` for `token.rotate`. Throws `host-cannot` if the host
   * cannot hand over a token.
   */
  'token.handOver': {
    request: z.object({
      instance: referenceSchema,
      id: z.number().int().nullable(),
      expiresOn: z.iso.date().nullable(),
      confirmation: textSchema,
    }),
    reply: startedJobSchema,
  },
  /**
   * Starts a job that permanently revokes a token. `confirmation` is from `host.confirm`, with the token's id as the
   * project.
   */
  'token.revoke': {
    request: z.object({ instance: referenceSchema, id: z.number().int(), confirmation: textSchema }),
    reply: startedJobSchema,
  },
  /** Sets the spare: a second token of the same user. Tries the token before storing it. */
  'token.setSpare': {
    request: z.object({
      instance: referenceSchema,
      token: secretSchema,
      keep: z.enum(['session', 'keychain']),
    }),
    reply: listedTokenSchema,
  },
  /** Deletes the spare token here without revoking it on the instance. */
  'token.forgetSpare': { request: z.object({ instance: referenceSchema }), reply: z.object({}) },

  /** Lists the requests that may have changed something, newest first. `before`: `next` of the previous page. */
  'request.list': {
    request: z.object({
      instance: referenceSchema.nullable().default(null),
      job: idSchema.nullable().default(null),
      before: z.number().int().nullable().default(null),
      limit,
    }),
    reply: z.object({ requests: z.array(writeRequestSchema), next: z.number().int().nullable() }),
  },
} as const;
