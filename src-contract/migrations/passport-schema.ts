/** @file The schemas of `passport.ts`. */
import { countsSchema, findingSchema, proofSchema, sourceCountsSchema } from '../archives/archive-schema.ts';
import { verdicts } from '../archives/archive.ts';
import { errorDataSchema } from '../errors-schema.ts';
import { ledgerFailureSchema } from './failure-schema.ts';
import { missingRecordSchema, reconciliationSchema } from '../transfers/import-schema.ts';
import { jobKinds, jobStatuses } from '../runs/job.ts';
import { migratingStates, migrationStatuses } from './migration.ts';
import { placementSchema, preflightFindingSchema } from './migration-schema.ts';
import { z, schemaOf } from '../schema.ts';
import type {
  JobRecord,
  AcceptedLoss,
  FinishPart,
  FinishRecord,
  Passport,
  PassportIndex,
  InstanceSide,
  ProjectSide,
  ArchiveSide,
  FailureRecord,
  ImportRecord,
  RetryRecord,
  SentRequest,
} from './passport.ts';

const instanceSideSchema = schemaOf<InstanceSide>()(
  z.object({
    name: z.string(),
    url: z.string(),
    username: z.string().nullable(),
    version: z.string().nullable(),
  }),
);

const projectSideSchema = schemaOf<ProjectSide>()(
  z.object({ id: z.number().int(), fullPath: z.string(), url: z.string() }),
);

const jobRecordSchema = schemaOf<JobRecord>()(
  z.object({
    id: z.string(),
    kind: z.enum(jobKinds),
    does: z.string(),
    instance: z.string(),
    project: z.string(),
    status: z.enum(jobStatuses),
    error: errorDataSchema.nullable(),
    why: z.string().nullable(),
    warnings: z.array(findingSchema),
    createdAt: z.string(),
    endedAt: z.string().nullable(),
    steps: z.array(
      z.object({
        name: z.string(),
        attempts: z.number().int(),
        startedAt: z.string(),
        finishedAt: z.string().nullable(),
      }),
    ),
  }),
);

const archiveSideSchema = schemaOf<ArchiveSide>()(
  z.object({
    id: z.string(),
    path: z.string().nullable(),
    sha256: z.string(),
    sizeBytes: z.number().int(),
    description: z
      .object({
        storedAt: z.string(),
        appVersion: z.string(),
        serverVersion: z.string().nullable(),
        verdict: z.enum(verdicts),
        relations: countsSchema,
        sourceCounts: sourceCountsSchema.nullable(),
        findings: z.array(findingSchema),
        proofs: z.array(proofSchema),
        damaged: z.object({ at: z.string(), reason: z.string() }).nullable(),
      })
      .nullable(),
  }),
);

const failureRecordSchema = schemaOf<FailureRecord>()(
  ledgerFailureSchema.extend({
    meaning: z.string(),
    advice: z.string(),
    text: z.string().nullable(),
    textCut: z.boolean(),
  }),
);

const acceptedLossSchema = schemaOf<AcceptedLoss>()(
  z.object({
    what: z.string(),
    relation: z.string().nullable(),
    lost: missingRecordSchema.shape.lost.nullable(),
    accepted: z.number().int(),
    missing: z.number().int(),
    note: z.string().nullable(),
    at: z.string(),
    failure: z.number().int().nullable(),
  }),
);

const importRecordSchema = schemaOf<ImportRecord>()(
  z.object({
    jobId: z.string(),
    status: z.enum(jobStatuses),
    projectId: z.number().int().nullable(),
    correlationId: z.string().nullable(),
  }),
);

const retryRecordSchema = schemaOf<RetryRecord>()(
  z.object({
    jobId: z.string(),
    relation: z.string(),
    status: z.enum(jobStatuses),
    relationImportId: z.number().int().nullable(),
    before: z.number().int().nullable(),
    after: z.number().int().nullable(),
    error: errorDataSchema.nullable(),
  }),
);

const sentRequestSchema = schemaOf<SentRequest>()(
  z.object({
    id: z.number().int(),
    at: z.string(),
    instance: z.string(),
    job: z.string().nullable(),
    method: z.string(),
    path: z.string(),
    status: z.number().int().nullable(),
  }),
);

const finishPartSchema = schemaOf<FinishPart>()(
  z.object({
    outcome: z.enum(['done', 'already', 'refused', 'not-taken', 'not-sent', 'unknown', 'open']),
    at: z.string().nullable(),
  }),
);

const finishRecordSchema = schemaOf<FinishRecord>()(
  z.object({
    jobId: z.string().nullable(),
    askedAt: z.string(),
    endedAt: z.string().nullable(),
    mark: finishPartSchema.nullable(),
    note: finishPartSchema.nullable(),
    newPlace: z.string().nullable(),
    error: errorDataSchema.nullable(),
  }),
);

export const passportSchema = schemaOf<Passport>()(
  z.object({
    schemaVersion: z.literal(1),
    madeAt: z.string(),
    appVersion: z.string(),
    migration: z.object({ id: z.string(), name: z.string(), createdAt: z.string(), freeze: z.boolean() }),
    wave: z.number().int(),
    state: z.enum(migratingStates),
    outcome: z.string(),
    error: errorDataSchema.nullable(),
    source: z.object({ instance: instanceSideSchema, project: projectSideSchema }),
    target: z.object({
      instance: instanceSideSchema,
      wanted: placementSchema,
      project: projectSideSchema.nullable(),
    }),
    archive: archiveSideSchema.nullable(),
    check: z
      .object({
        at: z.string(),
        placedSince: z.boolean(),
        findings: z.array(preflightFindingSchema),
      })
      .nullable(),
    imports: z.array(importRecordSchema),
    jobs: z.array(jobRecordSchema),
    requests: z.array(sentRequestSchema),
    failures: z.object({
      open: z.number().int(),
      total: z.number().int(),
      truncated: z.boolean(),
      unseen: z.number().int().nullable(),
      records: z.array(failureRecordSchema),
    }),
    retries: z.array(retryRecordSchema),
    reconciliation: reconciliationSchema.nullable(),
    accepted: z.array(acceptedLossSchema),
    changedSince: z.string().nullable(),
    frozen: z.boolean(),
    finishes: z.array(finishRecordSchema),
    neverCarried: z.array(z.string()),
  }),
);

export const passportIndexSchema = schemaOf<PassportIndex>()(
  z.object({
    schemaVersion: z.literal(1),
    madeAt: z.string(),
    appVersion: z.string(),
    migration: z.object({
      id: z.string(),
      name: z.string(),
      createdAt: z.string(),
      status: z.enum(migrationStatuses),
      freeze: z.boolean(),
      source: instanceSideSchema,
      target: instanceSideSchema,
      projects: z.record(z.enum(migratingStates), z.number().int()),
    }),
    projects: z.array(
      z.object({
        sourceId: z.number().int(),
        sourcePath: z.string(),
        state: z.enum(migratingStates),
        outcome: z.string(),
        wave: z.number().int(),
        wanted: z.string(),
        targetPath: z.string().nullable(),
        targetUrl: z.string().nullable(),
        sha256: z.string().nullable(),
        openFailures: z.number().int(),
        failures: z.number().int(),
        missing: z.number().int().nullable(),
        reconciled: z.boolean().nullable(),
        accepted: z.array(acceptedLossSchema),
        changedSince: z.string().nullable(),
        error: z.string().nullable(),
        finishes: z.array(finishRecordSchema),
        html: z.string(),
        json: z.string(),
      }),
    ),
    jobs: z.array(jobRecordSchema),
    requests: z.array(sentRequestSchema),
  }),
);
