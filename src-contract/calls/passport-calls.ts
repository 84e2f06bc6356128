/** @file Calls about the results of a migration: comparisons, tables, passports, and marking sources as moved. */
import { idSchema, referenceSchema } from '../ids-schema.ts';
import { errorDataSchema } from '../errors-schema.ts';
import { chosenDepths } from '../transfers/import.ts';
import { reconciliationSchema } from '../transfers/import-schema.ts';
import { differenceSchema } from '../migrations/difference-schema.ts';
import { migrationSchema } from '../migrations/migration-schema.ts';
import { pathSchema } from '../path-schema.ts';
import { z } from '../schema.ts';

/** By id or by name. */
const migrationRequestSchema = z.object({ migration: idSchema });
/** `project`: full path on the source, or id there. */
const projectRequestSchema = migrationRequestSchema.extend({ project: referenceSchema });

export const passportCalls = {
  /** Returns all projects of a migration as CSV (RFC 4180). */
  'migration.table': { request: migrationRequestSchema, reply: z.object({ csv: z.string() }) },
  /** Saves the table as a file. Never replaces a file. Null `to`: the folder for downloads. */
  'migration.saveTable': {
    request: migrationRequestSchema.extend({ to: pathSchema('save-to').nullable() }),
    reply: z.object({ path: z.string() }),
  },
  /**
   * Sets placements from CSV. Rows name a project by its path or id on the source. If a row is wrong, nothing changes:
   * throws `invalid-input` with the detail `rows`, one line of text for each of the first wrong rows.
   */
  'migration.fill': {
    request: migrationRequestSchema.extend({ csv: z.string().max(20_000_000) }),
    reply: z.object({ migration: migrationSchema, changed: z.number().int() }),
  },

  /**
   * Returns the last comparison of source, archive and target of one project, and each difference; null if never
   * compared.
   */
  'migration.reconciliation': {
    request: projectRequestSchema,
    reply: z.object({
      reconciliation: reconciliationSchema.nullable(),
      differences: z.array(differenceSchema),
    }),
  },
  /**
   * Compares source, archive and target again, with the present data of both instances. The depth is the greatest of
   * `compare`, the one of the migration, and that of the last comparison.
   */
  'migration.reconcile': {
    request: projectRequestSchema.extend({ compare: z.enum(chosenDepths).optional() }),
    reply: z.object({ reconciliation: reconciliationSchema, differences: z.array(differenceSchema) }),
  },
  /** Finds the sources that the account may not mark as archived, with one request for each. Reports progress. */
  'migration.finishOutlook': {
    request: migrationRequestSchema.extend({ project: referenceSchema.nullable() }),
    reply: z.object({
      projects: z.number().int(),
      /** Paths of the sources where the role is below Owner, sorted. */
      roleTooLow: z.array(z.string()),
      /** Number of sources where the role is not known. */
      unknown: z.number().int(),
    }),
  },
  /**
   * Marks sources as archived, and writes the new address into their description, with one job for each. Null
   * `project`: every project that has arrived. Throws `migration-differs` for a project that has not arrived, unless
   * `despiteDifferences`.
   */
  'migration.finish': {
    request: migrationRequestSchema.extend({
      project: referenceSchema.nullable(),
      /**
       * Finishes this project although not all of it arrived. With null `project`, only arrived projects are finished.
       */
      despiteDifferences: z.boolean(),
      markSource: z.boolean(),
      noteNewPlace: z.boolean(),
    }),
    reply: z.object({
      runId: idSchema,
      jobs: z.number().int(),
      /** Projects that got no job, because other work on them is running. */
      refused: z.array(z.object({ project: referenceSchema, error: errorDataSchema })),
    }),
  },
  /**
   * Writes the passport of one project, or of all projects with an index page. Creates HTML, JSON and CSV files in a
   * new folder below `to`; never replaces a file. Null `to`: the folder for downloads. Reports progress.
   */
  'migration.passport': {
    request: migrationRequestSchema.extend({
      project: referenceSchema.nullable(),
      to: pathSchema('save-to').nullable(),
    }),
    /** Names of the files in the folder. The first is the one to open. */
    reply: z.object({ folder: z.string(), files: z.array(z.string()) }),
  },
} as const;
