/**
 * @file The noun *passport*: all facts about one migrated project, written to files outside the app. Times are ISO 8601
 * UTC.
 */
import { countsSchema, findingSchema, proofSchema, sourceCountsSchema } from '../archives/archive-schema.ts';
import { verdicts } from '../archives/archive.ts';
import { errorDataSchema } from '../errors-schema.ts';
import { writeRequestSchema } from '../instances/write-request-schema.ts';
import { recordAbsences } from './failure.ts';
import { importFailureSchema, unlistedFailuresSchema } from './failure-schema.ts';
import { chosenDepths, comparisonDepths } from '../transfers/import.ts';
import { missingRecordSchema, reconciliationSchema } from '../transfers/import-schema.ts';
import { jobKinds, jobStatuses } from '../runs/job.ts';
import { migratingStates, migrationStatuses } from './migration.ts';
import { placementSchema, preflightFindingSchema } from './migration-schema.ts';
import { z } from '../schema.ts';

export const passportInstanceSchema = z.object({
  name: z.string(),
  url: z.string(),
  /** Null without an account, or if the account is unknown. */
  username: z.string().nullable(),
  version: z.string().nullable(),
});

export const passportProjectSchema = z.object({
  id: z.number().int(),
  fullPath: z.string(),
  url: z.string(),
});

export const jobRecordSchema = z.object({
  id: z.string(),
  kind: z.enum(jobKinds),
  /** The work of the job in a few words. */
  does: z.string(),
  instance: z.string(),
  project: z.string(),
  status: z.enum(jobStatuses),
  /** `error` if the job failed; `why` if it was skipped or cancelled. */
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
});
export type JobRecord = z.output<typeof jobRecordSchema>;

