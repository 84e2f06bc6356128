/** @file Calls about stored archives and about archive files. */
import { idSchema, referenceSchema, textSchema } from '../ids-schema.ts';
import {
  adoptionSchema,
  archiveSummarySchema,
  findingSchema,
  inspectionSchema,
  manifestSchema,
  proofSchema,
  stateFileSchema,
} from '../archives/archive-schema.ts';
import { errorDataSchema } from '../errors-schema.ts';
import { pathSchema } from '../path-schema.ts';
import { recordViewSchema } from '../archives/record-schema.ts';
import { z } from '../schema.ts';

const limit = z.number().int().min(1).max(500);

/** A reference to an archive: a file path, a path in the store, an id, or at least 8 digits of the SHA-256. */
export const archiveReference = pathSchema('archive');

/** A project's full path: below a namespace, and without `.` and `..`. */
const adoptedPathSchema = z
  .string()
  .max(255)
  .regex(/^[^/\s\\]+(?:\/[^/\s\\]+)+$/, 'a full path such as group/project')
  .refine((path) => !path.split('/').some((part) => /^\.+$/.test(part)), 'a full path such as group/project');

/** The result of verifying one archive. */
const verificationSchema = z.object({
  summary: archiveSummarySchema,
  proof: proofSchema.nullable(),
  damaged: z.object({ at: z.string(), reason: z.string() }).nullable(),
  findings: z.array(findingSchema),
  /**
   * Why the result could not be written to the state file, for example on a read-only disk. Absent if it was written.
   */
  unrecorded: errorDataSchema.optional(),
});

