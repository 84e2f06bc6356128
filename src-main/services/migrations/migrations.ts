/** @file Creates, shows, starts, pauses and cancels migrations. */
import { AppError } from '../../../src-contract/errors.ts';
import type {
  MigratingProject,
  Migration,
  MigrationDraft,
} from '../../../src-contract/migrations/migration.ts';
import type { StoredMigration } from '../../catalogue/migrations/project-migrations.ts';
import { needsUnarchiving } from '../../jobs/migrations/migrating.ts';
import type { ChosenProject } from '../../jobs/plans/selection.ts';
import { placementFor, waveOf } from '../../jobs/migrations/placing.ts';
import type { GroupMaking } from './group-making.ts';
import { assertReady, assertStarted, retryProjects } from './migration-start.ts';
import type { MigrationStatusReader } from './migration-status.ts';
import { validateDraft } from './migration-validation.ts';
import { findMigrationProject } from './placement/find-migration-project.ts';
import { placementsByRules, resolvePlacements, type PlacementChange } from './placement/project-placement.ts';
import type { SharedDeps } from '../shared-deps.ts';
import { Service } from '../service.ts';

export interface MigrationDeps extends Pick<
  SharedDeps,
  'announce' | 'clock' | 'migrationJobs' | 'projectMigrations'
> {
  status: MigrationStatusReader;
  groups: GroupMaking;
  /** Returns the projects of the source that the selection includes and that may be exported. */
  choose(
    source: string,
    selection: MigrationDraft['selection'],
    signal: AbortSignal,
  ): Promise<ChosenProject[]>;
  cancelJob: (jobId: string, cancelledBy: string) => void;
  overriddenFindings(id: string): ReadonlySet<string>;
  wake(): void;
}

/** A `reference` is a migration's id or name. Every method with a reference throws `migration-missing`. */
export class Migrations extends Service<MigrationDeps> {
  /** Newest first. */
  list(): Migration[] {
    const { projectMigrations, status } = this.deps;
    return projectMigrations.list().map((migration) => status.toMigration(migration));
  }

  show(reference: string): Migration {
    const { projectMigrations, status } = this.deps;
    return status.toMigration(projectMigrations.get(reference));
  }

  /** Returns all projects, sorted by path on the source. */
  projects(reference: string): MigratingProject[] {
    const { projectMigrations, status } = this.deps;
    return status.projects(projectMigrations.get(reference));
  }

  /** Returns the import jobs of projects whose differences are all accepted. */
  acceptedImports(): string[] {
    const { projectMigrations, status } = this.deps;
    return projectMigrations
      .projectsWithAcceptances()
      .flatMap(({ id, project }) =>
        project.jobs.import !== undefined && status.isAccepted(id, project)
          ? [project.jobs.import.jobId]
          : [],
      );
  }

