/** @file Calls about the failures of imports, and about importing failed records again. */
import { maxSettledFailures } from '../bounds.ts';
import { idSchema, referenceSchema, textSchema } from '../ids-schema.ts';
import { failureStates } from '../migrations/failure.ts';
import {
  failureDetailsSchema,
  failureGroupSchema,
  importFailureSchema,
  unlistedFailuresSchema,
} from '../migrations/failure-schema.ts';
import { repairPlanSchema } from '../migrations/repair-schema.ts';
import { z } from '../schema.ts';
import { importableRelations } from '../transfers/transfer.ts';

const limit = z.number().int().min(1).max(500);
const offset = z.number().int().nonnegative();
/** Names a migration by id or by name. */
const migrationRequestSchema = z.object({ migration: idSchema });
/** Names a project of a migration by its full path or its id on the source. */
const projectRequestSchema = migrationRequestSchema.extend({ project: referenceSchema });

export const failureCalls = {
  /**
   * Imports a relation again into an imported project, from a trimmed archive. `records` chooses the missing and failed
   * records, or all records of the relation. GitLab adds only records that the project lacks. Throws `members-at-risk`
   * like `import.relation`.
   */
  'migration.retry': {
    request: projectRequestSchema.extend({
      relation: z.enum(importableRelations),
      records: z.enum(['missing', 'all']),
      removeMembers: z.boolean().default(false),
    }),
    reply: z.object({ runId: idSchema, jobId: idSchema }),
  },

  /** Returns the repairs of the open differences of an imported project, and why others cannot be repaired. Sends no change. */
  'migration.repairs': { request: projectRequestSchema, reply: repairPlanSchema },

  /**
   * Sends repairs from `migration.repairs`, and compares the project again. A value that somebody changed since the comparison is
   * left alone. Throws `invalid-input` if a difference is not open or has no repair.
   */
  'migration.repair': {
    request: projectRequestSchema.extend({
      /** The differences to repair, by `difference` of the planned repairs; null for all. */
      differences: z.array(referenceSchema).min(1).max(maxSettledFailures).nullable().default(null),
    }),
    reply: z.object({ runId: idSchema, jobId: idSchema }),
  },

  /** Lists failures: newest import first, then by relation and line. */
  'failure.list': {
    request: z.object({
      migration: idSchema.nullable().default(null),
      instance: referenceSchema.nullable().default(null),
      /** On the target. */
      project: referenceSchema.nullable().default(null),
      relation: referenceSchema.nullable().default(null),
      exceptionClass: textSchema.nullable().default(null),
      state: z.enum(failureStates).nullable().default(null),
      /** An iid, or a part of a title or of the path on the target. */
      search: textSchema.nullable().default(null),
      offset,
      limit,
    }),
    reply: z.object({
      failures: z.array(importFailureSchema),
      total: z.number().int(),
      /** Groups of the failures that match all filters except `relation` and `exceptionClass`. */
      groups: z.array(failureGroupSchema),
      ...unlistedFailuresSchema.shape,
    }),
  },
  'failure.show': { request: z.object({ failure: idSchema }), reply: failureDetailsSchema },
  /** Accepts failures and differences with a note, or opens them again: all or none. `failures` are their refs. */
  'failure.settle': {
    request: z.object({
      failures: z.array(idSchema).min(1).max(maxSettledFailures),
      state: z.enum(['accepted', 'open']),
      note: z.string().trim().max(1000).nullable(),
    }),
    reply: z.object({ changed: z.number().int() }),
  },
} as const;
