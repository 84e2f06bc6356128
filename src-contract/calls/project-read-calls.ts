/** @file Calls that read projects from an instance. They change nothing there. */
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
import { pathSchema } from '../path-schema.ts';
import { z } from '../schema.ts';

/** `project` is a full path or an id. */
const projectFields = { instance: referenceSchema, project: referenceSchema };
/**
 * A page of a list: at most `limit` entries, or fewer if the instance returns fewer. All pages of a list have the same
 * limit. `cursor` is `next` of the previous page, opaque, and null for the first page. `next` is null on the last page.
 */
const pageFields = { cursor: textSchema.nullable().default(null), limit: z.number().int().min(1).max(500) };
const next = z.string().nullable();
const search = textSchema.nullable().default(null);

export const projectReadCalls = {
  /**
   * Returns a page of a project list of the instance. `of` is a user by id or username (`user`, `contributed`,
   * `starred`), a project (`forks`) or a group (`group`); null for `all`. `total` is null if the instance does not
   * count the projects.
   */
  'project.find': {
    request: z.object({
      instance: referenceSchema,
      list: z.enum(projectListKinds),
      of: referenceSchema.nullable().default(null),
      query: projectQuerySchema,
      ...pageFields,
    }),
    reply: z.object({ projects: z.array(foundProjectSchema), next, total: z.number().int().nullable() }),
  },
  /**
   * Returns all facts that the instance has about a project. The flags request further facts, if the account may see
   * them.
   */
  'project.details': {
    request: z.object({
      ...projectFields,
      license: z.boolean().default(true),
      statistics: z.boolean().default(true),
      customAttributes: z.boolean().default(true),
    }),
    reply: projectDetailsSchema,
  },
  'project.users': {
    request: z.object({ ...projectFields, search, skipUsers: z.array(z.number().int()), ...pageFields }),
    reply: z.object({ users: z.array(projectUserSchema), next }),
  },
  /**
   * Returns the ancestor groups of a project, and with `withShared` the groups that it is shared with.
   * `sharedMinAccessLevel` and `sharedVisibleOnly` filter the latter groups.
   */
  'project.groups': {
    request: z.object({
      ...projectFields,
      search,
      withShared: z.boolean(),
      sharedMinAccessLevel: z.number().int().nullable(),
      sharedVisibleOnly: z.boolean(),
      skipGroups: z.array(z.number().int()),
      ...pageFields,
    }),
    reply: z.object({ groups: z.array(groupSummarySchema), next }),
  },
  /** Returns the groups that the project could be shared with. */
  'project.shareLocations': {
    request: z.object({ ...projectFields, search, ...pageFields }),
    reply: z.object({ groups: z.array(groupSummarySchema), next }),
  },
  'project.starrers': {
    request: z.object({ ...projectFields, search, ...pageFields }),
    reply: z.object({ starrers: z.array(starrerSchema), next }),
  },
  /** Returns the percentage of each language. */
  'project.languages': {
    request: z.object(projectFields),
    reply: z.object({ languages: z.record(z.string(), z.number()) }),
  },
  /** Returns uploaded files, newest first. */
  'project.uploads': {
    request: z.object({ ...projectFields, ...pageFields }),
    reply: z.object({ uploads: z.array(uploadSchema), next }),
  },
  /**
   * Saves an uploaded file under its own name, or at `to`: an existing folder, or a new file. Null `to`: the folder for
   * downloads. Never replaces a file: in a folder, the new file gets another name; an existing file at `to` fails with
   * `already-exists`. Reports progress.
   */
  'project.saveUpload': {
    request: z.object({ ...projectFields, uploadId: z.number().int(), to: pathSchema('save-to').nullable() }),
    reply: z.object({ path: z.string(), sizeBytes: z.number() }),
  },
} as const;
