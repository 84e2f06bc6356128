/**
 * @file The noun *relation target*: the members and attributes of a project that a relation import may change as a side
 * effect.
 */
import { z } from '../schema.ts';

export const targetMemberSchema = z.object({
  id: z.number().int(),
  username: z.string(),
  /** The access level; 40 is Maintainer. */
  level: z.number().int(),
});
export type TargetMember = z.output<typeof targetMemberSchema>;

export const relationTargetSchema = z.object({
  account: z.object({ id: z.number().int(), username: z.string(), administrator: z.boolean() }),
  /** Attributes of the project, as the API returns them. */
  attributes: z.record(z.string(), z.unknown()),
  /** The direct members, oldest row first; null if the account may not read them. */
  members: z.array(targetMemberSchema).nullable(),
});
export type RelationTarget = z.output<typeof relationTargetSchema>;

/**
 * An issue or merge request of an archive with the username of its author; null if the archive does not contain the
 * author.
 */
export const authoredRecordSchema = z.object({ iid: z.number().int(), author: z.string().nullable() });
export type AuthoredRecord = z.output<typeof authoredRecordSchema>;
