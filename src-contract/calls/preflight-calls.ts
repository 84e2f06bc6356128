/** @file Calls about preflight: the checks before a migration or an import. */
import { idSchema, referenceSchema } from '../ids-schema.ts';
import { migrationCheckSchema, preflightFindingSchema } from '../migrations/migration-schema.ts';
import { archiveReference } from './archive-calls.ts';
import { lintSchema } from '../archives/lint-schema.ts';
import { z } from '../schema.ts';

/** By id or by name. */
const migrationRequestSchema = z.object({ migration: idSchema });

export const preflightCalls = {
  /** Checks a migration on both instances; changes nothing there. Reports progress. */
  'migration.check': { request: migrationRequestSchema, reply: migrationCheckSchema },
  /** Returns the last check with later overrides; null if none was made since the migration was changed. */
  'migration.lastCheck': {
    request: migrationRequestSchema,
    reply: z.object({ check: migrationCheckSchema.nullable() }),
  },
  /** Overrides a finding of the last check. A null note withdraws the override. */
  'migration.override': {
    request: migrationRequestSchema.extend({
      finding: idSchema,
      note: z.string().trim().min(1).max(1000).nullable(),
    }),
    reply: preflightFindingSchema,
  },
  /**
   * Checks whether an archive can be imported. With a `target`, also checks that instance's limits. Reports progress.
   */
  'archive.lint': {
    request: z.object({ archive: archiveReference, target: referenceSchema.nullable() }),
    reply: lintSchema,
  },
} as const;