export const passportArchiveSchema = z.object({
  id: z.string(),
  /** Path below its archive folder; null if the archive is no longer in the catalogue. */
  path: z.string().nullable(),
  sha256: z.string(),
  sizeBytes: z.number().int(),
  /** From its manifest; null if the manifest no longer exists. */
  description: z
    .object({
      storedAt: z.string(),
      /** Version of Packhorse that stored the archive, and of GitLab that exported it. */
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
});

export const passportFailureSchema = importFailureSchema.extend({
  meaning: z.string(),
  advice: z.string(),
  /** The beginning of the record in the archive; null if it could not be read. */
  text: z.string().nullable(),
  textCut: z.boolean(),
  /** Why `text` is null; null if the record was read. */
  recordAbsence: z.enum(recordAbsences).nullable(),
});

/** A loss or change that a user accepted: a difference of the comparison, or a listed failure. */
export const acceptedLossSchema = z.object({
  what: z.string(),
  relation: z.string().nullable(),
  lost: missingRecordSchema.shape.lost.nullable(),
  /**
   * `accepted` counts the accepted records, parts of a record, or bytes of LFS objects; `missing` counts those missing
   * now. Both are 1 for a setting.
   */
  accepted: z.number().int(),
  missing: z.number().int(),
  note: z.string().nullable(),
  at: z.string(),
  /** GitLab's id of the failure; null if GitLab listed none. */
  failure: z.number().int().nullable(),
});
export type AcceptedLoss = z.output<typeof acceptedLossSchema>;

export const passportImportSchema = z.object({
  jobId: z.string(),
  status: z.enum(jobStatuses),
  projectId: z.number().int().nullable(),
  /** The id of the import in GitLab's own logs. */
  correlationId: z.string().nullable(),
});

export const passportRetrySchema = z.object({
  jobId: z.string(),
  relation: z.string(),
  status: z.enum(jobStatuses),
  /** GitLab's id of the relation import; null if it has none. */
  relationImportId: z.number().int().nullable(),
  /** Records of that relation on the target; null if they could not be counted. */
  before: z.number().int().nullable(),
  after: z.number().int().nullable(),
  error: errorDataSchema.nullable(),
});

export const sentRequestSchema = writeRequestSchema.extend({ at: z.string() });

/** One change to the source. `refused`: by the instance. `not-taken`: accepted, not applied. `unknown`: no response. */
export const finishPartSchema = z.object({
  outcome: z.enum(['done', 'already', 'refused', 'not-taken', 'not-sent', 'unknown', 'open']),
  /** When the response arrived; null if nothing was sent. */
  at: z.string().nullable(),
});
export type FinishPart = z.output<typeof finishPartSchema>;

/** Changes to the source that a user requested after the import. A part is null if it was not requested. */
export const finishRecordSchema = z.object({
  /** Null if there was no job, because other work on the project was in progress. */
  jobId: z.string().nullable(),
  askedAt: z.string(),
  /** Null while the work is in progress. */
  endedAt: z.string().nullable(),
  /** Marking the source as archived on GitLab. */
  mark: finishPartSchema.nullable(),
  /** Adding a line to the description that names `newPlace`. */
  note: finishPartSchema.nullable(),
  newPlace: z.string().nullable(),
  /** Why it failed, or was not started. */
  error: errorDataSchema.nullable(),
});
export type FinishRecord = z.output<typeof finishRecordSchema>;

export const passportSchema = z.object({
  schemaVersion: z.literal(1),
  madeAt: z.string(),
  appVersion: z.string(),
  migration: z.object({
    id: z.string(),
    name: z.string(),
    createdAt: z.string(),
    freeze: z.boolean(),
    /** The depth that was chosen for comparisons. `reconciliation` says what the last one covered. */
    compare: z.enum(chosenDepths),
  }),
  wave: z.number().int(),
  state: z.enum(migratingStates),
  /** The state, in words that say how far contents were compared. */
  outcome: z.string(),
  error: errorDataSchema.nullable(),
  source: z.object({ instance: passportInstanceSchema, project: passportProjectSchema }),
  /** `wanted`: the planned target, with its overrides. `project` is null if the project was not imported. */
  target: z.object({
    instance: passportInstanceSchema,
    wanted: placementSchema,
    project: passportProjectSchema.nullable(),
  }),
  archive: passportArchiveSchema.nullable(),
  /**
   * The findings about this project and about the whole migration, from the check that applied at the project's start,
   * with the overrides at that time. Before the start, the findings of the newest check. Null if no check is stored.
   */
  check: z
    .object({
      at: z.string(),
      /** True if the placement was changed after the check, and not checked again. */
      placedSince: z.boolean(),
      findings: z.array(preflightFindingSchema),
    })
    .nullable(),
  imports: z.array(passportImportSchema),
  /** Oldest first, including failed ones that were replaced. */
  jobs: z.array(jobRecordSchema),
  /** Every request that may have changed something on either side, oldest first. */
  requests: z.array(sentRequestSchema),
  /** The failures of the last import. */
  failures: z.object({
    open: z.number().int(),
    total: z.number().int(),
    ...unlistedFailuresSchema.shape,
    records: z.array(passportFailureSchema),
    /** Failures of imports that a later one replaced. No number of the passport includes them. */
    ofReplacedImports: z.array(passportFailureSchema),
  }),
  retries: z.array(passportRetrySchema),
  reconciliation: reconciliationSchema.nullable(),
  /** Accepted differences that the last comparison still shows. */
  accepted: z.array(acceptedLossSchema),
  /** Last activity on the source after its export began; null if there was none, or it was not checked. */
  changedSince: z.string().nullable(),
  /** True if Packhorse marked the source as archived and has not removed the mark, or if the response was lost. */
  frozen: z.boolean(),
  /** Oldest first. */
  finishes: z.array(finishRecordSchema),
  /** Sentences about data that no export contains. */
  neverCarried: z.array(z.string()),
});
export type Passport = z.output<typeof passportSchema>;

/** The list of all passports of a migration. */
export const passportIndexSchema = z.object({
  schemaVersion: z.literal(1),
  madeAt: z.string(),
  appVersion: z.string(),
  migration: z.object({
    id: z.string(),
    name: z.string(),
    createdAt: z.string(),
    status: z.enum(migrationStatuses),
    freeze: z.boolean(),
    source: passportInstanceSchema,
    target: passportInstanceSchema,
    projects: z.record(z.enum(migratingStates), z.number().int()),
    /** Number of arrived projects whose contents were compared only in part. */
    comparedInPart: z.number().int(),
  }),
  projects: z.array(
    z.object({
      sourceId: z.number().int(),
      sourcePath: z.string(),
      state: z.enum(migratingStates),
      /** How much the last comparison covered; null if never compared. */
      depth: z.enum(comparisonDepths).nullable(),
      /** The state, in words that say how far contents were compared. */
      outcome: z.string(),
      wave: z.number().int(),
      wanted: z.string(),
      targetPath: z.string().nullable(),
      targetUrl: z.string().nullable(),
      sha256: z.string().nullable(),
      openFailures: z.number().int(),
      failures: z.number().int(),
      hasUnlistedFailures: unlistedFailuresSchema.shape.hasUnlisted,
      unlistedFailureCount: unlistedFailuresSchema.shape.unlistedCount,
      missing: z.number().int().nullable(),
      /** True if source, archive and target agreed in the last comparison; null if never compared. */
      reconciled: z.boolean().nullable(),
      accepted: z.array(acceptedLossSchema),
      changedSince: z.string().nullable(),
      error: z.string().nullable(),
      finishes: z.array(finishRecordSchema),
      /** Names of its files, in the folder of the index. */
      html: z.string(),
      json: z.string(),
    }),
  ),
  /** Jobs that belong to no single project, such as the creation of a group, with the requests that they sent. */
  jobs: z.array(jobRecordSchema),
  requests: z.array(sentRequestSchema),
});
export type PassportIndex = z.output<typeof passportIndexSchema>;
