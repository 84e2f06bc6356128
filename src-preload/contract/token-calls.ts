/** @file Calls about the tokens of an instance's account, and about the requests that were sent with them. */
import { z } from './schema.ts';
import { listedTokenSchema, tokenFilterSchema } from './token.ts';
import { writeRequestSchema } from './write-request.ts';

const limit = z.number().int().min(1).max(500);

export const tokenCalls = {
  /** Of the account, of an administrator's everybody's; in the instance's order. `cursor`: `next` of the page before, which had the same `limit`. */
  'token.list': {
    request: z.object({
      instance: z.string(),
      filter: tokenFilterSchema,
      cursor: z.string().nullable(),
      limit,
    }),
    reply: z.object({ tokens: z.array(listedTokenSchema), next: z.string().nullable() }),
  },
  /** `id` null: the token in use. */
  'token.show': {
    request: z.object({ instance: z.string(), id: z.number().int().nullable() }),
    reply: listedTokenSchema,
  },

  /** Requests that may have changed something, newest first; `before`: `next` of the page before. */
  'request.list': {
    request: z.object({
      instance: z.string().nullable(),
      job: z.string().nullable(),
      before: z.number().int().nullable(),
      limit,
    }),
    reply: z.object({ requests: z.array(writeRequestSchema), next: z.number().int().nullable() }),
  },
} as const;
