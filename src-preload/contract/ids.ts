/** @file What a request names things by. Nothing that exists has a longer id or name, so a longer one is not looked for. */
import { z } from './schema.ts';

/** The id of a job, run, plan, migration, failure or finding. */
export const idSchema = z.string().max(200);

/** The name of an instance or storage, or an id or a path of a project. GitLab's paths are shorter. */
export const referenceSchema = z.string().max(4096);
