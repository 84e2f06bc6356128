/** @file Calls about exports and imports beyond backups. */
import { addressSchema, idSchema, referenceSchema, secretSchema, textSchema } from '../ids-schema.ts';
import { verdicts } from '../archives/archive.ts';
import { findingSchema } from '../archives/archive-schema.ts';
import { pathTo } from '../path-schema.ts';
import { z } from '../schema.ts';
import { importableRelations } from '../transfers/transfer.ts';
import { relationImportSchema, storageSchema } from '../transfers/transfer-schema.ts';

/** Full path or id. */
const onProject = { instance: referenceSchema, project: referenceSchema };
const started = z.object({ runId: idSchema, jobId: idSchema });
/** The target of an import for which GitLab fetches the archive. */
const target = {
  namespace: referenceSchema.nullable(),
  path: referenceSchema,
  name: referenceSchema.nullable(),
  overrideParams: z.record(z.string(), z.string()),
  /** The archive at that address, where it is available here: the result is then compared with it. */
  archive: pathTo('archive').nullable(),
};

export const transferCalls = {
  /**
   * Only asks for an export. The address that it is pushed to may be presigned: it is kept in memory until it is sent, and
   * nowhere else. GitLab does not say whether the push worked. `warnings` are sentences about what is doubtful.
   */
  'export.start': {
    request: z.object({
      ...onProject,
      description: z.string().nullable(),
      push: z.object({ url: addressSchema, method: z.enum(['PUT', 'POST']) }).nullable(),
    }),
    reply: started.extend({ warnings: z.array(z.string()) }),
  },
  /** The account's own export of the project; `project` is its full path, `state` GitLab's own word. */
  'export.status': {
    request: z.object(onProject),
    reply: z.object({ project: referenceSchema, state: z.string() }),
  },
  /**
   * Downloads the account's finished export to `to`: a folder that exists, or a file, and reads it to its end
   * on the way. Null: the folder for downloads. Nothing is ever replaced, and nothing unusable kept
   * (`archive-corrupt`). Reports progress.
   */
  'export.download': {
    request: z.object({ ...onProject, to: pathTo('save-to').nullable() }),
    reply: z.object({
      path: z.string(),
      sizeBytes: z.number(),
      sha256: z.string(),
      verdict: z.enum(verdicts),
      findings: z.array(findingSchema),
    }),
  },

  /** GitLab fetches the archive itself. The address is a secret, kept in memory alone. */
  'import.url': {
    request: z.object({
      instance: referenceSchema,
      url: addressSchema,
      ...target,
      overwrite: z.boolean(),
      confirmation: textSchema.nullable().default(null),
    }),
    reply: started.extend({ target: referenceSchema }),
  },
  /** `storage`: name of a stored location. GitLab offers no overwriting there. */
  'import.s3': {
    request: z.object({
      instance: referenceSchema,
      storage: referenceSchema,
      key: textSchema.min(1),
      ...target,
    }),
    reply: started.extend({ target: referenceSchema }),
  },
  /**
   * One relation again from an archive; adds only what is not there. Followed to its end and counted before and after; attributes,
   * members and authors are compared. Throws `members-at-risk` where GitLab would remove direct members, unless `removeMembers`.
   */
  'import.relation': {
    request: z.object({
      ...onProject,
      archive: pathTo('archive'),
      relation: z.enum(importableRelations),
      removeMembers: z.boolean().default(false),
    }),
    reply: started,
  },
  'import.relations': {
    request: z.object(onProject),
    reply: z.object({ relationImports: z.array(relationImportSchema) }),
  },

  'storage.list': { request: z.object({}), reply: z.object({ storages: z.array(storageSchema) }) },
  /**
   * Adds or replaces. Without a secret the stored one stays. This carries a secret into the keychain, or with `session` into the
   * memory of this process alone; `session` without a secret stores the place and expects the key with each import.
   */
  'storage.save': {
    request: z.object({
      storage: storageSchema,
      secretAccessKey: secretSchema.nullable(),
      keep: z.enum(['keychain', 'session']).default('keychain'),
    }),
    reply: storageSchema,
  },
  'storage.remove': { request: z.object({ name: referenceSchema }), reply: z.object({}) },
} as const;
