/** @file The schemas of `migration.ts`. */
import { maxNameLength, waveSizeBounds } from '../bounds.ts';
import { errorDataSchema } from '../errors-schema.ts';
import { referenceSchema } from '../ids-schema.ts';
import { selectionSchema } from '../plans/plan-schema.ts';
import { z } from '../schema.ts';
import { chosenDepths, comparisonDepths } from '../transfers/import.ts';
import { comparisonForecastSchema } from '../transfers/import-schema.ts';
import { unlistedFailuresSchema } from './failure-schema.ts';
import { migratingStates, migrationStatuses, preflightSeverities } from './migration.ts';

export const migrationNameSchema = z.string().trim().min(1).max(maxNameLength);

const groupPathSchema = z.string().trim().max(255);

/**
 * The target group for projects below a source group. The longest matching `from` applies; an empty one matches every
 * group.
 */
export const mappingRuleSchema = z.object({ from: groupPathSchema, to: groupPathSchema.min(1) });

/** The `override_params` of an import request, by GitLab's own names. */
export const overrideParamsSchema = z.record(z.string(), z.string());

/** The settings of a migration. They can be changed until the start. */
export const migrationDraftSchema = z.object({
  /** Unique among migrations, case-insensitive. */
  name: migrationNameSchema,
  /** Names of two instances; they may be the same one. */
  source: z.string(),
  target: z.string(),
  selection: selectionSchema,
  /** A project without a matching rule keeps its group. */
  rules: z.array(mappingRuleSchema).max(200),
  /** For every project; a project's own overrides are added to these. */
  overrideParams: overrideParamsSchema,
  /**
   * Marks each source project as archived before its export, so that nobody changes it. The mark is removed if the
   * migration of the project fails.
   */
  freeze: z.boolean(),
  /** Projects per wave; null for a single wave. */
  waveSize: z.number().int().min(waveSizeBounds.min).max(waveSizeBounds.max).nullable(),
  /** The depth of the comparison of each project. Migrations of older versions compared contents. */
  compare: z.enum(chosenDepths).default('contents'),
});

/** The planned target of one project, and the settings of its import. */
export const placementSchema = z.object({
  namespace: groupPathSchema,
  path: referenceSchema,
  /** Null if GitLab uses the path as the name. */
  name: referenceSchema.nullable(),
  /** Replaces the existing project; requires a separate confirmation. */
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
  /** Sentences about a path that GitLab reserves, or that another project of this migration has too. */
  conflicts: z.array(z.string()),
  state: z.enum(migratingStates),
  /**
   * Why the project makes no progress at the moment, as a sentence; null while it makes progress, and after the end.
   */
  waitsFor: z.string().nullable(),
  /** The requests of a comparison in this process, and about how long it still takes; null without a comparison. */
  comparing: z
    .object({ done: z.number().int(), total: z.number().int(), msLeft: z.number().int() })
    .nullable(),
  error: errorDataSchema.nullable(),
  exportJob: z.string().nullable(),
  importJob: z.string().nullable(),
  /** Relation imports and repairs after the import, oldest first. */
  retryJobs: z.array(z.string()),
  archiveId: z.string().nullable(),
  targetId: z.number().int().nullable(),
  targetPath: z.string().nullable(),
  targetUrl: z.string().nullable(),
  failures: z.object({
    open: z.number().int(),
    total: z.number().int(),
    ...unlistedFailuresSchema.pick({ hasUnlisted: true }).shape,
  }),
  /** Number of records and parts of records that are missing on the target; null before the comparison. */
  missing: z.number().int().nullable(),
  /** How much the last comparison covered; null before it. */
  depth: z.enum(comparisonDepths).nullable(),
  /** Number of accepted losses: listed failures, and differences that the last comparison still shows. */
  accepted: z.number().int(),
  /**
   * Last activity on the source after its export began; ISO 8601 UTC. Null if there was none, or it was not checked.
   */
  changedSince: z.string().nullable(),
  /** True if Packhorse marked the source as archived and has not removed the mark, or if the response was lost. */
  frozen: z.boolean(),
});

export const migrationSchema = migrationDraftSchema.extend({
  id: z.string(),
  createdAt: z.string(),
  status: z.enum(migrationStatuses),
  /** The wave in progress, 0 before the start; and the number of waves. */
  wave: z.object({ current: z.number().int(), total: z.number().int() }),
  /** Projects by state; every state is present. */
  projects: z.record(z.enum(migratingStates), z.number().int()),
  /** Number of arrived projects whose contents were compared only in part. */
  comparedInPart: z.number().int(),
  /** Number of arrived projects whose list of failures GitLab may have cut. */
  arrivedWithUnlistedFailures: z.number().int(),
  /** Total of accepted losses. */
  accepted: z.number().int(),
  /**
   * The last complete `migration.check`: its end, the number of open blockers of the start, and the number of overridden
   * ones. Blockers of a single project are not counted.
   */
  check: z.object({ at: z.string(), blockers: z.number().int(), overridden: z.number().int() }).nullable(),
});

/** One finding of the preflight of a migration. */
export const preflightFindingSchema = z.object({
  /** A later check gives the same finding the same id, so that an override stays. */
  id: z.string(),
  code: z.string(),
  severity: z.enum(preflightSeverities),
  /** Path on the source; null if it is about the whole migration. */
  project: z.string().nullable(),
  /** Present if a blocker blocks only its project: the migration starts, and the other projects move. */
  blocksOnlyProject: z.literal(true).optional(),
  /** The finding and the advice, one sentence each. */
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

/** The expected start and end of a wave, from the limits of both instances and from earlier exports; ISO 8601 UTC. */
export const waveForecastSchema = z.object({
  wave: z.number().int(),
  projects: z.number().int(),
  startsAt: z.string(),
  endsAt: z.string(),
});

/** The result of the preflight of a migration. */
export const migrationCheckSchema = z.object({
  /** ISO 8601 UTC. */
  at: z.string(),
  /** Blockers first, then warnings. */
  findings: z.array(preflightFindingSchema),
  /** Groups that the target lacks, outermost first. */
  missingGroups: z.array(z.string()),
  writes: z.array(plannedWriteSchema),
  /** Empty if no duration of an export from the source is known. */
  forecast: z.array(waveForecastSchema),
  /** Null in checks of older versions. */
  comparison: comparisonForecastSchema.nullable().default(null),
});
