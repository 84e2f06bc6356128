/** @file Calls about migrations: placing projects, and starting, pausing and cancelling a migration. */
import { idSchema, referenceSchema, textSchema } from '../ids-schema.ts';
import { migratingStates } from '../migrations/migration.ts';
import {
  migratingProjectSchema,
  migrationDraftSchema,
  migrationSchema,
  placementSchema,
} from '../migrations/migration-schema.ts';
import { z } from '../schema.ts';
import { chosenDepths } from '../transfers/import.ts';

const limit = z.number().int().min(1).max(500);
const offset = z.number().int().nonnegative();
/** By id or by name. */
const migrationRequestSchema = z.object({ migration: idSchema });
/** `project`: full path on the source, or id there. */
const projectRequestSchema = migrationRequestSchema.extend({ project: referenceSchema });

export const migrationCalls = {
  /** Lists migrations, newest first. */
  'migration.list': { request: z.object({}), reply: z.object({ migrations: z.array(migrationSchema) }) },
  'migration.show': { request: migrationRequestSchema, reply: migrationSchema },
  /** Creates a draft. Fetches the projects of the selection from the source; changes nothing on either instance. */
  'migration.create': { request: migrationDraftSchema, reply: migrationSchema },
  /**
   * Changes a draft; absent fields stay. Fails with `migration-started` after the start. A new selection fetches its
   * projects again.
   */
  'migration.change': {
    request: migrationRequestSchema.extend({
      // Without its default, because an absent depth stays.
      changes: migrationDraftSchema
        .omit({ source: true, target: true })
        .extend({ compare: z.enum(chosenDepths) })
        .partial(),
    }),
    reply: migrationSchema,
  },
  /**
   * Deletes the migration in Packhorse; imported projects stay. Throws `migration-started` while the migration runs.
   */
  'migration.remove': { request: migrationRequestSchema, reply: z.object({}) },
  'migration.projects': {
    request: migrationRequestSchema.extend({
      state: z.enum(migratingStates).nullable().default(null),
      wave: z.number().int().nullable().default(null),
      /** Part of the path on the source or the target. */
      search: textSchema.nullable().default(null),
      /** Only projects whose placement has a conflict. */
      inConflict: z.boolean().default(false),
      offset,
      limit,
    }),
    reply: z.object({ projects: z.array(migratingProjectSchema), total: z.number().int() }),
  },
  /** Returns the number of projects of each wave by state. Every state is present. The first wave comes first. */
  'migration.waves': {
    request: migrationRequestSchema,
    reply: z.object({
      waves: z.array(
        z.object({
          wave: z.number().int(),
          ...migrationSchema.pick({
            projects: true,
            comparedInPart: true,
            arrivedWithUnlistedFailures: true,
          }).shape,
        }),
      ),
      /** Number of projects whose placement has a conflict. */
      inConflict: z.number().int(),
    }),
  },
  /**
   * Sets the placement and wave of a project, or leaves it out. Only before the first request for the project. Absent
   * fields stay.
   */
  'migration.place': {
    request: projectRequestSchema.extend({
      placement: placementSchema.partial().optional(),
      wave: z.number().int().min(1).optional(),
      leftOut: z.boolean().optional(),
    }),
    reply: migratingProjectSchema,
  },

  /**
   * Starts a migration, or resumes it after a pause. Throws `migration-blocked` if no check was made, or a blocker is
   * not overridden. Missing groups are created only with `createGroups`. `confirmation` is from `host.confirm`, and
   * required if a project is replaced.
   */
  'migration.start': {
    request: migrationRequestSchema.extend({
      createGroups: z.boolean(),
      confirmation: textSchema.nullable().default(null),
    }),
    reply: migrationSchema,
  },
  /** Pauses a migration: starts no further work. Running work is completed. */
  'migration.pause': { request: migrationRequestSchema, reply: migrationSchema },
  /** Cancels a migration with its running jobs. Exports and imports that GitLab already started continue there. */
  'migration.cancel': { request: migrationRequestSchema.extend({ by: idSchema }), reply: migrationSchema },
  /**
   * Tries failed and cancelled projects again, from the step that failed. Deletes nothing. Null `project`: all of them.
   * `confirmation` is from `host.confirm`, and required if an import replaces a project, even if that was confirmed
   * before.
   */
  'migration.again': {
    request: migrationRequestSchema.extend({
      project: referenceSchema.nullable(),
      confirmation: textSchema.nullable().default(null),
    }),
    reply: migrationSchema,
  },
} as const;
