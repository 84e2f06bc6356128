/** @file The noun *migration*: a set of projects moved from one instance to another in waves, and what came of each. */
import type { ErrorData } from '../errors.ts';
import type { Selection } from '../plans/plan.ts';

/** Where the projects below a source group go, their own subgroups with them. The longest `from` that holds decides; empty is every group. */
export interface MappingRule {
  from: string;
  to: string;
}

/** How a migration is meant to go; it may be changed until it was started. */
export interface MigrationDraft {
  /** Unique among migrations, regardless of the case of its letters. */
  name: string;
  /** Names of two instances; they may be the same one. */
  source: string;
  target: string;
  selection: Selection;
  /** A project that no rule is about keeps its group. */
  rules: MappingRule[];
  /** For every project; one's own come on top. */
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

/** Where one project goes, before anything is asked for. */
export interface Placement {
  namespace: string;
  path: string;
  /** Null: GitLab takes the path. */
  name: string | null;
  /** Replace the project that is there; needs a confirmation of its own. */
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
  /** Why nothing moves at the moment, as a sentence; null where something does, or has ended. */
  waitsFor: string | null;
  error: ErrorData | null;
  exportJob: string | null;
  importJob: string | null;
  /** Relation imports that followed, oldest first. */
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
  /** We marked the source as archived, or may have: the answer to that was lost, and it was not taken away yet. */
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
  /** Losses of all of them that somebody accepted. */
  accepted: number;
  /** When `migration.check` last came to its end, how many of its blockers nobody has overridden, and how many somebody has. */
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

/** A request that a migration would make, in the order in which it would. `path` is below `/api/v4`. */
export interface PlannedWrite {
  instance: string;
  method: 'POST' | 'PUT';
  path: string;
  /** The effect, as a sentence. */
  does: string;
  project: string | null;
}

/** When a wave is expected to begin and to end, from the limits of both instances and from earlier exports; ISO 8601 UTC. */
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
  /** Empty where nothing is known of how long exports take there. */
  forecast: WaveForecast[];
}
