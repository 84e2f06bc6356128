/** @file The schemas of `migration.ts`. */
import { maxNameLength, waveSizeBounds } from '../bounds.ts';
import { errorDataSchema } from '../errors-schema.ts';
import { referenceSchema } from '../ids-schema.ts';
import { selectionSchema } from '../plans/plan-schema.ts';
import { z } from '../schema.ts';
import { migratingStates, migrationStatuses, preflightSeverities } from './migration.ts';

export const migrationNameSchema = z.string().trim().min(1).max(maxNameLength);

const groupPathSchema = z.string().trim().max(255);

/** The target of projects below a source group. The longest matching `from` decides; empty is every group. */
export const mappingRuleSchema = z.object({ from: groupPathSchema, to: groupPathSchema.min(1) });

/** The `override_params` of an import request, by GitLab's own names. */
export const overrideParamsSchema = z.record(z.string(), z.string());

/** The settings of a migration; they may be changed until it was started. */
export const migrationDraftSchema = z.object({
  /** Unique among migrations, regardless of the case of its letters. */
  name: migrationNameSchema,
  /** Names of two instances; they may be the same one. */
  source: z.string(),
  target: z.string(),
  selection: selectionSchema,
  /** A project without a matching rule keeps its group. */
  rules: z.array(mappingRuleSchema).max(200),
  /** For every project; a project's own overrides are added to these. */
  overrideParams: overrideParamsSchema,
  /** Mark each source project as archived before its export, so that nobody works on it any more; undone where it fails. */
  freeze: z.boolean(),
  /** Projects per wave; null: one wave. */
  waveSize: z.number().int().min(waveSizeBounds.min).max(waveSizeBounds.max).nullable(),
});

/** The placement of one project, before anything is requested. */
export const placementSchema = z.object({
  namespace: groupPathSchema,
  path: referenceSchema,
  /** Null: GitLab takes the path. */
  name: referenceSchema.nullable(),
  /** Replaces the existing project; needs a confirmation of its own. */
  overwrite: z.boolean(),
  overrideParams: overrideParamsSchema,
});

/** One project of a migration. */
export const migratingProjectSchema = z.object({
  sourceId: z.number().int(),
  sourcePath: z.string(),
  /** Counted from 1. */
  wave: z.number().int(),
  placement: placementSchema,
  /** Sentences: a path that GitLab reserves, or that another project of this migration would take. */
  conflicts: z.array(z.string()),
  state: z.enum(migratingStates),
  /** Why nothing moves at the moment, as a sentence; null while something moves, and after the end. */
  waitsFor: z.string().nullable(),
  error: errorDataSchema.nullable(),
  exportJob: z.string().nullable(),
  importJob: z.string().nullable(),
  /** Relation imports after the import, oldest first. */
  retryJobs: z.array(z.string()),
  archiveId: z.string().nullable(),
  targetId: z.number().int().nullable(),
  targetPath: z.string().nullable(),
  targetUrl: z.string().nullable(),
  failures: z.object({ open: z.number().int(), total: z.number().int(), truncated: z.boolean() }),
  /** Number of records and parts of records that are missing on the target; null before the comparison. */
  missing: z.number().int().nullable(),
  /** Losses that somebody accepted: listed failures, and differences that the last comparison still shows. */
  accepted: z.number().int(),
  /** Last activity on the source after its export began; ISO 8601 UTC. Null: none, or not checked. */
  changedSince: z.string().nullable(),
  /** Packhorse marked the source as archived, or may have (the response was lost), and has not undone it. */
  frozen: z.boolean(),
});

export const migrationSchema = migrationDraftSchema.extend({
  id: z.string(),
  createdAt: z.string(),
  status: z.enum(migrationStatuses),
  /** The wave in progress, and how many there are; 0 before the start. */
  wave: z.object({ current: z.number().int(), total: z.number().int() }),
  /** Projects by state; every state is present. */
  projects: z.record(z.enum(migratingStates), z.number().int()),
  /** Total of accepted losses. */
  accepted: z.number().int(),
  /** The last complete `migration.check`: when it ended, and how many of its blockers are open and overridden. */
  check: z.object({ at: z.string(), blockers: z.number().int(), overridden: z.number().int() }).nullable(),
});

/** One result of the checks before a migration. */
export const preflightFindingSchema = z.object({
  /** The same for the same finding of a later check, so that an override stays. */
  id: z.string(),
  code: z.string(),
  severity: z.enum(preflightSeverities),
  /** Path on the source; null where it is about the whole migration. */
  project: z.string().nullable(),
  /** The finding and the advice: a sentence each. */
  message: z.string(),
  advice: z.string(),
  overridden: z.object({ at: z.string(), note: z.string() }).nullable(),
});

/** A request that a migration would make, in order. `path` is below `/api/v4`. */
export const plannedWriteSchema = z.object({
  instance: z.string(),
  method: z.enum(['POST', 'PUT']),
  path: z.string(),
  /** The effect, as a sentence. */
  does: z.string(),
  project: z.string().nullable(),
});

/** The expected begin and end of a wave, from the limits of both instances and from earlier exports; ISO 8601 UTC. */
export const waveForecastSchema = z.object({
  wave: z.number().int(),
  projects: z.number().int(),
  startsAt: z.string(),
  endsAt: z.string(),
});

/** The findings of the checks before a migration. */
export const migrationCheckSchema = z.object({
  /** ISO 8601 UTC. */
  at: z.string(),
  /** Blockers first, then warnings. */
  findings: z.array(preflightFindingSchema),
  /** Groups that the target lacks, outermost first. */
  missingGroups: z.array(z.string()),
  writes: z.array(plannedWriteSchema),
  /** Empty where the duration of exports there is unknown. */
  forecast: z.array(waveForecastSchema),
});
