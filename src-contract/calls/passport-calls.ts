/** @file Calls about the results of a migration: comparisons, tables, passports, and changes to sources afterwards. */
import { idSchema, referenceSchema } from '../ids-schema.ts';
import { errorDataSchema } from '../errors-schema.ts';
import { reconciliationSchema } from '../transfers/import-schema.ts';
import { differenceSchema } from '../migrations/difference-schema.ts';
import { migrationSchema } from '../migrations/migration-schema.ts';
import { pathTo } from '../path-schema.ts';
import { z } from '../schema.ts';

/** By id or by name. */
const one = z.object({ migration: idSchema });
/** `project`: full path on the source, or id there. */
const oneProject = one.extend({ project: referenceSchema });

export const passportCalls = {
  /** All projects as CSV (RFC 4180), and back: rows name a project by its path or id on the source. Nothing is changed where a row is wrong. */
  'migration.table': { request: one, reply: z.object({ csv: z.string() }) },
  /** Saves the table as a file. Nothing is replaced. Null `to`: the folder for downloads. */
  'migration.saveTable': {
    request: one.extend({ to: pathTo('save-to').nullable() }),
    reply: z.object({ path: z.string() }),
  },
  /** Where rows are wrong, `invalid-input` has the detail `rows`: a line of text for each of the first of them. */
  'migration.fill': {
    request: one.extend({ csv: z.string().max(20_000_000) }),
    reply: z.object({ migration: migrationSchema, changed: z.number().int() }),
  },

  /** The last comparison of source, archive and target of one project, and the differences one by one; null: never. */
  'migration.reconciliation': {
    request: oneProject,
    reply: z.object({
      reconciliation: reconciliationSchema.nullable(),
      differences: z.array(differenceSchema),
    }),
  },
  /** Compares them again, from the present data of both instances. */
  'migration.reconcile': {
    request: oneProject,
    reply: z.object({ reconciliation: reconciliationSchema, differences: z.array(differenceSchema) }),
  },
  /** The sources that the account may not mark as archived: one request each. Reports progress. */
  'migration.finishOutlook': {
    request: one.extend({ project: referenceSchema.nullable() }),
    reply: z.object({
      projects: z.number().int(),
      /** Paths of the sources where the role is below Owner, sorted. */
      roleTooLow: z.array(z.string()),
      /** Number of sources where the role is not known. */
      unknown: z.number().int(),
    }),
  },
  /**
   * Marks sources as archived, and notes the new place in their description. Null: every project that has
   * arrived. Each is a job. Throws `migration-differs` for one project that has not arrived, without
   * `despiteDifferences`.
   */
  'migration.finish': {
    request: one.extend({
      project: referenceSchema.nullable(),
      /** Finish this one project although not all of it arrived. With all projects, only arrived ones are finished. */
      despiteDifferences: z.boolean(),
      markSource: z.boolean(),
      noteNewPlace: z.boolean(),
    }),
    reply: z.object({
      runId: idSchema,
      jobs: z.number().int(),
      /** Projects that other work is using. */
      refused: z.array(z.object({ project: referenceSchema, error: errorDataSchema })),
    }),
  },
  /**
   * Writes the passport of one project, or of all with an index page, as HTML, JSON and CSV into a new folder
   * below `to`. Nothing is replaced. Null `to`: the folder for downloads. Reports progress.
   */
  'migration.passport': {
    request: one.extend({ project: referenceSchema.nullable(), to: pathTo('save-to').nullable() }),
    /** Names below the folder, the one to open first. */
    reply: z.object({ folder: z.string(), files: z.array(z.string()) }),
  },
} as const;
