/** @file Calls about exports and imports that are not backups, and about S3 storage. */
import { urlSchema, idSchema, referenceSchema, secretSchema, textSchema } from '../ids-schema.ts';
import { verdicts } from '../archives/archive.ts';
import { findingSchema } from '../archives/archive-schema.ts';
import { pathSchema } from '../path-schema.ts';
import { z } from '../schema.ts';
import { chosenDepths } from '../transfers/import.ts';
import { comparisonForecastSchema } from '../transfers/import-schema.ts';
import { importableRelations } from '../transfers/transfer.ts';
import { relationImportSchema, storageSchema } from '../transfers/transfer-schema.ts';

/** `project` is a full path or an id. */
const projectFields = { instance: referenceSchema, project: referenceSchema };
const startedJobSchema = z.object({ runId: idSchema, jobId: idSchema });
/** `comparison`: the forecast of the comparison after the import; null without an archive on this machine. */
export const startedImportSchema = startedJobSchema.extend({
  target: referenceSchema,
  comparison: comparisonForecastSchema.nullable(),
});
/** The target of an import for which GitLab fetches the archive. */
const target = {
  namespace: referenceSchema.nullable(),
  path: referenceSchema,
  name: referenceSchema.nullable(),
  overrideParams: z.record(z.string(), z.string()),
  /** The same archive on this machine, or null. If given, the imported project is compared with it. */
  archive: pathSchema('archive').nullable(),
  compare: z.enum(chosenDepths).default('contents'),
};

export const transferCalls = {
  /**
   * Requests an export without downloading it. The address for the push may be presigned, so it is kept only in memory,
   * until it is sent. GitLab does not report whether the push succeeded. `warnings` are sentences about possible
   * problems.
   */
  'export.start': {
    request: z.object({
      ...projectFields,
      description: z.string().nullable(),
      push: z.object({ url: urlSchema, method: z.enum(['PUT', 'POST']) }).nullable(),
    }),
    reply: startedJobSchema.extend({ warnings: z.array(z.string()) }),
  },
  /**
   * Returns the status of the account's export of a project. `project` is its full path, `state` is GitLab's own word.
   */
  'export.status': {
    request: z.object(projectFields),
    reply: z.object({ project: referenceSchema, state: z.string() }),
  },
  /**
   * Downloads the account's finished export to `to`, an existing folder or a new file, and inspects it meanwhile. Null
   * `to`: the folder for downloads. Never replaces a file. Throws `archive-corrupt` for an unusable export and deletes
   * it. Reports progress.
   */
  'export.download': {
    request: z.object({ ...projectFields, to: pathSchema('save-to').nullable() }),
    reply: z.object({
      path: z.string(),
      sizeBytes: z.number(),
      sha256: z.string(),
      verdict: z.enum(verdicts),
      findings: z.array(findingSchema),
    }),
  },

  /** Starts an import for which GitLab fetches the archive. The address is a secret and is kept only in memory. */
  'import.url': {
    request: z.object({
      instance: referenceSchema,
      url: urlSchema,
      ...target,
      overwrite: z.boolean(),
      confirmation: textSchema.nullable().default(null),
    }),
    reply: startedImportSchema,
  },
  /**
   * Starts an import from S3-compatible storage. `storage` is the name of a stored location. GitLab cannot overwrite a
   * project this way.
   */
  'import.s3': {
    request: z.object({
      instance: referenceSchema,
      storage: referenceSchema,
      key: textSchema.min(1),
      ...target,
    }),
    reply: startedImportSchema,
  },
  /**
   * Imports one relation again from an archive. GitLab adds only records that the project lacks. The job counts records
   * before and after, and compares attributes, members and authors. Throws `members-at-risk` if GitLab would remove
   * direct members, unless `removeMembers`.
   */
  'import.relation': {
    request: z.object({
      ...projectFields,
      archive: pathSchema('archive'),
      relation: z.enum(importableRelations),
      removeMembers: z.boolean().default(false),
    }),
    reply: startedJobSchema,
  },
  'import.relations': {
    request: z.object(projectFields),
    reply: z.object({ relationImports: z.array(relationImportSchema) }),
  },

  'storage.list': { request: z.object({}), reply: z.object({ storages: z.array(storageSchema) }) },
  /**
   * Adds or replaces a storage. Without a secret, the stored secret stays. The secret goes to the keychain, or with
   * `session` only to the memory of this process. `session` without a secret stores the location only; each import then
   * needs the key.
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