  /** Requests the projects from the source. Throws `already-exists`, and the errors of the request. */
  async create(draft: MigrationDraft, signal: AbortSignal): Promise<Migration> {
    validateDraft(draft);
    const projects = await this.#choose(draft, signal);
    return this.#announceChange(
      this.deps.projectMigrations.create(draft, projects, this.deps.clock.now()).id,
    );
  }

  /** Throws `migration-started`. For a new selection, requests the projects from the source. */
  async change(reference: string, changes: Partial<MigrationDraft>, signal: AbortSignal): Promise<Migration> {
    const { projectMigrations } = this.deps;
    const { id, draft: current, status } = projectMigrations.get(reference);
    if (status !== 'draft') throw new AppError('migration-started', `"${current.name}" has already started.`);
    const draft = { ...current, ...changes };
    validateDraft(draft);
    const chosen = changes.selection === undefined ? null : await this.#choose(draft, signal);
    projectMigrations.change(id, draft, chosen);
    const hasNewWaves = changes.waveSize !== undefined;
    if (chosen === null && (changes.rules !== undefined || hasNewWaves)) {
      projectMigrations.place(
        id,
        placementsByRules(projectMigrations.projects(id), current, draft, hasNewWaves),
      );
    }
    return this.#announceChange(id);
  }

  /** Throws `migration-started` while the migration is in progress, or must still unarchive one of its sources. */
  remove(reference: string): void {
    const { projectMigrations, status: migrationStatus, announce } = this.deps;
    const migration = projectMigrations.get(reference);
    const { id, draft } = migration;
    const { status } = migrationStatus.toMigration(migration);
    if (status === 'running' || status === 'paused') {
      throw new AppError('migration-started', `"${draft.name}" has not ended.`);
    }
    const stillArchived = projectMigrations
      .projects(id)
      .find((project) => needsUnarchiving(migrationStatus.statusOf(id, project)));
    if (stillArchived !== undefined) {
      throw new AppError(
        'migration-started',
        `"${draft.name}" cannot be removed yet: ${stillArchived.sourcePath} must be unarchived first.`,
      );
    }
    projectMigrations.remove(id);
    announce('migration.changed', { migrationId: id });
  }

  /** Changes all placements, or none if it throws. Throws the errors of `resolvePlacements`. */
  place(reference: string, changes: readonly PlacementChange[]): void {
    const migration = this.deps.projectMigrations.get(reference);
    this.deps.projectMigrations.place(migration.id, resolvePlacements(this.deps, migration, changes));
    this.#announceChange(migration.id);
  }

  /** Starts a migration, or resumes it after a pause. Throws `migration-blocked`. */
  start(reference: string, createGroups: boolean): Migration {
    const { projectMigrations, groups } = this.deps;
    const migration = projectMigrations.get(reference);
    const { id, check } = migration;
    assertReady(this.deps, migration, createGroups);
    if (createGroups) groups.requestCreation(id, check?.missingGroups ?? []);
    // A person who starts again after an interruption expects the interrupted projects to be included.
    retryProjects(this.deps, id, projectMigrations.projects(id), (error) => error?.code === 'interrupted');
    return this.#setStatus(id, 'running');
  }

  /** Throws `invalid-input` for one that is not in progress. */
  pause(reference: string): Migration {
    const migration = this.deps.projectMigrations.get(reference);
    assertStarted(migration);
    return this.#setStatus(migration.id, 'paused');
  }

  /** Throws `invalid-input` for one that is not in progress. */
  cancel(reference: string, cancelledBy: string): Migration {
    const { projectMigrations, migrationJobs, cancelJob } = this.deps;
    const migration = projectMigrations.get(reference);
    const { id } = migration;
    assertStarted(migration);
    projectMigrations.setStatus(id, 'cancelled');
    // Jobs that unarchive a source are not cancelled.
    const unarchiveJobs = new Set(projectMigrations.projects(id).map(({ jobs }) => jobs.thaw?.jobId));
    for (const job of migrationJobs.openJobs(id)) {
      if (!unarchiveJobs.has(job)) cancelJob(job, cancelledBy);
    }
    return this.#announceChange(id);
  }

  /** Retries a project, or with null every project that failed or was cancelled. Throws `project-missing`. */
  retry(reference: string, projectReference: string | null): Migration {
    const { projectMigrations, groups } = this.deps;
    const { id } = projectMigrations.get(reference);
    const projects =
      projectReference === null
        ? projectMigrations.projects(id)
        : [findMigrationProject(projectMigrations, id, projectReference)];
    retryProjects(this.deps, id, projects, () => true);
    groups.requestCreation(id, []);
    return this.#setStatus(id, 'running');
  }

  #setStatus(id: string, status: StoredMigration['status']): Migration {
    this.deps.projectMigrations.setStatus(id, status);
    return this.#announceChange(id);
  }

  #announceChange(id: string): Migration {
    this.deps.announce('migration.changed', { migrationId: id });
    this.deps.wake();
    return this.show(id);
  }

  async #choose(draft: MigrationDraft, signal: AbortSignal) {
    const chosen = await this.deps.choose(draft.source, draft.selection, signal);
    return chosen
      .toSorted((a, b) => (a.fullPath < b.fullPath ? -1 : 1))
      .map(({ id, fullPath, name }, index) => ({
        sourceId: id,
        sourcePath: fullPath,
        wave: waveOf(index, draft.waveSize),
        placement: placementFor({ fullPath, name }, draft.rules),
      }));
  }
}
