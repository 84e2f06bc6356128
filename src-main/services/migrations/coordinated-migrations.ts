/** @file Implements the port through which the migration coordinator reads migrations and creates their jobs. */
import type { AppError } from '../../../src-contract/errors.ts';
import type { JobKind } from '../../../src-contract/runs/job.ts';
import type { MigrationChecks } from '../../catalogue/migrations/migration-checks.ts';
import { isIdle, type MigrationJobKind } from '../../jobs/migrations/migrating.ts';
import type {
  MigrationsPort,
  MigrationJob,
  ActiveMigration,
  ActiveProject,
} from '../../jobs/migrations/migration-ports.ts';
import type { GroupMaking } from './group-making.ts';
import type { MigrationStatusReader } from './migration-status.ts';
import type { SharedDeps } from '../shared-deps.ts';
import { Service } from '../service.ts';

export interface CoordinatedMigrationDeps extends Pick<
  SharedDeps,
  'clock' | 'migrationJobs' | 'projectMigrations'
> {
  status: Pick<MigrationStatusReader, 'statusOf'>;
  groups: Pick<GroupMaking, 'isInProgress' | 'createJobs'>;
  compare: MigrationsPort['compare'];
  checks: Pick<MigrationChecks, 'projectBlockers'>;
  overriddenFindings(id: string): ReadonlySet<string>;
  firstStep: (kind: JobKind) => string;
  wake: () => void;
}

export class CoordinatedMigrations extends Service<CoordinatedMigrationDeps> implements MigrationsPort {
  readonly compare: MigrationsPort['compare'];

  constructor(deps: CoordinatedMigrationDeps) {
    super(deps);
    this.compare = deps.compare;
  }

  activeMigrations(): ActiveMigration[] {
    const { projectMigrations, groups } = this.deps;
    return projectMigrations
      .activeMigrations()
      .map((migration) => ({ ...migration, waitsForGroups: groups.isInProgress(migration.id) }));
  }

  markIdle(id: string): void {
    const { projectMigrations, groups, status: projectStatus } = this.deps;
    projectMigrations.markIdle(id, () => {
      const { status, draft } = projectMigrations.get(id);
      const projects = projectMigrations.projects(id).map((project) => projectStatus.statusOf(id, project));
      return !groups.isInProgress(id) && isIdle(status, projects, draft.freeze);
    });
  }

  projects(id: string): ActiveProject[] {
    const { projectMigrations, status } = this.deps;
    return projectMigrations.projects(id).map((project) => ({
      ...status.statusOf(id, project),
      sourcePath: project.sourcePath,
      placement: project.placement,
      target: project.target,
      archive: project.archive,
    }));
  }

  projectBlockers(id: string): ReadonlySet<string> {
    const overridden = this.deps.overriddenFindings(id);
    return new Set(this.deps.checks.projectBlockers(id).filter((finding) => !overridden.has(finding)));
  }

  createGroupJobs(id: string): boolean {
    const { projectMigrations, groups } = this.deps;
    return groups.createJobs(id, projectMigrations.get(id).draft.target);
  }

  createOrJoinJob(
    id: string,
    project: { sourceId: number; wave: number },
    jobKind: MigrationJobKind,
    job: MigrationJob,
  ): boolean {
    const { migrationJobs, clock, firstStep, wake } = this.deps;
    const draft = { ...job, firstStep: firstStep(job.kind) };
    const created = migrationJobs.enqueueJob(id, project, jobKind, draft, clock.now());
    if (created !== null) wake();
    return created !== null;
  }

  recordComparisonFailure(id: string, sourceId: number, error: AppError): void {
    this.deps.projectMigrations.recordComparisonError(id, sourceId, error.toData());
  }
}
