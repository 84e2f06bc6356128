/** @file The noun *change*: one request that changes something on an instance, carried out once and kept. */
import { pathTo, perhapsPathTo } from '../path.ts';
import { notTakenSchema } from './not-taken.ts';
import { projectSchema } from './project.ts';
import { referenceSchema } from '../ids.ts';
import { z } from '../schema.ts';

/** Attributes by the names of the specification; lists as lists, hashes as objects. Read with `project-attributes.ts`. */
export const attributesSchema = z.looseObject({ avatar: perhapsPathTo('file').optional() });

/** Full path of the namespace that a new project goes to; null: the account's own. */
const namespace = referenceSchema.nullable();

/** What a person can ask for; an export that is pushed elsewhere is asked for with `export.start`. */
export const requestedChangeSchema = z.discriminatedUnion('kind', [
  /** `forUser`: id of the user whose project it becomes; administrators only. */
  z.object({
    kind: z.literal('create'),
    namespace,
    forUser: z.number().int().nullable(),
    attributes: attributesSchema,
  }),
  z.object({ kind: z.literal('edit'), attributes: attributesSchema }),
  /** `branches`: only this one; null: all. Followed until the copy is complete. */
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
  /** `permanently`: only a project that is marked for deletion already. */
  z.object({ kind: z.literal('delete'), permanently: z.boolean() }),
  z.object({ kind: z.literal('restore') }),
  /** Absolute path of the file, and its size when it was chosen. */
  z.object({ kind: z.literal('upload'), file: pathTo('file'), sizeBytes: z.number().int() }),
]);

export const changeSchema = z.discriminatedUnion('kind', [
  ...requestedChangeSchema.options,
  /** Asks for an export without storing it here. `pushTo.address` is without its query, which may be a secret. */
  z.object({
    kind: z.literal('export'),
    description: z.string().nullable(),
    pushTo: z.object({ address: z.string(), method: z.enum(['PUT', 'POST']) }).nullable(),
  }),
  /** A group that a migration needs. `parent` is a full path, null for a top-level group. */
  z.object({
    kind: z.literal('create-group'),
    parent: z.string().nullable(),
    path: z.string(),
    visibility: z.enum(['private', 'internal', 'public']),
  }),
  /** Of a source that was migrated: the mark as archived, and a line in its description with the address of the new place. */
  z.object({ kind: z.literal('mark-as-moved'), archive: z.boolean(), newPlace: z.string().nullable() }),
]);
export type Change = z.infer<typeof changeSchema>;

/** What a change does, as far as words differ; see `doneBy`. */
export const changeKinds = [
  'create',
  'edit',
  'fork',
  'star',
  'unstar',
  'set-archived',
  'unset-archived',
  'delete',
  'delete-permanently',
  'restore',
  'upload',
  'export',
  'mark-as-moved',
  'create-group',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

export function changeKindOf(change: Change): ChangeKind {
  if (change.kind === 'delete' && change.permanently) return 'delete-permanently';
  if (change.kind === 'set-archived' && !change.archived) return 'unset-archived';
  return change.kind;
}

export const changeInputSchema = z.object({
  change: changeSchema,
  /** Of the project as it was when it was asked for; null for one that is to be created. */
  projectId: z.number().int().nullable(),
  /**
   * Under which the whole address is kept in memory where a part of it is a secret: of a push, or of `import_url` with a
   * name and password. Null where there is none. It does not say which work is done.
   */
  secret: z.string().nullable(),
  /** The opposite was asked for, and no answer came: it may still take effect, so that a project is so already is not believed at once. */
  inDoubt: z.boolean().optional(),
});
export type ChangeInput = z.infer<typeof changeInputSchema>;

/** Of a job; null where it is no change, or one of a later version. */
export function deedOf(job: { kind: string; input: unknown }): ChangeKind | null {
  const read = job.kind === 'change' ? changeInputSchema.safeParse(job.input).data : undefined;
  return read === undefined ? null : changeKindOf(read.change);
}

/** `url` and `markdown` are null where the answer was lost: GitLab tells them once, and its list of uploads does not. */
export const uploadedFileSchema = z.object({
  /** Null before GitLab 17.3. */
  id: z.number().int().nullable(),
  name: z.string(),
  url: z.string().nullable(),
  markdown: z.string().nullable(),
});
export type UploadedFile = z.infer<typeof uploadedFileSchema>;

/** Days between marking and the end, unless an instance is set otherwise, which it tells nobody (gitlab-facts 2.2). */
export const usualDeletionDays = 30;

/** What came of a change. `changed` false: the project was so already. */
export const changeResultSchema = z.object({
  changed: z.boolean(),
  /** As it is afterwards; null where it is gone. */
  project: projectSchema.nullable(),
  /** Attributes that the server accepted and did not take, as on a tier that lacks them. */
  notTaken: z.array(notTakenSchema),
  /** Of a deletion that can be undone: when it was marked, and the day on which it is final with the usual delay. */
  deletion: z.object({ markedOn: z.string(), finalOn: z.string() }).nullable(),
  uploaded: uploadedFileSchema.nullable(),
});
export type ChangeResult = z.infer<typeof changeResultSchema>;