export const archiveCalls = {
  /** Lists the projects that have archives, by path, including those of instances that were removed. */
  'archive.projects': {
    request: z.object({
      search: textSchema.nullable().default(null),
      offset: z.number().int().nonnegative(),
      limit,
    }),
    reply: z.object({
      projects: z.array(
        z.object({
          instanceName: z.string(),
          instanceUrl: z.string(),
          projectId: z.number().int().nullable(),
          fullPath: z.string(),
          archives: z.number().int(),
          bytes: z.number(),
          newest: archiveSummarySchema,
        }),
      ),
      total: z.number().int(),
    }),
  },
  /** Lists archives, newest first. `project` is a full path or an id. */
  'archive.list': {
    request: z.object({
      instance: referenceSchema.nullable().default(null),
      project: referenceSchema.nullable().default(null),
      before: textSchema.nullable().default(null),
      limit,
    }),
    reply: z.object({ archives: z.array(archiveSummarySchema), next: z.string().nullable() }),
  },
  'archive.show': {
    request: z.object({ archive: archiveReference }),
    reply: z.object({
      summary: archiveSummarySchema,
      manifest: manifestSchema,
      state: stateFileSchema,
      /** Other archives with the same bytes; absent if there are none. */
      alike: z.array(archiveSummarySchema).optional(),
    }),
  },
  'archive.inspect': { request: z.object({ archive: archiveReference }), reply: inspectionSchema },
  'archive.verify': {
    request: z.object({ archive: archiveReference, level: z.enum(['L1', 'L2']) }),
    reply: verificationSchema.extend({
      /**
       * Results for the other archives that match the reference; absent if there are none. `error`: why an archive
       * could not be read.
       */
      copies: z.array(verificationSchema.extend({ error: errorDataSchema.nullable() })).optional(),
    }),
  },
  'archive.record': {
    request: z.object({
      archive: archiveReference,
      relation: referenceSchema,
      line: z.number().int().nonnegative(),
    }),
    reply: recordViewSchema,
  },
  /**
   * Writes an archive of chosen records, and a file with their original lines. Null `lines` chooses all records. Never
   * replaces a file.
   */
  'archive.trim': {
    request: z.object({
      archive: archiveReference,
      relations: z
        .array(
          z.object({
            relation: referenceSchema,
            lines: z.array(z.number().int().nonnegative()).min(1).max(100_000).nullable(),
          }),
        )
        .min(1)
        .max(100)
        .refine(
          (all) => new Set(all.map(({ relation }) => relation)).size === all.length,
          'name each relation only once',
        ),
      to: pathSchema('save-to'),
    }),
    reply: z.object({
      path: z.string(),
      linesPath: z.string(),
      sizeBytes: z.number(),
      sha256: z.string(),
      relations: z.array(z.object({ relation: referenceSchema, records: z.number().int() })),
    }),
  },
  /**
   * Pins one archive, but not its copies. A pinned archive is never pruned. A null note keeps the present note, an
   * empty note removes it.
   */
  'archive.setPinned': {
    request: z.object({
      archive: archiveReference,
      pinned: z.boolean(),
      note: z.string().trim().max(1000).nullable(),
    }),
    reply: z.object({ summary: archiveSummarySchema, state: stateFileSchema }),
  },
  /** Moves to the trash those archives that `plan.prunePreview` showed and that the plan does not keep. */
  'archive.prune': {
    request: z.object({ planId: idSchema, shown: z.array(z.string().max(64)).max(100_000) }),
    reply: z.object({
      movedCount: z.number().int(),
      movedBytes: z.number(),
      failed: z.array(z.object({ path: z.string(), error: errorDataSchema })),
    }),
  },
  /**
   * Lists the archives in the trash, newest first. `bytes` is the total size of the trash folders, including other
   * files.
   */
  'archive.trash': {
    request: z.object({}),
    reply: z.object({
      archives: z.array(
        z.object({
          /** The former path in the store. */
          path: z.string(),
          absolutePath: z.string(),
          instanceName: z.string(),
          fullPath: z.string(),
          sha256: z.string(),
          sizeBytes: z.number().int(),
          storedAt: z.string(),
          /**
           * When and why the archive was moved, and when it is deleted. Null if that cannot be read; such an archive is
           * never deleted automatically.
           */
          trashed: z.object({ at: z.string(), reason: z.string(), until: z.string() }).nullable(),
        }),
      ),
      bytes: z.number(),
    }),
  },
  /**
   * Moves an archive to the trash regardless of plans, unless it is pinned or being read. At `until` the archive is
   * deleted.
   */
  'archive.moveToTrash': {
    request: z.object({ archive: archiveReference }),
    reply: z.object({ path: z.string(), until: z.string() }),
  },
  /**
   * Restores an archive and pins it. `trashed` is its path in the store or on disk, or at least 8 digits of its
   * SHA-256.
   */
  'archive.restore': {
    request: z.object({ trashed: z.string().trim().min(1).max(1000) }),
    reply: z.object({ summary: archiveSummarySchema }),
  },
  /** Permanently deletes all contents of the trash folders. */
  'archive.emptyTrash': {
    request: z.object({ confirmation: textSchema }),
    reply: z.object({ bytes: z.number() }),
  },
  /** Rebuilds the index from the manifests in the store. */
  'archive.rescan': {
    request: z.object({}),
    reply: z.object({
      found: z.number().int(),
      added: z.number().int(),
      /**
       * Number of indexed archives whose file is missing. `unreadable` lists archives and state files that cannot be
       * read.
       */
      missing: z.number().int(),
      /** Absolute paths of the missing archives in existing folders. */
      missingArchives: z.array(z.string()),
      /** Archive folders that do not exist at the moment, with the absolute paths of the archives in each. */
      absentFolders: z.array(z.object({ path: z.string(), archives: z.array(z.string()) })),
      unreadable: z.array(z.object({ path: z.string(), error: errorDataSchema })),
      /**
       * Absolute paths of files that are named like exports and have no manifest. They are not adopted automatically.
       */
      withoutManifest: z.array(z.string()),
    }),
  },
  /**
   * Copies export files into the store, as archives of the instance. `fullPath` names the project. Its id comes from
   * the project list or else from the instance; otherwise it stays unknown. Each file has its own result, so a failure
   * does not undo other files.
   */
  'archive.adopt': {
    request: z.object({
      instance: referenceSchema,
      files: z
        .array(z.object({ file: pathSchema('file'), fullPath: adoptedPathSchema }))
        .min(1)
        .max(10_000),
      /** Reads each copy back from the disk and verifies it, so that the original can be removed safely. */
      prove: z.boolean(),
    }),
    reply: z.object({
      /** The result for each named project. `why`: why its id is unknown. */
      projects: z.array(
        z.object({
          fullPath: z.string(),
          projectId: z.number().int().nullable(),
          why: errorDataSchema.nullable(),
        }),
      ),
      /**
       * In the order of the request. `present`: the store already has an archive of the project with the same bytes.
       */
      files: z.array(
        z.object({
          file: z.string(),
          outcome: z.enum(['adopted', 'present', 'refused']),
          archive: archiveSummarySchema.nullable(),
          datedBy: adoptionSchema.shape.datedBy.nullable(),
          proven: z.boolean(),
          findings: z.array(findingSchema),
          error: errorDataSchema.nullable(),
        }),
      ),
    }),
  },
  /** Sets or corrects the project of an adopted archive. Fails if the project is unknown. */
  'archive.identify': {
    request: z.object({ archive: archiveReference, instance: referenceSchema, fullPath: adoptedPathSchema }),
    reply: z.object({ summary: archiveSummarySchema, state: stateFileSchema }),
  },
  /** Lists the files of a folder that can be adopted, and allows the window to adopt them. Ignores subfolders. */
  'archive.exportsIn': {
    request: z.object({ folder: pathSchema('save-to') }),
    reply: z.object({ files: z.array(z.string()) }),
  },
} as const;
