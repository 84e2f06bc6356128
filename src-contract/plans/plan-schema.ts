/** @file The schemas of `plan.ts`. */
import { maxNameLength, planBounds } from '../bounds.ts';
import { archiveSummarySchema } from '../archives/archive-schema.ts';
import { errorDataSchema } from '../errors-schema.ts';
import { urlSchema, idSchema } from '../ids-schema.ts';
import { pathSchema } from '../path-schema.ts';
import { scopes } from '../projects/scope.ts';
import { fieldsOf } from '../option-schema.ts';
import { ruleConditions } from './options/rule.ts';
import { planSettings } from './options/settings.ts';
import { hooksSchema } from './hook-schema.ts';
import { noHooks } from './hook.ts';
import { mapLimits, boundsOf, type RetentionLimit } from './retention-periods.ts';
import { runOutcomes } from '../runs/run.ts';
import { z } from '../schema.ts';
import { retentionReasons } from './plan.ts';

export const timeOfDaySchema = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'write it as HH:MM, for example 02:30');

/** A time zone of the IANA database that this program contains, such as `Europe/Berlin` or `UTC`. */
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

/**
 * The projects that a plan backs up. `all` and `rule` are resolved at the start of each run, among the projects of the
 * scope that the account may export. A rule matches projects that meet every non-null condition.
 */
export const selectionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('all'), scope: scopeSchema }),
  z.object({
    kind: z.literal('projects'),
    /**
     * Projects are identified by id, so that a renamed project stays. `fullPath` is the path at the time of the choice.
     */
    projects: z
      .array(z.object({ id: z.number().int().positive(), fullPath: fullPathSchema }))
      .min(1)
      .max(5000),
  }),
  z.object({ kind: z.literal('rule'), scope: scopeSchema, ...fieldsOf(ruleConditions) }),
]);

const minuteSchema = z.number().int().min(planBounds.minute.min).max(planBounds.minute.max);

/** Monday is 1 and Sunday is 7, as in ISO 8601. */
const weekdaySchema = z.number().int().min(1).max(7);

function createScheduleSchema<Zone extends z.ZodType>(timeZone: Zone) {
  const at = timeOfDaySchema;
  return z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('hourly'), minute: minuteSchema, timeZone }),
    z.object({ kind: z.literal('daily'), at, timeZone }),
    z.object({ kind: z.literal('weekly'), weekdays: z.array(weekdaySchema).min(1).max(7), at, timeZone }),
    /** In a month without that day, the plan is due on the last day. */
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

/** When a plan is due. A time that daylight saving skips is due at the next valid time; a repeated time is due once. */
export const scheduleSchema = createScheduleSchema(timeZoneSchema);

/** The schedule as a user enters it. Without a zone, the zone of the machine that runs plans applies. */
export const scheduleDraftSchema = createScheduleSchema(timeZoneSchema.nullable());

const limitSchema = (name: RetentionLimit) =>
  z.number().int().min(boundsOf(name).min).max(boundsOf(name).max).nullable().default(null);

/**
 * The archives to keep of each project. An archive is kept if any limit keeps it; without limits, all are kept. A limit
 * on periods counts periods with an archive, newest first, in the schedule's time zone, and keeps the newest of each.
 */
export const retentionSchema = z.object(mapLimits(limitSchema));

export const planNameSchema = z
  .string()
  .trim()
  .min(1, 'give the plan a name')
  .max(maxNameLength, `a name has at most ${maxNameLength} characters`);

export const planSchema = z.object({
  id: z.string(),
  /** Unique among plans, case-insensitive. */
  name: planNameSchema,
  /** Name of the instance. */
  instance: z.string().max(4096),
  selection: selectionSchema,
  schedule: scheduleSchema,
  retention: retentionSchema,
  /** Absolute path of the folder for the plan's archives; null for the folder in the settings. */
  archiveRoot: z.string().nullable().default(null),
  ...fieldsOf(planSettings),
  /** Programs that are run before and after each run. */
  hooks: hooksSchema.default(noHooks),
  /**
   * Set if an address is requested with GET after each successful run. The address itself is a secret in the keychain.
   */
  heartbeat: z.object({ origin: z.string() }).nullable().default(null),
  /** The plan does not run before this time; ISO 8601 UTC. Afterwards, a single run replaces all missed runs. */
  pausedUntil: z.string().nullable().default(null),
  /** The next due time, if it is skipped; ISO 8601 UTC. */
  skippedDue: z.string().nullable().default(null),
  createdAt: z.string(),
});

/** The input of a user, which adds a plan (`id` null) or replaces one. */
export const planDraftSchema = planSchema
  .pick({ name: true, instance: true, selection: true, retention: true })
  .extend({
    ...fieldsOf(planSettings),
    id: idSchema.nullable(),
    schedule: scheduleDraftSchema,
    /**
     * A new folder becomes an archive folder. Null means the folder in the settings. If absent, the present one stays.
     */
    archiveRoot: pathSchema('archive-root').nullable().optional(),
    /** If absent, the existing hooks stay. Only the command line and the desktop window may change them. */
    hooks: hooksSchema.optional(),
    /** The address of the heartbeat. Null removes it; if absent, the existing one stays. */
    heartbeat: z.object({ secretAddress: urlSchema }).nullable().optional(),
  });

/** A plan as `settings.json` stores it. A plan without a name gets the name of its instance. */
export const storedPlanSchema = z.preprocess(
  (value) =>
    typeof value === 'object' && value !== null && 'instance' in value && !('name' in value)
      ? { ...value, name: value.instance }
      : value,
  planSchema.extend({
    /** When the schedule was last set or switched on; ISO 8601 UTC. Earlier due times are not caught up. */
    activeSince: z.string(),
  }),
);

/** A plan with its status from the clock and the history. All times ISO 8601 UTC. */
export const planStatusSchema = z.object({
  plan: planSchema,
  /** Null while the plan is off. */
  nextRunAt: z.string().nullable(),
  lastRun: z
    .object({ runId: z.string(), dueAt: z.string(), startedAt: z.string(), outcome: z.enum(runOutcomes) })
    .nullable(),
  /** Set while any process runs the hook before a run. `cancelling`: a user has requested that the hook ends. */
  beginning: z.object({ since: z.string(), cancelling: z.boolean() }).nullable(),
  /** Set if the last due time passed without a run. `since` is that due time; `error` is the reason, if known. */
  overdue: z.object({ since: z.string(), error: errorDataSchema.nullable() }).nullable(),
});

/** One day of a plan's history, in the time zone of its schedule. */
export const planDaySchema = z.object({
  /** YYYY-MM-DD. */
  date: z.string(),
  /** The worst result of the day's runs; `missed` if a run was due and none ran; null if nothing was due. */
  outcome: z.enum([...runOutcomes, 'missed']).nullable(),
  /** The run with that result. */
  runId: z.string().nullable(),
});

/** The effect of pruning now on the archives of one project, newest first. */
export const prunePreviewSchema = z.object({
  project: z.string(),
  archives: z.array(
    archiveSummarySchema
      .pick({ id: true, storedAt: true, sizeBytes: true, condition: true, proof: true, damaged: true })
      .extend({ keep: z.boolean(), reason: z.enum(retentionReasons) }),
  ),
});
