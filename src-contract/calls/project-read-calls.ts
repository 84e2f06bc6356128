/** @file Calls that ask an instance about its projects now. They change nothing there. */
import { referenceSchema, textSchema } from '../ids-schema.ts';
import { projectListKinds } from '../projects/project-details.ts';
import {
  foundProjectSchema,
  groupSummarySchema,
  projectDetailsSchema,
  projectQuerySchema,
  projectUserSchema,
  starrerSchema,
  uploadSchema,
} from '../projects/project-details-schema.ts';
import { pathTo } from '../path-schema.ts';
import { z } from '../schema.ts';

/** Full path or id. */
const onProject = { instance: referenceSchema, project: referenceSchema };
/**
 * A part of a list: at most `limit` entries, though the instance may give fewer. The limit is the same for
 * all parts of a list. `cursor`: `next` of the part before, opaque; null for the first. `next` is null at the
 * end.
 */
const part = { cursor: textSchema.nullable().default(null), limit: z.number().int().min(1).max(500) };
const next = z.string().nullable();
const search = textSchema.nullable().default(null);

export const projectReadCalls = {
  /**
   * A list of the instance's own. `of`: the user (`user`, `contributed`, `starred`: id or username), the project (`forks`) or
   * the group (`group`); null for `all`. `total` is null where the instance does not count them.
   */
  'project.find': {
    request: z.object({
      instance: referenceSchema,
      list: z.enum(projectListKinds),
      of: referenceSchema.nullable().default(null),
      query: projectQuerySchema,
      ...part,
    }),
    reply: z.object({ projects: z.array(foundProjectSchema), next, total: z.number().int().nullable() }),
  },
  /** Returns all facts that the instance has about it. Facts requested by name come where the account may see them. */
  'project.details': {
    request: z.object({
      ...onProject,
      license: z.boolean().default(true),
      statistics: z.boolean().default(true),
      customAttributes: z.boolean().default(true),
    }),
    reply: projectDetailsSchema,
  },
  'project.users': {
    request: z.object({ ...onProject, search, skipUsers: z.array(z.number().int()), ...part }),
    reply: z.object({ users: z.array(projectUserSchema), next }),
  },
  /** Its ancestor groups, and with `withShared` those it is shared with, to which the two after it apply. */
  'project.groups': {
    request: z.object({
      ...onProject,
      search,
      withShared: z.boolean(),
      sharedMinAccessLevel: z.number().int().nullable(),
      sharedVisibleOnly: z.boolean(),
      skipGroups: z.array(z.number().int()),
      ...part,
    }),
    reply: z.object({ groups: z.array(groupSummarySchema), next }),
  },
  /** Groups it could be shared with. */
  'project.shareLocations': {
    request: z.object({ ...onProject, search, ...part }),
    reply: z.object({ groups: z.array(groupSummarySchema), next }),
  },
  'project.starrers': {
    request: z.object({ ...onProject, search, ...part }),
    reply: z.object({ starrers: z.array(starrerSchema), next }),
  },
  /** Percent by language. */
  'project.languages': {
    request: z.object(onProject),
    reply: z.object({ languages: z.record(z.string(), z.number()) }),
  },
  /** Newest first. */
  'project.uploads': {
    request: z.object({ ...onProject, ...part }),
    reply: z.object({ uploads: z.array(uploadSchema), next }),
  },
  /**
   * Saves an uploaded file under its own name, or at `to`: a folder that exists, or a file. Null: the folder
   * for downloads. No file is ever replaced: in a folder the file gets another name, an existing file fails
   * with `already-exists`. Reports progress.
   */
  'project.saveUpload': {
    request: z.object({ ...onProject, uploadId: z.number().int(), to: pathTo('save-to').nullable() }),
    reply: z.object({ path: z.string(), sizeBytes: z.number() }),
  },
} as const;
