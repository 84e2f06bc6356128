/** @file Checks whether a migration can be started, and resets the failed jobs of projects for a retry. */
import { AppError, type ErrorData, type ErrorDetails } from '../../../src-contract/errors.ts';
import type { StoredProject } from '../../catalogue/migrations/migrating-rows.ts';
import type { StoredMigration } from '../../catalogue/migrations/project-migrations.ts';
import { findFailedJob, isPossiblyArchived, jobKindsToRepeat } from '../../jobs/migrations/migrating.ts';
import type { GroupMaking } from './group-making.ts';
import type { MigrationStatusReader } from './migration-status.ts';
import { assertHasProjects } from './migration-validation.ts';
import type { SharedDeps } from '../shared-deps.ts';

export interface StartDeps extends Pick<SharedDeps, 'migrationJobs' | 'projectMigrations'> {
  status: Pick<MigrationStatusReader, 'statusOf'>;
  groups: Pick<GroupMaking, 'findMissing'>;
  overriddenFindings(id: string): ReadonlySet<string>;
}

/**
 * Throws `migration-blocked` while a finding of the check blocks the migration, unless a person overrode the finding.
 */
export function assertReady(
  deps: StartDeps,
  { id, draft, check }: StoredMigration,
  createGroups: boolean,
): void {
  const blocked = (why: string, details: ErrorDetails = {}): AppError =>
    new AppError('migration-blocked', why, { details: { migration: draft.name, ...details } });
  assertHasProjects(draft.name, deps.projectMigrations.projects(id));
  if (check === null) throw blocked(`"${draft.name}" has not been checked since its last change.`);
  const overridden = deps.overriddenFindings(id);
  const [first, ...more] = check.blockers.filter((finding) => !overridden.has(finding));
  if (first !== undefined) {
    const others = more.length === 0 ? '' : ` and ${more.length} more`;
    throw blocked(`Findings of the check block the migration: ${first}${others}.`);
  }
  const [missingGroup] = createGroups ? [] : deps.groups.findMissing(id, check.missingGroups);
  if (missingGroup !== undefined) {
    throw blocked(`The target lacks the group ${missingGroup.path}, and creating groups was not allowed.`, {
      lacksGroups: true,
    });
  }
}

/** Throws `invalid-input` for a migration that is a draft or was cancelled. Neither can be paused or cancelled. */
export function assertStarted({ draft, status }: StoredMigration): void {
  if (status !== 'draft' && status !== 'cancelled') return;
  throw new AppError('invalid-input', `"${draft.name}" is not in progress.`, { details: { wrong: 'state' } });
}

/**
 * Resets projects whose error `isRetryable` accepts, so that their migration continues with the failed job. A cancelled
 * project restarts with its first job, because its source may have changed meanwhile.
 */
export function retryProjects(
  { projectMigrations, migrationJobs, status }: StartDeps,
  id: string,
  projects: readonly StoredProject[],
  isRetryable: (error: ErrorData | null) => boolean,
): void {
  for (let project of projects) {
    for (;;) {
      const projectStatus = status.statusOf(id, project);
      const failed = findFailedJob(projectStatus);
      if (failed !== null && !isRetryable(failed.error)) break;
      const expected = {
        thaw: project.jobs.thaw?.jobId ?? null,
        mayBeArchived: isPossiblyArchived(projectStatus),
      };
      if (migrationJobs.resetMoves(id, project.sourceId, jobKindsToRepeat(projectStatus), expected)) break;
      project = projectMigrations.project(id, String(project.sourceId));
    }
  }
}
