/** @file What a request names things by. Nothing that exists has a longer id or name, so a longer one is not looked for. */
import { z } from './schema.ts';

/** The id of a job, run, plan, migration, failure or finding. */
export const idSchema = z.string().max(200);

/** The name of an instance or storage, or an id or a path of a project. GitLab's paths are shorter. */
export const referenceSchema = z.string().max(4096);

/** Words that are looked for, a place in a list, a word that a host gave: what a request carries besides. */
export const textSchema = z.string().max(4096);

/** An address. A presigned one carries a session token, and is the longest there is. */
export const addressSchema = z.string().max(16_384);

/** A token, or the key of a storage. */
export const secretSchema = z.string().max(4096);
