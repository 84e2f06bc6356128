/** @file Calls about migrations and about the failures of imports. */
import { failureDetailsSchema, failureGroupSchema, failureStates, ledgerFailureSchema } from './failure.ts';
import { reconciliationSchema } from './import.ts';
import {
  migratingProjectSchema,
  migratingStates,
  migrationDraftSchema,
  migrationSchema,
  placementSchema,
  plannedWriteSchema,
  preflightFindingSchema,
  waveForecastSchema,
} from './migration.ts';
import { pathTo } from './path.ts';
import { z } from './schema.ts';
import { importableRelations } from './transfer.ts';

const limit = z.number().int().min(1).max(500);
const offset = z.number().int().nonnegative();
/** By id or by name. */
const one = z.object({ migration: z.string() });
/** `project`: full path on the source, or id there. */
const oneProject = one.extend({ project: z.string() });

export const migrationCalls = {
  /** Newest first. */
  'migration.list': { request: z.object({}), reply: z.object({ migrations: z.array(migrationSchema) }) },
  'migration.show': { request: one, reply: migrationSchema },
  /** Asks the source which projects the selection means; changes nothing on either instance. */
  'migration.create': { request: migrationDraftSchema, reply: migrationSchema },
  /** Of a draft only, else `migration-started`; what is absent stays. A new selection is looked up anew. */
  'migration.change': {
    request: one.extend({ changes: migrationDraftSchema.omit({ source: true, target: true }).partial() }),
    reply: migrationSchema,
  },
  /** Forgets it; what it moved stays where it is. Throws `migration-started` while it runs. */
  'migration.remove': { request: one, reply: z.object({}) },
  'migration.projects': {
    request: one.extend({
      state: z.enum(migratingStates).nullable(),
      wave: z.number().int().nullable(),
      /** Part of a path on either side. */
      search: z.string().nullable(),
      offset,
      limit,
    }),
    reply: z.object({ projects: z.array(migratingProjectSchema), total: z.number().int() }),
  },
  /** Where one project goes, in which wave, or that it stays; of one that was not asked for yet. What is absent stays. */
  'migration.place': {
    request: oneProject.extend({
      placement: placementSchema.partial().optional(),
      wave: z.number().int().min(1).optional(),
      leftOut: z.boolean().optional(),
    }),
    reply: migratingProjectSchema,
  },
  /** All projects as CSV (RFC 4180), and back: rows name a project by its path or id on the source. Nothing is changed where a row is wrong. */
  'migration.table': { request: one, reply: z.object({ csv: z.string() }) },
  'migration.fill': {
    request: one.extend({ csv: z.string().max(20_000_000) }),
    reply: z.object({ migration: migrationSchema, changed: z.number().int() }),
  },

  /** Asks both instances; changes nothing there. Tells progress. */
  'migration.check': {
    request: one,
    reply: z.object({
      findings: z.array(preflightFindingSchema),
      /** Groups that the target lacks, outermost first. */
      missingGroups: z.array(z.string()),
      writes: z.array(plannedWriteSchema),
      forecast: z.array(waveForecastSchema),
    }),
  },
  /** A null note takes the override back. */
  'migration.override': {
    request: one.extend({ finding: z.string(), note: z.string().trim().min(1).nullable() }),
    reply: preflightFindingSchema,
  },

  /**
   * Starts it, or goes on after a pause. Throws `migration-blocked` while a blocker is not overridden or no check was made. Missing
   * groups are created only with `createGroups`. `confirmation`: from `host.confirm`, needed where a project is to be replaced.
   */
  'migration.start': {
    request: one.extend({ createGroups: z.boolean(), confirmation: z.string().nullable().default(null) }),
    reply: migrationSchema,
  },
  /** What is under way comes to its end; nothing more is begun. */
  'migration.pause': { request: one, reply: migrationSchema },
  /** Also gives up what is under way; what GitLab was asked to do goes on there. */
  'migration.cancel': { request: one.extend({ by: z.string() }), reply: migrationSchema },
  /** Failed and cancelled projects again, from the step that failed; never by deleting anything. Null: all of them. */
  'migration.again': { request: one.extend({ project: z.string().nullable() }), reply: migrationSchema },

  /** Source, archive and target of one project as they were last compared; null: never. */
  'migration.reconciliation': {
    request: oneProject,
    reply: z.object({ reconciliation: reconciliationSchema.nullable() }),
  },
  /** Compares them anew, from what both instances tell now. */
  'migration.reconcile': {
    request: oneProject,
    reply: z.object({ reconciliation: reconciliationSchema }),
  },
  /**
   * Imports a relation again into a project that was imported, from an archive trimmed to the records that are missing or failed
   * (`missing`), or from the whole archive (`all`). GitLab adds only what is not there.
   */
  'migration.retry': {
    request: oneProject.extend({
      relation: z.enum(importableRelations),
      records: z.enum(['missing', 'all']),
    }),
    reply: z.object({ runId: z.string(), jobId: z.string() }),
  },
  /**
   * Afterwards: mark sources as archived, and note the new place in their description. Null: every project that has arrived.
   * Each is a job.
   */
  'migration.finish': {
    request: one.extend({
      project: z.string().nullable(),
      markSource: z.boolean(),
      noteNewPlace: z.boolean(),
    }),
    reply: z.object({ runId: z.string(), jobs: z.number().int() }),
  },
  /**
   * Writes the evidence of one project, or of all with one file more that lists them, to a folder: HTML, JSON and CSV. Nothing is
   * replaced. Null `to`: the folder for downloads.
   */
  'migration.passport': {
    request: one.extend({ project: z.string().nullable(), to: pathTo('save-to').nullable() }),
    reply: z.object({ folder: z.string(), files: z.array(z.string()) }),
  },

  /** Newest import first, then by relation and line. */
  'failure.list': {
    request: z.object({
      migration: z.string().nullable(),
      instance: z.string().nullable(),
      /** On the target. */
      project: z.string().nullable(),
      relation: z.string().nullable(),
      exceptionClass: z.string().nullable(),
      state: z.enum(failureStates).nullable(),
      /** Part of a title, or an iid. */
      search: z.string().nullable(),
      offset,
      limit,
    }),
    reply: z.object({
      failures: z.array(ledgerFailureSchema),
      total: z.number().int(),
      /** Of all that match but for relation and exception. */
      groups: z.array(failureGroupSchema),
      /** How many more GitLab is thought to have had than it listed; null where the list was never cut. */
      unseen: z.number().int().nullable(),
    }),
  },
  'failure.show': { request: z.object({ failure: z.string() }), reply: failureDetailsSchema },
  /** Accepts failures with a note, or opens them again. */
  'failure.settle': {
    request: z.object({
      failures: z.array(z.string()).min(1).max(5000),
      state: z.enum(['accepted', 'open']),
      note: z.string().trim().max(1000).nullable(),
    }),
    reply: z.object({ changed: z.number().int() }),
  },
} as const;
