/** @file Calls about migrations: the placement of projects, and the start, pause and cancellation. */
import { idSchema, referenceSchema, textSchema } from '../ids-schema.ts';
import { migratingStates } from '../migrations/migration.ts';
import {
  migratingProjectSchema,
  migrationDraftSchema,
  migrationSchema,
  placementSchema,
} from '../migrations/migration-schema.ts';
import { z } from '../schema.ts';

const limit = z.number().int().min(1).max(500);
const offset = z.number().int().nonnegative();
/** By id or by name. */
const one = z.object({ migration: idSchema });
/** `project`: full path on the source, or id there. */
const oneProject = one.extend({ project: referenceSchema });

export const migrationCalls = {
  /** Newest first. */
  'migration.list': { request: z.object({}), reply: z.object({ migrations: z.array(migrationSchema) }) },
  'migration.show': { request: one, reply: migrationSchema },
  /** Asks the source for the projects of the selection; changes nothing on either instance. */
  'migration.create': { request: migrationDraftSchema, reply: migrationSchema },
  /** Changes a draft, else fails with `migration-started`; absent fields stay. Looks new projects up again. */
  'migration.change': {
    request: one.extend({ changes: migrationDraftSchema.omit({ source: true, target: true }).partial() }),
    reply: migrationSchema,
  },
  /** Deletes the migration here; moved projects stay where they are. Throws `migration-started` while it runs. */
  'migration.remove': { request: one, reply: z.object({}) },
  'migration.projects': {
    request: one.extend({
      state: z.enum(migratingStates).nullable().default(null),
      wave: z.number().int().nullable().default(null),
      /** Part of a path on either side. */
      search: textSchema.nullable().default(null),
      /** Only those whose placement has a conflict. */
      inConflict: z.boolean().default(false),
      offset,
      limit,
    }),
    reply: z.object({ projects: z.array(migratingProjectSchema), total: z.number().int() }),
  },
  /** Progress of each wave: its projects by state, every state present; the first wave first. */
  'migration.waves': {
    request: one,
    reply: z.object({
      waves: z.array(
        z.object({ wave: z.number().int(), projects: z.record(z.enum(migratingStates), z.number().int()) }),
      ),
      /** Total of projects whose placement has a conflict. */
      inConflict: z.number().int(),
    }),
  },
  /** Sets the place and wave of a project, or that it stays, until something is requested for it. Absent fields stay. */
  'migration.place': {
    request: oneProject.extend({
      placement: placementSchema.partial().optional(),
      wave: z.number().int().min(1).optional(),
      leftOut: z.boolean().optional(),
    }),
    reply: migratingProjectSchema,
  },

  /**
   * Starts it, or resumes it after a pause. Throws `migration-blocked` while a blocker is not overridden or
   * no check was made. Missing groups are created only with `createGroups`. `confirmation`: from
   * `host.confirm`, needed where a project is to be replaced.
   */
  'migration.start': {
    request: one.extend({ createGroups: z.boolean(), confirmation: textSchema.nullable().default(null) }),
    reply: migrationSchema,
  },
  /** Starts nothing more; work in progress is completed. */
  'migration.pause': { request: one, reply: migrationSchema },
  /** Also cancels work in progress. Work that GitLab was asked for continues there. */
  'migration.cancel': { request: one.extend({ by: idSchema }), reply: migrationSchema },
  /**
   * Failed and cancelled projects again, from the step that failed; never by deleting anything. Null: all of them. `confirmation`:
   * from `host.confirm`, needed where an import that follows replaces a project, also one that was confirmed before.
   */
  'migration.again': {
    request: one.extend({
      project: referenceSchema.nullable(),
      confirmation: textSchema.nullable().default(null),
    }),
    reply: migrationSchema,
  },
} as const;
