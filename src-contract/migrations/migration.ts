/**
 * @file The noun *migration*: a set of projects moved from one instance to another in waves, and the result
 * for each.
 */
import type { ErrorData } from '../errors.ts';
import type { Selection } from '../plans/plan.ts';

/**
 * The target of projects below a source group, including its subgroups. The longest matching `from` decides;
 * empty is every group.
 */
export interface MappingRule {
  from: string;
  to: string;
}

/** The settings of a migration; they may be changed until it was started. */
export interface MigrationDraft {
  /** Unique among migrations, regardless of the case of its letters. */
  name: string;
  /** Names of two instances; they may be the same one. */
  source: string;
  target: string;
  selection: Selection;
  /** A project without a matching rule keeps its group. */
  rules: MappingRule[];
  /** For every project; a project's own overrides are added to these. */
  overrideParams: Record<string, string>;
  /** Mark each source project as archived before its export, so that nobody works on it any more; undone where it fails. */
  freeze: boolean;
  /** Projects per wave; null: one wave. */
  waveSize: number | null;
}

/**
 * `planned`: nothing was asked for yet; `left-out` by a person; `finishing`: imported, and the steps after it
 * are in progress; `arrived`: the numbers and names in source, archive and target agree, except for accepted
 * differences, and no failure is open; contents are compared by no version yet, and hosts say so; `differs`:
 * imported, with open failures or something missing.
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

/** The placement of one project, before anything is requested. */
export interface Placement {
  namespace: string;
  path: string;
  /** Null: GitLab takes the path. */
  name: string | null;
  /** Replaces the existing project; needs a confirmation of its own. */
  overwrite: boolean;
  overrideParams: Record<string, string>;
}

/** One project of a migration. */
export interface MigratingProject {
  sourceId: number;
  sourcePath: string;
  /** Counted from 1. */
  wave: number;
  placement: Placement;
  /** Sentences: a path that GitLab reserves, or that another project of this migration would take. */
  conflicts: string[];
  state: MigratingState;
  /** Why nothing moves at the moment, as a sentence; null while something moves, and after the end. */
  waitsFor: string | null;
  error: ErrorData | null;
  exportJob: string | null;
  importJob: string | null;
  /** Relation imports after the import, oldest first. */
  retryJobs: string[];
  archiveId: string | null;
  targetId: number | null;
  targetPath: string | null;
  targetUrl: string | null;
  failures: { open: number; total: number; truncated: boolean };
  /** Number of records and parts of records that are missing on the target; null before the comparison. */
  missing: number | null;
  /** Losses that somebody accepted: listed failures, and differences that the last comparison still shows. */
  accepted: number;
  /** Last activity on the source after its export began; ISO 8601 UTC. Null: none, or not checked. */
  changedSince: string | null;
  /**
   * Packhorse marked the source as archived, or may have: the response to that was lost, and the mark was not
   * removed yet.
   */
  frozen: boolean;
}

/** `draft`: never started; `ended`: every project that was not left out has come to an end. */
export const migrationStatuses = ['draft', 'running', 'paused', 'ended', 'cancelled'] as const;
export type MigrationStatus = (typeof migrationStatuses)[number];

export interface Migration extends MigrationDraft {
  id: string;
  createdAt: string;
  status: MigrationStatus;
  /** The wave in progress, and how many there are; 0 before the start. */
  wave: { current: number; total: number };
  /** Projects by state; every state is present. */
  projects: Record<MigratingState, number>;
  /** Total of accepted losses. */
  accepted: number;
  /**
   * The last complete `migration.check`: when it ended, and how many of its blockers are open and overridden.
   */
  check: { at: string; blockers: number; overridden: number } | null;
}

/** `blocker`: it will fail, or lose something for sure; `warning`: it may; `info`: good to know. */
export const preflightSeverities = ['blocker', 'warning', 'info'] as const;
export type PreflightSeverity = (typeof preflightSeverities)[number];

/** One result of the checks before a migration. */
export interface PreflightFinding {
  /** The same for the same finding of a later check, so that an override stays. */
  id: string;
  code: string;
  severity: PreflightSeverity;
  /** Path on the source; null where it is about the whole migration. */
  project: string | null;
  /** The finding and the advice: a sentence each. */
  message: string;
  advice: string;
  overridden: { at: string; note: string } | null;
}

/** Data that an export never carries, as far as an instance counts it for a project (gitlab-facts 7). */
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

/** A request that a migration would make, in order. `path` is below `/api/v4`. */
export interface PlannedWrite {
  instance: string;
  method: 'POST' | 'PUT';
  path: string;
  /** The effect, as a sentence. */
  does: string;
  project: string | null;
}

/**
 * The expected begin and end of a wave, from the limits of both instances and from earlier exports; ISO 8601
 * UTC.
 */
export interface WaveForecast {
  wave: number;
  projects: number;
  startsAt: string;
  endsAt: string;
}

/** The findings of the checks before a migration. */
export interface MigrationCheck {
  /** ISO 8601 UTC. */
  at: string;
  /** Blockers first, then warnings. */
  findings: PreflightFinding[];
  /** Groups that the target lacks, outermost first. */
  missingGroups: string[];
  writes: PlannedWrite[];
  /** Empty where the duration of exports there is unknown. */
  forecast: WaveForecast[];
}
