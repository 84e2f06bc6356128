/** @file The schemas of `failure.ts`. */
import { archiveRecordSchema } from '../archives/archive-schema.ts';
import { failureSchema } from '../transfers/import-schema.ts';
import { suspicionSchema } from '../archives/record-schema.ts';
import { z, schemaOf } from '../schema.ts';
import {
  type RecordName,
  type LedgerFailure,
  type FailureGroup,
  type FailureDetails,
  failureStates,
} from './failure.ts';

export const recordNameSchema = schemaOf<RecordName>()(
  z.object({ iid: z.number().int().nullable(), title: z.string().nullable() }),
);

export const ledgerFailureSchema = schemaOf<LedgerFailure>()(
  failureSchema.extend({
    ref: z.string(),
    instance: z.string(),
    project: z.string(),
    projectId: z.number().int(),
    importJob: z.string(),
    migrationId: z.string().nullable(),
    archiveId: z.string().nullable(),
    state: z.enum(failureStates),
    note: z.string().nullable(),
    changedAt: z.string(),
    record: recordNameSchema.nullable(),
  }),
);

export const failureGroupSchema = schemaOf<FailureGroup>()(
  z.object({
    relation: z.string().nullable(),
    exceptionClass: z.string(),
    total: z.number().int(),
    open: z.number().int(),
    meaning: z.string(),
    advice: z.string(),
  }),
);

export const failureDetailsSchema = schemaOf<FailureDetails>()(
  z.object({
    failure: ledgerFailureSchema,
    meaning: z.string(),
    advice: z.string(),
    record: archiveRecordSchema.nullable(),
    findings: z.array(suspicionSchema),
    notLookedFor: z.array(z.string()),
    sourceUrl: z.string().nullable(),
  }),
);
