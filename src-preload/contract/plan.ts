/** @file The noun *plan*: what to back up, when, how long to keep; and how its schedule stands. */
import { errorDataSchema } from './errors.ts';
import { runOutcomes } from './run.ts';
import { z } from './schema.ts';

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

export const planSchema = z.object({
  id: z.string(),
  /** Name of the instance. */
  instance: z.string(),
  /** All projects the account is a member of with a role that allows exports, looked up at each firing. */
  selection: z.object({ kind: z.literal('all') }),
  /** A time that daylight saving skips fires at the next valid one, one that comes twice fires once. */
  schedule: z.object({ kind: z.literal('daily'), at: timeOfDaySchema, timeZone: timeZoneSchema }),
  /** Newest archives kept of each project; null keeps all. */
  retention: z.object({ keepLast: z.number().int().min(1).max(1000).nullable() }),
  enabled: z.boolean(),
  createdAt: z.string(),
});
export type Plan = z.infer<typeof planSchema>;

/** A plan as `settings.json` keeps it. */
export const storedPlanSchema = planSchema.extend({
  /** When the schedule was last set or switched on; what was due up to then is not caught up. ISO 8601 UTC. */
  activeSince: z.string(),
});
export type StoredPlan = z.infer<typeof storedPlanSchema>;

/** A plan with what follows from the clock and the history. All times ISO 8601 UTC. */
export const planStandingSchema = z.object({
  plan: planSchema,
  /** Null while the plan is off. */
  nextRunAt: z.string().nullable(),
  lastRun: z
    .object({ runId: z.string(), dueAt: z.string(), startedAt: z.string(), outcome: z.enum(runOutcomes) })
    .nullable(),
  /** Set when the last due time passed without a run: since when, and why it could not start, where that is known. */
  overdue: z.object({ since: z.string(), error: errorDataSchema.nullable() }).nullable(),
});
export type PlanStanding = z.infer<typeof planStandingSchema>;
