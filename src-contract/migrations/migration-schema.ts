/** @file The schemas of `migration.ts`. */
import { maxNameLength, waveSizeBounds } from '../bounds.ts';
import { errorDataSchema } from '../errors-schema.ts';
import { referenceSchema } from '../ids-schema.ts';
import { selectionSchema } from '../plans/plan-schema.ts';
import { z, schemaOf } from '../schema.ts';
import {
  type MappingRule,
  type MigrationDraft,
  type Placement,
  type MigratingProject,
  type Migration,
  type PreflightFinding,
  type PlannedWrite,
  type WaveForecast,
  type MigrationCheck,
  migratingStates,
  migrationStatuses,
  preflightSeverities,
} from './migration.ts';

export const migrationNameSchema = z.string().trim().min(1).max(maxNameLength);

const groupPathSchema = z.string().trim().max(255);

export const mappingRuleSchema = schemaOf<MappingRule>()(
  z.object({ from: groupPathSchema, to: groupPathSchema.min(1) }),
);

/** The `override_params` of an import request, by GitLab's own names. */
export const overrideParamsSchema = z.record(z.string(), z.string());

export const migrationDraftSchema = schemaOf<MigrationDraft>()(
  z.object({
    name: migrationNameSchema,
    source: z.string(),
    target: z.string(),
    selection: selectionSchema,
    rules: z.array(mappingRuleSchema).max(200),
    overrideParams: overrideParamsSchema,
    freeze: z.boolean(),
    waveSize: z.number().int().min(waveSizeBounds.min).max(waveSizeBounds.max).nullable(),
  }),
);

export const placementSchema = schemaOf<Placement>()(
  z.object({
    namespace: groupPathSchema,
    path: referenceSchema,
    name: referenceSchema.nullable(),
    overwrite: z.boolean(),
    overrideParams: overrideParamsSchema,
  }),
);

export const migratingProjectSchema = schemaOf<MigratingProject>()(
  z.object({
    sourceId: z.number().int(),
    sourcePath: z.string(),
    wave: z.number().int(),
    placement: placementSchema,
    conflicts: z.array(z.string()),
    state: z.enum(migratingStates),
    waitsFor: z.string().nullable(),
    error: errorDataSchema.nullable(),
    exportJob: z.string().nullable(),
    importJob: z.string().nullable(),
    retryJobs: z.array(z.string()),
    archiveId: z.string().nullable(),
    targetId: z.number().int().nullable(),
    targetPath: z.string().nullable(),
    targetUrl: z.string().nullable(),
    failures: z.object({ open: z.number().int(), total: z.number().int(), truncated: z.boolean() }),
    missing: z.number().int().nullable(),
    accepted: z.number().int(),
    changedSince: z.string().nullable(),
    frozen: z.boolean(),
  }),
);

export const migrationSchema = schemaOf<Migration>()(
  migrationDraftSchema.extend({
    id: z.string(),
    createdAt: z.string(),
    status: z.enum(migrationStatuses),
    wave: z.object({ current: z.number().int(), total: z.number().int() }),
    projects: z.record(z.enum(migratingStates), z.number().int()),
    accepted: z.number().int(),
    check: z.object({ at: z.string(), blockers: z.number().int(), overridden: z.number().int() }).nullable(),
  }),
);

export const preflightFindingSchema = schemaOf<PreflightFinding>()(
  z.object({
    id: z.string(),
    code: z.string(),
    severity: z.enum(preflightSeverities),
    project: z.string().nullable(),
    message: z.string(),
    advice: z.string(),
    overridden: z.object({ at: z.string(), note: z.string() }).nullable(),
  }),
);

export const plannedWriteSchema = schemaOf<PlannedWrite>()(
  z.object({
    instance: z.string(),
    method: z.enum(['POST', 'PUT']),
    path: z.string(),
    does: z.string(),
    project: z.string().nullable(),
  }),
);

export const waveForecastSchema = schemaOf<WaveForecast>()(
  z.object({
    wave: z.number().int(),
    projects: z.number().int(),
    startsAt: z.string(),
    endsAt: z.string(),
  }),
);

export const migrationCheckSchema = schemaOf<MigrationCheck>()(
  z.object({
    at: z.string(),
    findings: z.array(preflightFindingSchema),
    missingGroups: z.array(z.string()),
    writes: z.array(plannedWriteSchema),
    forecast: z.array(waveForecastSchema),
  }),
);
