/** @file The noun *relation target*: data of a project that the import of one relation may change beside its records. */
import { z } from '../schema.ts';

export const targetMemberSchema = z.object({
  id: z.number().int(),
  username: z.string(),
  /** 40 is Maintainer. */
  level: z.number().int(),
});
export type TargetMember = z.output<typeof targetMemberSchema>;

export const relationTargetSchema = z.object({
  account: z.object({ id: z.number().int(), username: z.string(), administrator: z.boolean() }),
  /** In the form of the API. */
  attributes: z.record(z.string(), z.unknown()),
  /** The direct ones, oldest row first; null where they may not be read. */
  members: z.array(targetMemberSchema).nullable(),
});
export type RelationTarget = z.output<typeof relationTargetSchema>;

/** An issue or merge request of an archive with the username of its author there; null where the archive does not name it. */
export const authoredRecordSchema = z.object({ iid: z.number().int(), author: z.string().nullable() });
export type AuthoredRecord = z.output<typeof authoredRecordSchema>;
