/** @file Ids, names and other texts in requests. Texts longer than any valid one are refused before a lookup. */
import { z } from './schema.ts';

/** The id of a job, run, plan, migration, failure or finding. */
export const idSchema = z.string().max(200);

/** The name of an instance or storage, or an id or a path of a project. GitLab's paths are shorter. */
export const referenceSchema = z.string().max(4096);

/** Other text in requests: search words, a cursor of a list, or a confirmation. */
export const textSchema = z.string().max(4096);

/** An address. The longest are presigned addresses, which contain a session token. */
export const urlSchema = z.string().max(16_384);

/** A token, or the key of a storage. */
export const secretSchema = z.string().max(4096);
