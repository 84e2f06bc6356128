/** @file The schemas of `change.ts`. */
import { pathSchema, uncheckedPathSchema } from '../path-schema.ts';
import { ignoredAttributeSchema } from './ignored-attribute-schema.ts';
import { repairSchema } from '../migrations/repair-schema.ts';
import { projectSchema } from './project-schema.ts';
import { referenceSchema } from '../ids-schema.ts';
import { z } from '../schema.ts';

/**
 * Attributes by their names in GitLab's API: lists as arrays, hashes as objects. `project-attributes.ts` describes
 * them.
 */
export const attributesSchema = z.looseObject({ avatar: uncheckedPathSchema('file').optional() });

/** Full path of the namespace of a new project; null for the account's own. */
const namespace = referenceSchema.nullable();

/** Changes that a user can request. An export that is pushed elsewhere is requested with `export.start`. */
export const requestedChangeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('create'),
    namespace,
    /** Id of the user who will own the project; administrators only. */
    forUser: z.number().int().nullable(),
    attributes: attributesSchema,
  }),
  z.object({ kind: z.literal('edit'), attributes: attributesSchema }),
  /** The job waits until the copy is complete. */
  z.object({
    kind: z.literal('fork'),
    namespace,
    name: referenceSchema.nullable(),
    path: referenceSchema.nullable(),
    description: z.string().nullable(),
    visibility: z.enum(['private', 'internal', 'public']).nullable(),
    /** The only branch to copy; null for all branches. */
    branches: referenceSchema.nullable(),
    mergeIntoItself: z.boolean().nullable(),
  }),
  z.object({ kind: z.literal('star') }),
  z.object({ kind: z.literal('unstar') }),
  z.object({ kind: z.literal('set-archived'), archived: z.boolean() }),
  /** `permanently` works only for a project that is already marked for deletion. */
  z.object({ kind: z.literal('delete'), permanently: z.boolean() }),
  z.object({ kind: z.literal('restore') }),
  /** `sizeBytes` is the size of the file when it was chosen. */
  z.object({ kind: z.literal('upload'), file: pathSchema('file'), sizeBytes: z.number().int() }),
]);

export const changeSchema = z.discriminatedUnion('kind', [
  ...requestedChangeSchema.options,
  /** Requests an export without storing it here. */
  z.object({
    kind: z.literal('export'),
    description: z.string().nullable(),
    /** `address` lacks the query, which may be a secret. */
    pushTo: z.object({ address: z.string(), method: z.enum(['PUT', 'POST']) }).nullable(),
  }),
  /** A group that a migration needs. */
  z.object({
    kind: z.literal('create-group'),
    /** Full path; null for a top-level group. */
    parent: z.string().nullable(),
    path: z.string(),
    visibility: z.enum(['private', 'internal', 'public']),
  }),
  /** Marks a migrated source as archived, and writes the address of the new place into its description. */
  z.object({ kind: z.literal('mark-as-moved'), archive: z.boolean(), newPlace: z.string().nullable() }),
  /** Gives a migrated project what it lacks. */
  z.object({ kind: z.literal('repair'), repairs: z.array(repairSchema) }),
]);

export const changeInputSchema = z.object({
  change: changeSchema,
  /** The id of the project; null for a project that is not yet created. */
  projectId: z.number().int().nullable(),
  /** Key of the complete address in memory, if a part of it is a secret. The key is no part of the job's identity. */
  secret: z.string().nullable(),
  /**
   * True if the opposite change was requested and its response was lost. The opposite change may still take effect, so
   * a project in the requested state does not prove yet that this change succeeded.
   */
  inDoubt: z.boolean().optional(),
  /** Like the field of an export. */
  knownUnreadable: z.boolean().optional(),
});

/** `url` and `markdown` are null if the response was lost: GitLab's list of uploads lacks them. */
export const uploadedFileSchema = z.object({
  /** Null before GitLab 17.3. */
  id: z.number().int().nullable(),
  name: z.string(),
  url: z.string().nullable(),
  markdown: z.string().nullable(),
});

/** The result of a change. `changed` is false if the project already had the wanted state. */
export const changeResultSchema = z.object({
  changed: z.boolean(),
  /** The project afterwards; null if it no longer exists. */
  project: projectSchema.nullable(),
  /** Attributes that the server accepted and did not apply, for example because its tier lacks them. */
  notTaken: z.array(ignoredAttributeSchema),
  /** For a delayed deletion: when the project was marked, and the day on which it is deleted after the usual delay. */
  deletion: z.object({ markedOn: z.string(), finalOn: z.string() }).nullable(),
  uploaded: uploadedFileSchema.nullable(),
});
