/** @file The schemas of `change.ts`. */
import { pathTo, uncheckedPathTo } from '../path-schema.ts';
import { ignoredAttributeSchema } from './ignored-attribute-schema.ts';
import { projectSchema } from './project-schema.ts';
import { referenceSchema } from '../ids-schema.ts';
import { z } from '../schema.ts';

/** Attributes by the names of the specification; lists as lists, hashes as objects. Read with `project-attributes.ts`. */
export const attributesSchema = z.looseObject({ avatar: uncheckedPathTo('file').optional() });

/** Full path of the namespace of a new project; null: the account's own. */
const namespace = referenceSchema.nullable();

/** Changes that a person can ask for; an export that is pushed elsewhere is asked for with `export.start`. */
export const requestedChangeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('create'),
    namespace,
    /** Id of the user whose project it becomes; administrators only. */
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
    /** Only this one; null: all. */
    branches: referenceSchema.nullable(),
    mergeIntoItself: z.boolean().nullable(),
  }),
  z.object({ kind: z.literal('star') }),
  z.object({ kind: z.literal('unstar') }),
  z.object({ kind: z.literal('set-archived'), archived: z.boolean() }),
  /** `permanently`: only a project that is marked for deletion already. */
  z.object({ kind: z.literal('delete'), permanently: z.boolean() }),
  z.object({ kind: z.literal('restore') }),
  /** The size is the one that the file had when it was chosen. */
  z.object({ kind: z.literal('upload'), file: pathTo('file'), sizeBytes: z.number().int() }),
]);

export const changeSchema = z.discriminatedUnion('kind', [
  ...requestedChangeSchema.options,
  /** Requests an export without storing it here. */
  z.object({
    kind: z.literal('export'),
    description: z.string().nullable(),
    /** The address is without its query, which may be a secret. */
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
]);

export const changeInputSchema = z.object({
  change: changeSchema,
  /** The project at the time of the request; null for one that is to be created. */
  projectId: z.number().int().nullable(),
  /** Key of the whole address in memory, where a part is a secret. The key does not say which work is done. */
  secret: z.string().nullable(),
  /** The opposite was requested without a response: it may still take effect, so the wanted state is no proof yet. */
  inDoubt: z.boolean().optional(),
});

/** `url` and `markdown` are null where the response was lost: GitLab's list of uploads lacks them. */
export const uploadedFileSchema = z.object({
  /** Null before GitLab 17.3. */
  id: z.number().int().nullable(),
  name: z.string(),
  url: z.string().nullable(),
  markdown: z.string().nullable(),
});

/** The result of a change. `changed` false: the project was so already. */
export const changeResultSchema = z.object({
  changed: z.boolean(),
  /** The project afterwards; null where it is gone. */
  project: projectSchema.nullable(),
  /** Attributes that the server accepted and did not apply, as on a tier that lacks them. */
  notTaken: z.array(ignoredAttributeSchema),
  /** For a deletion that can be undone: when it was marked, and the day on which it is final with the usual delay. */
  deletion: z.object({ markedOn: z.string(), finalOn: z.string() }).nullable(),
  uploaded: uploadedFileSchema.nullable(),
});
