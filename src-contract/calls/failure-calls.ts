/** @file Calls about the failures of imports, and about trying them again. */
import { maxSettledFailures } from '../bounds.ts';
import { idSchema, referenceSchema, textSchema } from '../ids-schema.ts';
import { failureStates } from '../migrations/failure.ts';
import {
  failureDetailsSchema,
  failureGroupSchema,
  ledgerFailureSchema,
} from '../migrations/failure-schema.ts';
import { z } from '../schema.ts';
import { importableRelations } from '../transfers/transfer.ts';

const limit = z.number().int().min(1).max(500);
const offset = z.number().int().nonnegative();
/** By id or by name. */
const one = z.object({ migration: idSchema });
/** `project`: full path on the source, or id there. */
const oneProject = one.extend({ project: referenceSchema });

export const failureCalls = {
  /**
   * Imports a relation again into a project that was imported, from an archive trimmed to the records that are missing or failed
   * (`missing`), or to all of its records (`all`). GitLab adds only what is not there. Throws `members-at-risk` as `import.relation`.
   */
  'migration.retry': {
    request: oneProject.extend({
      relation: z.enum(importableRelations),
      records: z.enum(['missing', 'all']),
      removeMembers: z.boolean().default(false),
    }),
    reply: z.object({ runId: idSchema, jobId: idSchema }),
  },

  /** Newest import first, then by relation and line. */
  'failure.list': {
    request: z.object({
      migration: idSchema.nullable().default(null),
      instance: referenceSchema.nullable().default(null),
      /** On the target. */
      project: referenceSchema.nullable().default(null),
      relation: referenceSchema.nullable().default(null),
      exceptionClass: textSchema.nullable().default(null),
      state: z.enum(failureStates).nullable().default(null),
      /** Part of a title or of the path on the target, or an iid. */
      search: textSchema.nullable().default(null),
      offset,
      limit,
    }),
    reply: z.object({
      failures: z.array(ledgerFailureSchema),
      total: z.number().int(),
      /** Groups of all failures that match the filters, apart from the filters for relation and exception. */
      groups: z.array(failureGroupSchema),
      /** Whether a list of one of these imports was cut: a hundred came at once, and all were new. */
      truncated: z.boolean(),
      /** Estimated failures beyond the listed ones; null: the list was never cut, or there is no estimate. */
      unseen: z.number().int().nullable(),
    }),
  },
  'failure.show': { request: z.object({ failure: idSchema }), reply: failureDetailsSchema },
  /** Accepts failures and differences, by their refs, with a note, or opens them again: all or none. */
  'failure.settle': {
    request: z.object({
      failures: z.array(idSchema).min(1).max(maxSettledFailures),
      state: z.enum(['accepted', 'open']),
      note: z.string().trim().max(1000).nullable(),
    }),
    reply: z.object({ changed: z.number().int() }),
  },
} as const;
