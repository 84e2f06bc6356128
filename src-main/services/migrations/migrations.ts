/** @file Creates, shows, starts, pauses and cancels migrations. */
import { AppError } from '../../../src-contract/errors.ts';
import type {
  MigratingProject,
  Migration,
  MigrationDraft,
} from '../../../src-contract/migrations/migration.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import type { StoredMigration } from '../../catalogue/migrations/project-migrations.ts';
import { isRemovingMark } from '../../jobs/migrations/migrating.ts';
import { placementFor, waveOf } from '../../jobs/migrations/placing.ts';
import type { GroupMaking } from './group-making.ts';
import { assertReady, assertStarted, retryProjects } from './migration-start.ts';
import type { MigrationStatus } from './migration-status.ts';
import { validateDraft } from './migration-validation.ts';
import { findMigrationProject } from './placement/find-migration-project.ts';
import { placesByRules, placesOf, type PlacementChange } from './placement/project-placement.ts';
import type { SharedParts } from '../shared-parts.ts';

export interface MigrationParts extends Pick<SharedParts, 'announce' | 'clock' | 'moves' | 'store'> {
  status: MigrationStatus;
  groups: GroupMaking;
  /** Returns the projects of the source that the selection includes and that may be exported. */
  choose(source: string, selection: MigrationDraft['selection'], signal: AbortSignal): Promise<Project[]>;
  cancelJob: (jobId: string, by: string) => void;
  overriddenFindings(id: string): ReadonlySet<string>;
  wake(): void;
}

/** A migration is named by its id or name; every method that takes one throws `migration-missing`. */
export class Migrations {
  readonly #parts: MigrationParts;

  constructor(parts: MigrationParts) {
    this.#parts = parts;
  }

  /** Newest first. */
  list(): Migration[] {
    const { store, status } = this.#parts;
    return store.list().map((migration) => status.show(migration));
  }

  show(reference: string): Migration {
    const { store, status } = this.#parts;
    return status.show(store.get(reference));
  }

  /** Returns all projects, sorted by path on the source. */
  projects(reference: string): MigratingProject[] {
    const { store, status } = this.#parts;
    return status.projects(store.get(reference));
  }

  /** Returns the import jobs of projects whose only differences were accepted. */
  acceptedImports(): string[] {
    const { store, status } = this.#parts;
    return store
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
    return this.#changed(this.#parts.store.create(draft, projects, this.#parts.clock.now()).id);
  }

  /** Throws `migration-started`. For a new selection, requests the projects from the source. */
  async change(reference: string, changes: Partial<MigrationDraft>, signal: AbortSignal): Promise<Migration> {
    const { store } = this.#parts;
    const { id, draft: before, status } = store.get(reference);
    if (status !== 'draft') throw new AppError('migration-started', `"${before.name}" has already started.`);
    const draft = { ...before, ...changes };
    validateDraft(draft);
    const chosen = changes.selection === undefined ? null : await this.#choose(draft, signal);
    store.change(id, draft, chosen);
    const hasNewWaves = changes.waveSize !== undefined;
    if (chosen === null && (changes.rules !== undefined || hasNewWaves)) {
      store.place(id, placesByRules(store.projects(id), before, draft, hasNewWaves));
    }
    return this.#changed(id);
  }

  /** Throws `migration-started` while the migration is in progress, or must still unarchive one of its sources. */
  remove(reference: string): void {
    const { store, status: projectStatus, announce } = this.#parts;
    const migration = store.get(reference);
    const { id, draft } = migration;
    const { status } = projectStatus.show(migration);
    if (status === 'running' || status === 'paused') {
      throw new AppError('migration-started', `"${draft.name}" has not ended.`);
    }
    const marked = store.projects(id).find((project) => isRemovingMark(projectStatus.of(id, project)));
    if (marked !== undefined) {
      throw new AppError(
        'migration-started',
        `"${draft.name}" cannot be removed yet: ${marked.sourcePath} is still to be unarchived.`,
      );
    }
    store.remove(id);
    announce('migration.changed', { migrationId: id });
  }

  /** Changes all placements, or none if it throws. Throws the errors of `placesOf`. */
  place(reference: string, wanted: readonly PlacementChange[]): void {
    const migration = this.#parts.store.get(reference);
    this.#parts.store.place(migration.id, placesOf(this.#parts, migration, wanted));
    this.#changed(migration.id);
  }

  /** Starts a migration, or resumes it after a pause. Throws `migration-blocked`. */
  start(reference: string, createGroups: boolean): Migration {
    const { store, groups } = this.#parts;
    const migration = store.get(reference);
    const { id, check } = migration;
    assertReady(this.#parts, migration, createGroups);
    if (createGroups) groups.want(id, check?.missingGroups ?? []);
    // A person who starts again after an interruption expects the interrupted projects to be included.
    retryProjects(this.#parts, id, store.projects(id), (error) => error?.code === 'interrupted');
    return this.#setStatus(id, 'running');
  }

  /** Throws `invalid-input` for one that is not in progress. */
  pause(reference: string): Migration {
    const migration = this.#parts.store.get(reference);
    assertStarted(migration);
    return this.#setStatus(migration.id, 'paused');
  }

  /** Throws `invalid-input` for one that is not in progress. */
  cancel(reference: string, by: string): Migration {
    const { store, moves, cancelJob } = this.#parts;
    const migration = store.get(reference);
    const { id } = migration;
    assertStarted(migration);
    store.setStatus(id, 'cancelled');
    // Jobs that unarchive a source are not cancelled.
    const givesBack = new Set(store.projects(id).map(({ jobs }) => jobs.thaw?.jobId));
    for (const job of moves.openJobs(id)) {
      if (!givesBack.has(job)) cancelJob(job, by);
    }
    return this.#changed(id);
  }

  /** Retries a project, or with null every project that failed or was cancelled. Throws `project-missing`. */
  again(reference: string, named: string | null): Migration {
    const { store, groups } = this.#parts;
    const { id } = store.get(reference);
    const projects = named === null ? store.projects(id) : [findMigrationProject(store, id, named)];
    retryProjects(this.#parts, id, projects, () => true);
    groups.want(id, []);
    return this.#setStatus(id, 'running');
  }

  #setStatus(id: string, status: StoredMigration['status']): Migration {
    this.#parts.store.setStatus(id, status);
    return this.#changed(id);
  }

  #changed(id: string): Migration {
    this.#parts.announce('migration.changed', { migrationId: id });
    this.#parts.wake();
    return this.show(id);
  }

  async #choose(draft: MigrationDraft, signal: AbortSignal) {
    const chosen = await this.#parts.choose(draft.source, draft.selection, signal);
    return chosen
      .toSorted((a, b) => (a.fullPath < b.fullPath ? -1 : 1))
      .map(({ id, fullPath, name }, at) => ({
        sourceId: id,
        sourcePath: fullPath,
        wave: waveOf(at, draft.waveSize),
        placement: placementFor({ fullPath, name }, draft.rules),
      }));
  }
}
