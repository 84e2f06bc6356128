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
import { pathTo } from '../path-schema.ts';
import { recordViewSchema } from '../archives/record-schema.ts';
import { z } from '../schema.ts';

const limit = z.number().int().min(1).max(500);

/** A file path, a path in the store, the id of a stored archive, or at least 8 digits of a SHA-256. */
export const archiveReference = pathTo('archive');

/** A project as GitLab names it: below a namespace, and without parts that lead out of a folder. */
const adoptedPathSchema = z
  .string()
  .max(255)
  .regex(/^[^/\s\\]+(?:\/[^/\s\\]+)+$/, 'a full path such as group/project')
  .refine((path) => !path.split('/').some((part) => /^\.+$/.test(part)), 'a full path such as group/project');

/** The result of proving one archive again. */
const verifiedSchema = z.object({
  summary: archiveSummarySchema,
  proof: proofSchema.nullable(),
  damaged: z.object({ at: z.string(), reason: z.string() }).nullable(),
  findings: z.array(findingSchema),
  /** Why the state file could not take the result, as on a read-only disk. Absent where it was written. */
  unrecorded: errorDataSchema.optional(),
});

export const archiveCalls = {
  /** Lists the projects that have archives, whether or not their instance is still registered, by path. */
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
  /** Newest first; `project` is a full path or an id. */
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
      /** Others that hold the same bytes; left out where there are none. */
      alike: z.array(archiveSummarySchema).optional(),
    }),
  },
  'archive.inspect': { request: z.object({ archive: archiveReference }), reply: inspectionSchema },
  'archive.verify': {
    request: z.object({ archive: archiveReference, level: z.enum(['L1', 'L2']) }),
    reply: verifiedSchema.extend({
      /** The others that the reference means; `error` where one could not be read. Left out where there are none. */
      copies: z.array(verifiedSchema.extend({ error: errorDataSchema.nullable() })).optional(),
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
  /** Makes an archive of chosen records (null lines: all), and a file of their original lines. Replaces nothing. */
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
          'each relation once',
        ),
      to: pathTo('save-to'),
    }),
    reply: z.object({
      path: z.string(),
      linesPath: z.string(),
      sizeBytes: z.number(),
      sha256: z.string(),
      relations: z.array(z.object({ relation: referenceSchema, records: z.number().int() })),
    }),
  },
  /** Pins one archive, not its copies; it is never pruned. A null note keeps the present one, an empty one removes it. */
  'archive.setPinned': {
    request: z.object({
      archive: archiveReference,
      pinned: z.boolean(),
      note: z.string().trim().max(1000).nullable(),
    }),
    reply: z.object({ summary: archiveSummarySchema, state: stateFileSchema }),
  },
  /** Moves archives that the plan does not keep, among those shown by `plan.prunePreview`, to the trash. */
  'archive.prune': {
    request: z.object({ planId: idSchema, shown: z.array(z.string().max(64)).max(100_000) }),
    reply: z.object({
      movedCount: z.number().int(),
      movedBytes: z.number(),
      failed: z.array(z.object({ path: z.string(), error: errorDataSchema })),
    }),
  },
  /** Archives in the trash, newest first, and the total size of the trash folders, other files included. */
  'archive.trash': {
    request: z.object({}),
    reply: z.object({
      archives: z.array(
        z.object({
          /** The path that it had in the store. */
          path: z.string(),
          absolutePath: z.string(),
          instanceName: z.string(),
          fullPath: z.string(),
          sha256: z.string(),
          sizeBytes: z.number().int(),
          storedAt: z.string(),
          /** When and why it was moved, and until when it can be restored; null: unreadable, so it stays. */
          trashed: z.object({ at: z.string(), reason: z.string(), until: z.string() }).nullable(),
        }),
      ),
      bytes: z.number(),
    }),
  },
  /** Moves an archive to the trash regardless of plans, unless pinned or being read. `until`: it is deleted then. */
  'archive.moveToTrash': {
    request: z.object({ archive: archiveReference }),
    reply: z.object({ path: z.string(), until: z.string() }),
  },
  /** Restores one, pinned; by its path in the store or on disk, or at least 8 digits of its SHA-256. */
  'archive.restore': {
    request: z.object({ trashed: z.string().trim().min(1).max(1000) }),
    reply: z.object({ summary: archiveSummarySchema }),
  },
  /** Deletes all contents of the trash folders for good. */
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
      /** Known archives whose file is gone, and archives or state files that exist and cannot be read. */
      missing: z.number().int(),
      /** Absolute paths of the missing ones in folders that are present. */
      missingArchives: z.array(z.string()),
      /** Archive folders that are not there now, and the absolute paths of the missing archives in each. */
      absentFolders: z.array(z.object({ path: z.string(), archives: z.array(z.string()) })),
      unreadable: z.array(z.object({ path: z.string(), error: errorDataSchema })),
      /** Absolute paths of files that look like an export and have no manifest; nothing is adopted by itself. */
      withoutManifest: z.array(z.string()),
    }),
  },
  /**
   * Copies export files into the store, as archives of the instance. A project is given by its full path; its
   * id is looked up in the project list, else asked of the instance, else unknown. Failures are reported file
   * by file; files adopted before one stay.
   */
  'archive.adopt': {
    request: z.object({
      instance: referenceSchema,
      files: z
        .array(z.object({ file: pathTo('file'), fullPath: adoptedPathSchema }))
        .min(1)
        .max(10_000),
      /** Reads each copy back from the disk before it is called proven, as needed before the original is removed. */
      prove: z.boolean(),
    }),
    reply: z.object({
      /** The result for each named project. `why` says why its id is not known. */
      projects: z.array(
        z.object({
          fullPath: z.string(),
          projectId: z.number().int().nullable(),
          why: errorDataSchema.nullable(),
        }),
      ),
      /** In the order of the request. `present`: the store has the same bytes of the same project already. */
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
  /** Sets or corrects the project of an adopted archive, which is looked up; an unknown one is an error. */
  'archive.identify': {
    request: z.object({ archive: archiveReference, instance: referenceSchema, fullPath: adoptedPathSchema }),
    reply: z.object({ summary: archiveSummarySchema, state: stateFileSchema }),
  },
  /** Lists adoptable files of a folder that the window was given, and allows their adoption. No subfolders. */
  'archive.exportsIn': {
    request: z.object({ folder: pathTo('save-to') }),
    reply: z.object({ files: z.array(z.string()) }),
  },
} as const;
