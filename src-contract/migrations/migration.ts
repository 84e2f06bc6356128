/** @file The noun *migration*: a set of projects moved from one instance to another in waves, and what came of each. */
import { maxNameLength, waveBounds } from '../bounds.ts';
import { errorDataSchema } from '../errors.ts';
import { referenceSchema } from '../ids.ts';
import { selectionSchema } from '../plans/plan.ts';
import { z } from '../schema.ts';

export const migrationNameSchema = z.string().trim().min(1).max(maxNameLength);
const groupPathSchema = z.string().trim().max(255);

/** Where the projects below a source group go, their own subgroups with them. The longest `from` that holds decides; empty is every group. */
export const mappingRuleSchema = z.object({ from: groupPathSchema, to: groupPathSchema.min(1) });
export type MappingRule = z.infer<typeof mappingRuleSchema>;

/** What an import request carries as `override_params`, by GitLab's own names. */
export const overrideParamsSchema = z.record(z.string(), z.string());

/** How a migration is meant to go; it may be changed until it was started. */
export const migrationDraftSchema = z.object({
  /** Unique among migrations, whatever the case of its letters. */
  name: migrationNameSchema,
  /** Names of two instances; they may be the same one. */
  source: z.string(),
  target: z.string(),
  selection: selectionSchema,
  /** A project that no rule is about keeps its group. */
  rules: z.array(mappingRuleSchema).max(200),
  /** For every project; one's own come on top. */
  overrideParams: overrideParamsSchema,
  /** Mark each source project as archived before its export, so that nobody works on it any more; undone where it fails. */
  freeze: z.boolean(),
  /** Projects per wave; null: one wave. */
  waveSize: z.number().int().min(waveBounds.min).max(waveBounds.max).nullable(),
});
export type MigrationDraft = z.infer<typeof migrationDraftSchema>;

/**
 * `planned`: nothing was asked for yet; `left-out` by a person; `finishing`: imported, and what follows is under way;
 * `arrived`: the numbers and names in source, archive and target agree, but for what somebody accepted, and no failure is open; contents
 * are compared by no version yet, and hosts say so;
 * `differs`: imported, with open failures or something missing.
 */
export const migratingStates = [
  'planned',
  'left-out',
  'exporting',
  'importing',
  'finishing',
  'arrived',
  'differs',
  'failed',
  'cancelled',
] as const;
export type MigratingState = (typeof migratingStates)[number];

/** Where one project goes, before anything is asked for. */
export const placementSchema = z.object({
  namespace: groupPathSchema,
  path: referenceSchema,
  /** Null: GitLab takes the path. */
  name: referenceSchema.nullable(),
  /** Replace the project that is there; needs a confirmation of its own. */
  overwrite: z.boolean(),
  overrideParams: overrideParamsSchema,
});
export type Placement = z.infer<typeof placementSchema>;

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
  /** Why nothing moves at the moment, as a sentence; null where something does, or has ended. */
  waitsFor: z.string().nullable(),
  error: errorDataSchema.nullable(),
  exportJob: z.string().nullable(),
  importJob: z.string().nullable(),
  /** Relation imports that followed, oldest first. */
  retryJobs: z.array(z.string()),
  archiveId: z.string().nullable(),
  targetId: z.number().int().nullable(),
  targetPath: z.string().nullable(),
  targetUrl: z.string().nullable(),
  failures: z.object({ open: z.number().int(), total: z.number().int(), truncated: z.boolean() }),
  /** Records and parts of records that are known to be missing on the target; null before they were looked for. */
  missing: z.number().int().nullable(),
  /** Losses that somebody accepted: listed failures, and differences that the last comparison still shows. */
  accepted: z.number().int(),
  /** Last activity on the source after its export began; ISO 8601 UTC. Null: none, or not looked for. */
  changedSince: z.string().nullable(),
  /** We marked the source as archived, or may have: the answer to that was lost, and it was not taken away yet. */
  frozen: z.boolean(),
});
export type MigratingProject = z.infer<typeof migratingProjectSchema>;

/** `draft`: never started; `ended`: every project that was not left out has come to an end. */
export const migrationStatuses = ['draft', 'running', 'paused', 'ended', 'cancelled'] as const;

export const migrationSchema = migrationDraftSchema.extend({
  id: z.string(),
  createdAt: z.string(),
  status: z.enum(migrationStatuses),
  /** The wave under way, and how many there are; 0 before the start. */
  wave: z.object({ current: z.number().int(), total: z.number().int() }),
  /** Projects by state; every state is present. */
  projects: z.record(z.enum(migratingStates), z.number().int()),
  /** Losses of all of them that somebody accepted. */
  accepted: z.number().int(),
  /** When `migration.check` last came to its end, how many of its blockers nobody has overridden, and how many somebody has. */
  check: z.object({ at: z.string(), blockers: z.number().int(), overridden: z.number().int() }).nullable(),
});
export type Migration = z.infer<typeof migrationSchema>;

/** `blocker`: it will fail, or lose something for sure; `warning`: it may; `info`: good to know. */
export const preflightSeverities = ['blocker', 'warning', 'info'] as const;

/** One result of the checks before a migration. */
export const preflightFindingSchema = z.object({
  /** The same for the same finding of a later check, so that an override stays. */
  id: z.string(),
  code: z.string(),
  severity: z.enum(preflightSeverities),
  /** Path on the source; null where it is about the whole migration. */
  project: z.string().nullable(),
  /** What is so, and what to do about it: a sentence each. */
  message: z.string(),
  advice: z.string(),
  overridden: z.object({ at: z.string(), note: z.string() }).nullable(),
});
export type PreflightFinding = z.infer<typeof preflightFindingSchema>;

/** What an export never carries, as far as an instance counts it for a project (gitlab-facts 7). */
export const extraKinds = [
  'variables',
  'hooks',
  'deploy_keys',
  'triggers',
  'registry_repositories',
  'packages',
  'environments',
  'pages',
  'secure_files',
  'mirrors',
] as const;
export type ExtraKind = (typeof extraKinds)[number];

/** Null: it cannot be counted, because the feature is off or the role too low. */
export type ProjectExtras = Record<ExtraKind, number | null>;

/** A request that a migration would make, in the order in which it would. `path` is below `/api/v4`. */
export const plannedWriteSchema = z.object({
  instance: z.string(),
  method: z.enum(['POST', 'PUT']),
  path: z.string(),
  /** What it does, as a sentence. */
  does: z.string(),
  project: z.string().nullable(),
});
export type PlannedWrite = z.infer<typeof plannedWriteSchema>;

/** When a wave is expected to begin and to end, from the limits of both instances and from earlier exports; ISO 8601 UTC. */
export const waveForecastSchema = z.object({
  wave: z.number().int(),
  projects: z.number().int(),
  startsAt: z.string(),
  endsAt: z.string(),
});
export type WaveForecast = z.infer<typeof waveForecastSchema>;

/** What the checks before a migration found. */
export const migrationCheckSchema = z.object({
  /** ISO 8601 UTC. */
  at: z.string(),
  /** Blockers first, then warnings. */
  findings: z.array(preflightFindingSchema),
  /** Groups that the target lacks, outermost first. */
  missingGroups: z.array(z.string()),
  writes: z.array(plannedWriteSchema),
  /** Empty where nothing is known of how long exports take there. */
  forecast: z.array(waveForecastSchema),
});
export type MigrationCheck = z.infer<typeof migrationCheckSchema>;
