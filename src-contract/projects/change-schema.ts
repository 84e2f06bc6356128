/** @file The schemas of `change.ts`. */
import { pathTo, perhapsPathTo } from '../path-schema.ts';
import { ignoredAttributeSchema } from './not-taken-schema.ts';
import { projectSchema } from './project-schema.ts';
import { referenceSchema } from '../ids-schema.ts';
import { z, schemaOf } from '../schema.ts';
import type {
  Change,
  ChangeInput,
  UploadedFile,
  ChangeResult,
  Attributes,
  RequestedChange,
} from './change.ts';

export const attributesSchema = schemaOf<Attributes>()(
  z.looseObject({ avatar: perhapsPathTo('file').optional() }),
);

/** Full path of the namespace of a new project; null: the account's own. */
const namespace = referenceSchema.nullable();

export const requestedChangeSchema = schemaOf<RequestedChange>()(
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('create'),
      namespace,
      forUser: z.number().int().nullable(),
      attributes: attributesSchema,
    }),
    z.object({ kind: z.literal('edit'), attributes: attributesSchema }),
    z.object({
      kind: z.literal('fork'),
      namespace,
      name: referenceSchema.nullable(),
      path: referenceSchema.nullable(),
      description: z.string().nullable(),
      visibility: z.enum(['private', 'internal', 'public']).nullable(),
      branches: referenceSchema.nullable(),
      mergeIntoItself: z.boolean().nullable(),
    }),
    z.object({ kind: z.literal('star') }),
    z.object({ kind: z.literal('unstar') }),
    z.object({ kind: z.literal('set-archived'), archived: z.boolean() }),
    z.object({ kind: z.literal('delete'), permanently: z.boolean() }),
    z.object({ kind: z.literal('restore') }),
    z.object({ kind: z.literal('upload'), file: pathTo('file'), sizeBytes: z.number().int() }),
  ]),
);

export const changeSchema = schemaOf<Change>()(
  z.discriminatedUnion('kind', [
    ...requestedChangeSchema.options,
    z.object({
      kind: z.literal('export'),
      description: z.string().nullable(),
      pushTo: z.object({ address: z.string(), method: z.enum(['PUT', 'POST']) }).nullable(),
    }),
    z.object({
      kind: z.literal('create-group'),
      parent: z.string().nullable(),
      path: z.string(),
      visibility: z.enum(['private', 'internal', 'public']),
    }),
    z.object({ kind: z.literal('mark-as-moved'), archive: z.boolean(), newPlace: z.string().nullable() }),
  ]),
);

export const changeInputSchema = schemaOf<ChangeInput>()(
  z.object({
    change: changeSchema,
    projectId: z.number().int().nullable(),
    secret: z.string().nullable(),
    inDoubt: z.boolean().optional(),
  }),
);

export const uploadedFileSchema = schemaOf<UploadedFile>()(
  z.object({
    id: z.number().int().nullable(),
    name: z.string(),
    url: z.string().nullable(),
    markdown: z.string().nullable(),
  }),
);

export const changeResultSchema = schemaOf<ChangeResult>()(
  z.object({
    changed: z.boolean(),
    project: projectSchema.nullable(),
    notTaken: z.array(ignoredAttributeSchema),
    deletion: z.object({ markedOn: z.string(), finalOn: z.string() }).nullable(),
    uploaded: uploadedFileSchema.nullable(),
  }),
);
