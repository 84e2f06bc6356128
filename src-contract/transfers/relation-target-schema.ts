/** @file The schemas of `relation-target.ts`. */
import { z, schemaOf } from '../schema.ts';
import type { TargetMember, RelationTarget, AuthoredRecord } from './relation-target.ts';

const targetMemberSchema = schemaOf<TargetMember>()(
  z.object({
    id: z.number().int(),
    username: z.string(),
    level: z.number().int(),
  }),
);

export const relationTargetSchema = schemaOf<RelationTarget>()(
  z.object({
    account: z.object({ id: z.number().int(), username: z.string(), administrator: z.boolean() }),
    attributes: z.record(z.string(), z.unknown()),
    members: z.array(targetMemberSchema).nullable(),
  }),
);

export const authoredRecordSchema = schemaOf<AuthoredRecord>()(
  z.object({ iid: z.number().int(), author: z.string().nullable() }),
);
