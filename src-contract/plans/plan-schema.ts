/** @file The schemas of `plan.ts`. */
import { maxNameLength, planBounds } from '../bounds.ts';
import { archiveSummarySchema } from '../archives/archive-schema.ts';
import { errorDataSchema } from '../errors-schema.ts';
import { addressSchema, idSchema } from '../ids-schema.ts';
import { pathTo } from '../path-schema.ts';
import { scopes } from '../projects/scope.ts';
import { fieldsOf } from '../option-schema.ts';
import { ruleConditions } from './options/rule.ts';
import { planSettings } from './options/settings.ts';
import { hooksSchema } from './hook-schema.ts';
import { noHooks } from './hook.ts';
import { forEachLimit, boundsOf, type RetentionLimit } from './retention-periods.ts';
import { runOutcomes } from '../runs/run.ts';
import { z, schemaOf } from '../schema.ts';
import {
  type Selection,
  type Schedule,
  type ScheduleDraft,
  type Retention,
  type Plan,
  type PlanDraft,
  type StoredPlan,
  type PlanStatus,
  type PlanDay,
  type PrunePreview,
  retentionReasons,
} from './plan.ts';

export const timeOfDaySchema = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'write it as HH:MM, for example 02:30');

/** A name of the time zone database that this program's own copy knows, such as `Europe/Berlin` or `UTC`. */
export const timeZoneSchema = z
  .string()
  .refine(isTimeZone, 'name a time zone of the IANA database, for example Europe/Berlin');

function isTimeZone(name: string): boolean {
  try {
    return /^[a-z]/i.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}

const fullPathSchema = z.string().trim().min(1).max(255);

export const scopeSchema = z.enum(scopes).default('member');

export const selectionSchema = schemaOf<Selection>()(
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('all'), scope: scopeSchema }),
    z.object({
      kind: z.literal('projects'),
      projects: z
        .array(z.object({ id: z.number().int().positive(), fullPath: fullPathSchema }))
        .min(1)
        .max(5000),
    }),
    z.object({
      kind: z.literal('rule'),
      scope: scopeSchema,
      ...fieldsOf(ruleConditions),
    }),
  ]),
);

const minuteSchema = z.number().int().min(planBounds.minute.min).max(planBounds.minute.max);

/** Monday is 1, Sunday 7, as ISO 8601 counts. */
const weekdaySchema = z.number().int().min(1).max(7);

function schedulesIn<Zone extends z.ZodType>(timeZone: Zone) {
  const at = timeOfDaySchema;
  return z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('hourly'), minute: minuteSchema, timeZone }),
    z.object({ kind: z.literal('daily'), at, timeZone }),
    z.object({ kind: z.literal('weekly'), weekdays: z.array(weekdaySchema).min(1).max(7), at, timeZone }),
    /** A month without that day has its due time on its last one. */
    z.object({
      kind: z.literal('monthly'),
      day: z.number().int().min(planBounds.dayOfMonth.min).max(planBounds.dayOfMonth.max),
      at,
      timeZone,
    }),
    /** Five fields: minute, hour, day of month, month, day of week. */
    z.object({ kind: z.literal('cron'), expression: z.string().trim().min(9).max(100), timeZone }),
  ]);
}

export const scheduleSchema = schemaOf<Schedule>()(schedulesIn(timeZoneSchema));

export const scheduleDraftSchema = schemaOf<ScheduleDraft>()(schedulesIn(timeZoneSchema.nullable()));

const limit = (name: RetentionLimit) =>
  z.number().int().min(boundsOf(name).min).max(boundsOf(name).max).nullable().default(null);

export const retentionSchema = schemaOf<Retention>()(z.object(forEachLimit(limit)));

export const planNameSchema = z
  .string()
  .trim()
  .min(1, 'give the plan a name')
  .max(maxNameLength, `a name has at most ${maxNameLength} characters`);

export const planSchema = schemaOf<Plan>()(
  z.object({
    id: z.string(),
    name: planNameSchema,
    instance: z.string().max(4096),
    selection: selectionSchema,
    schedule: scheduleSchema,
    retention: retentionSchema,
    archiveRoot: z.string().nullable().default(null),
    ...fieldsOf(planSettings),
    hooks: hooksSchema.default(noHooks),
    heartbeat: z.object({ origin: z.string() }).nullable().default(null),
    pausedUntil: z.string().nullable().default(null),
    skippedDue: z.string().nullable().default(null),
    createdAt: z.string(),
  }),
);

export const planDraftSchema = schemaOf<PlanDraft>()(
  planSchema
    .pick({
      name: true,
      instance: true,
      selection: true,
      retention: true,
    })
    .extend({
      ...fieldsOf(planSettings),
      id: idSchema.nullable(),
      schedule: scheduleDraftSchema,
      archiveRoot: pathTo('archive-root').nullable().optional(),
      hooks: hooksSchema.optional(),
      heartbeat: z.object({ secretAddress: addressSchema }).nullable().optional(),
    }),
);

export const storedPlanSchema = schemaOf<StoredPlan>()(
  z.preprocess(
    (stored) =>
      typeof stored === 'object' && stored !== null && 'instance' in stored && !('name' in stored)
        ? { ...stored, name: stored.instance }
        : stored,
    planSchema.extend({
      activeSince: z.string(),
    }),
  ),
);

export const planStatusSchema = schemaOf<PlanStatus>()(
  z.object({
    plan: planSchema,
    nextRunAt: z.string().nullable(),
    lastRun: z
      .object({ runId: z.string(), dueAt: z.string(), startedAt: z.string(), outcome: z.enum(runOutcomes) })
      .nullable(),
    beginning: z.object({ since: z.string(), cancelling: z.boolean() }).nullable(),
    overdue: z.object({ since: z.string(), error: errorDataSchema.nullable() }).nullable(),
  }),
);

export const planDaySchema = schemaOf<PlanDay>()(
  z.object({
    date: z.string(),
    outcome: z.enum([...runOutcomes, 'missed']).nullable(),
    runId: z.string().nullable(),
  }),
);

export const prunePreviewSchema = schemaOf<PrunePreview>()(
  z.object({
    project: z.string(),
    archives: z.array(
      archiveSummarySchema
        .pick({ id: true, storedAt: true, sizeBytes: true, condition: true, proof: true, damaged: true })
        .extend({ keep: z.boolean(), reason: z.enum(retentionReasons) }),
    ),
  }),
);
