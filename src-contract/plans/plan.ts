/**
 * @file The noun *plan*: which projects to back up, when, how long to keep; and the status of its schedule.
 */
import { retentionPeriods, type RetentionLimit } from './retention-periods.ts';
import type { ErrorData } from '../errors.ts';
import type { ArchiveSummary } from '../archives/archive.ts';
import type { Hooks } from './hook.ts';
import type { RunOutcome } from '../runs/run.ts';
import type { RuleConditions } from './options/rule.ts';
import type { PlanSettings } from './options/settings.ts';
import type { Scope } from '../projects/scope.ts';

/**
 * Projects that a plan backs up. `all` and `rule` are resolved at each firing, among the projects of the
 * scope whose role allows exports; a rule keeps those for which every condition that is not null holds.
 */
export type Selection =
  | { kind: 'all'; scope: Scope }
  | {
      kind: 'projects';
      /** By id, so that a renamed project stays; the path is the one it had when it was chosen. */
      projects: { id: number; fullPath: string }[];
    }
  | RuleSelection;

interface RuleSelection extends RuleConditions {
  kind: 'rule';
  scope: Scope;
}

type ScheduleIn<Zone> =
  | { kind: 'hourly'; minute: number; timeZone: Zone }
  | { kind: 'daily'; at: string; timeZone: Zone }
  /** Monday is 1, Sunday 7, as ISO 8601 counts. */
  | { kind: 'weekly'; weekdays: number[]; at: string; timeZone: Zone }
  /** A month without that day has its due time on its last one. */
  | { kind: 'monthly'; day: number; at: string; timeZone: Zone }
  /** Five fields: minute, hour, day of month, month, day of week. */
  | { kind: 'cron'; expression: string; timeZone: Zone };

/**
 * When a plan is due. A time skipped by daylight saving is due at the next valid one; a repeated one is due
 * once.
 */
export type Schedule = ScheduleIn<string>;

/** The schedule as a person gives it. Without a zone, the zone of the machine that runs plans applies. */
export type ScheduleDraft = ScheduleIn<string | null>;

/**
 * The archives to keep of each project: one is kept where any of these keeps it. All null keeps every
 * archive. Periods that have an archive are counted, newest first, in the time zone of the schedule; the
 * newest archive of each stays.
 */
export type Retention = Record<RetentionLimit, number | null>;

/** `pausedUntil` of a plan that is paused until somebody resumes it. */
export const endlessPauseUntil = '9999-12-31T00:00:00.000Z';

export interface Plan extends PlanSettings {
  id: string;
  /** Unique among plans, regardless of the case of its letters. */
  name: string;
  /** Name of the instance. */
  instance: string;
  selection: Selection;
  schedule: Schedule;
  retention: Retention;
  /** Absolute path of the archive folder that its archives go to; null: the one of the settings. */
  archiveRoot: string | null;
  /** Programs that are run before and after each run. */
  hooks: Hooks;
  /** Receives a GET after each run that succeeded; the address itself is a secret in the keychain. */
  heartbeat: { origin: string } | null;
  /** The plan does not fire before this time; ISO 8601 UTC. Missed runs are caught up once afterwards. */
  pausedUntil: string | null;
  /** The due time that is skipped, once; ISO 8601 UTC. */
  skippedDue: string | null;
  createdAt: string;
}

/** The input of a person: adds a plan (`id` null) or replaces one. */
export interface PlanDraft extends PlanSettings, Pick<Plan, 'name' | 'instance' | 'selection' | 'retention'> {
  id: string | null;
  schedule: ScheduleDraft;
  /** A folder that is no archive folder yet becomes one. Null: that of the settings; left out: what it has stays. */
  archiveRoot?: string | null | undefined;
  /** Absent: the existing ones stay. Only the command line and the desktop window may change them. */
  hooks?: Hooks | undefined;
  /** The address; null removes it; absent: the existing one stays. */
  heartbeat?: { secretAddress: string } | null | undefined;
}

/** A plan as `settings.json` keeps it. A plan without a name has the name of its instance. */
export interface StoredPlan extends Plan {
  /** When the schedule was last set or switched on; what was due up to then is not caught up. ISO 8601 UTC. */
  activeSince: string;
}

/** A plan with its status from the clock and the history. All times ISO 8601 UTC. */
export interface PlanStatus {
  plan: Plan;
  /** Null while the plan is off. */
  nextRunAt: string | null;
  lastRun: { runId: string; dueAt: string; startedAt: string; outcome: RunOutcome } | null;
  /**
   * Set while the program before a run is running, in any process; `cancelling`: somebody asked to end it.
   */
  beginning: { since: string; cancelling: boolean } | null;
  /** Set when the last due time passed without a run: since when, and why it could not start, if known. */
  overdue: { since: string; error: ErrorData | null } | null;
}

/** One day of a plan's history, in the time zone of its schedule. */
export interface PlanDay {
  /** YYYY-MM-DD. */
  date: string;
  /**
   * The worst result of the day's runs; `missed` when one was due and none ran, null when nothing was due.
   */
  outcome: RunOutcome | 'missed' | null;
  /** The run with that result. */
  runId: string | null;
}

/** Why an archive is kept or removed. */
export const retentionReasons = [
  'among-newest',
  'recent',
  ...retentionPeriods,
  'more-complete',
  'more-proven',
  'no-limit',
  'pinned',
  'in-use',
  'dated-ahead',
  'taken-in',
  'elsewhere',
  'other-plan',
  'newest-readable',
  'newest-not-readable',
  'newest-damaged',
  'newest-shrank',
  'beyond-limits',
] as const;
export type RetentionReason = (typeof retentionReasons)[number];

/** The effect of pruning now on the archives of one project, newest first. */
export interface PrunePreview {
  project: string;
  archives: PrunedArchive[];
}

interface PrunedArchive extends Pick<
  ArchiveSummary,
  'id' | 'storedAt' | 'sizeBytes' | 'condition' | 'proof' | 'damaged'
> {
  keep: boolean;
  reason: RetentionReason;
}
