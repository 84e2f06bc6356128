/** @file Calls about the tokens of an instance's account, and about the requests that were sent with them. */
import { idSchema, referenceSchema, secretSchema, textSchema } from '../ids-schema.ts';
import { z } from '../schema.ts';
import { tokenSlots } from '../tokens/token.ts';
import { listedTokenSchema, tokenFilterSchema } from '../tokens/token-schema.ts';
import { writeRequestSchema } from '../instances/write-request-schema.ts';

const limit = z.number().int().min(1).max(500);
const started = z.object({ runId: idSchema, jobId: idSchema });

export const tokenCalls = {
  /** Tokens of the account, for an administrator everybody's. `cursor`: `next` of the page before, with that `limit`. */
  'token.list': {
    request: z.object({
      instance: referenceSchema,
      filter: tokenFilterSchema,
      cursor: textSchema.nullable().default(null),
      limit,
    }),
    reply: z.object({ tokens: z.array(listedTokenSchema), next: z.string().nullable() }),
  },
  /** `id` null: the token in use. */
  'token.show': {
    request: z.object({ instance: referenceSchema, id: z.number().int().nullable() }),
    reply: listedTokenSchema,
  },
  /** Starts a job that replaces a token that we hold by a new one; `expiresOn` null: it lasts as long as the one before. */
  'token.rotate': {
    request: z.object({
      instance: referenceSchema,
      slot: z.enum(tokenSlots),
      expiresOn: z.iso.date().nullable(),
    }),
    reply: started,
  },
  /**
   * Starts a job that replaces any token by its id (null: the one in use), and gives the new one to the person at this process,
   * never to the page. `confirmation` from `host.confirm` for `token.rotate`. Throws `host-cannot` where nobody takes it.
   */
  'token.handOver': {
    request: z.object({
      instance: referenceSchema,
      id: z.number().int().nullable(),
      expiresOn: z.iso.date().nullable(),
      confirmation: textSchema,
    }),
    reply: started,
  },
  /** Starts a job that revokes a token for good. `confirmation` from `host.confirm`, whose project is the token's id. */
  'token.revoke': {
    request: z.object({ instance: referenceSchema, id: z.number().int(), confirmation: textSchema }),
    reply: started,
  },
  /** The second token of the same user; it is tried before it is kept. */
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

  /** Requests that may have changed something, newest first; `before`: `next` of the page before. */
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
