/** @file The noun *migration*: copying projects from one instance to another in waves, with a result for each. */
import type { z } from '../schema.ts';
import type * as schemas from './migration-schema.ts';

export type MappingRule = z.output<typeof schemas.mappingRuleSchema>;
export type MigrationDraft = z.output<typeof schemas.migrationDraftSchema>;
export type Placement = z.output<typeof schemas.placementSchema>;
export type MigratingProject = z.output<typeof schemas.migratingProjectSchema>;
export type Migration = z.output<typeof schemas.migrationSchema>;
export type PreflightFinding = z.output<typeof schemas.preflightFindingSchema>;
export type PlannedWrite = z.output<typeof schemas.plannedWriteSchema>;
export type WaveForecast = z.output<typeof schemas.waveForecastSchema>;
export type MigrationCheck = z.output<typeof schemas.migrationCheckSchema>;

/**
 * `planned`: nothing was requested yet; `left-out`: excluded by a user; `finishing`: imported, and the later steps are
 * in progress; `arrived`: the comparison found no difference, except for accepted ones, and no failure is open. The depth
 * of the project says whether contents were compared completely or in part. `uncompared`: like `arrived`, but contents
 * were not compared. `differs`: imported, with open failures or missing data.
 */
export const migratingStates = [
  'planned',
  'left-out',
  'exporting',
  'importing',
  'finishing',
  'arrived',
  'uncompared',
  'differs',
  'failed',
  'cancelled',
] as const;
export type MigratingState = (typeof migratingStates)[number];

/** Returns whether a project arrived, but its contents were compared only in part. */
export const isComparedInPart = ({ state, depth }: Pick<MigratingProject, 'state' | 'depth'>): boolean =>
  state === 'arrived' && depth !== 'contents';

export type ProjectCounts = Pick<Migration, 'projects' | 'comparedInPart' | 'arrivedWithUnlistedFailures'>;

/** Counts projects by state, and the arrived ones that need a remark. */
export function countProjects(
  projects: readonly Pick<MigratingProject, 'state' | 'depth' | 'failures'>[],
): ProjectCounts {
  const byState = Object.fromEntries(migratingStates.map((state) => [state, 0])) as ProjectCounts['projects'];
  for (const { state } of projects) byState[state] += 1;
  const arrived = projects.filter(({ state }) => state === 'arrived');
  return {
    projects: byState,
    comparedInPart: arrived.filter(isComparedInPart).length,
    arrivedWithUnlistedFailures: arrived.filter(({ failures }) => failures.hasUnlisted).length,
  };
}

/** `draft`: never started; `ended`: every project is in a final state, except those left out. */
export const migrationStatuses = ['draft', 'running', 'paused', 'ended', 'cancelled'] as const;

/** `blocker`: the import will fail or lose data; `warning`: it may fail or lose data; `info`: good to know. */
export const preflightSeverities = ['blocker', 'warning', 'info'] as const;

/** Returns whether the finding prevents the start, and is not overridden. */
export const preventsStart = ({ severity, blocksOnlyProject, overridden }: PreflightFinding): boolean =>
  severity === 'blocker' && blocksOnlyProject !== true && overridden === null;

/** Returns whether the finding prevents only its own project from moving, and is not overridden. */
export const preventsProject = ({ severity, blocksOnlyProject, overridden }: PreflightFinding): boolean =>
  severity === 'blocker' && blocksOnlyProject === true && overridden === null;

/** Data that no export contains and that an instance can count for a project (gitlab-facts 7). */
export const notExportedKinds = [
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
export type NotExportedKind = (typeof notExportedKinds)[number];

/** The counts of a project. Null if the data cannot be counted, because the feature is off or the role is too low. */
export type NotExportedCounts = Record<NotExportedKind, number | null>;
