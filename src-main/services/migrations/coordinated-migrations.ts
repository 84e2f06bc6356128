/**
 * @file The migrations in the form that the coordinator of their jobs reads and changes.
 */
import type { AppError } from '../../../src-contract/errors.ts';
import type { JobKind } from '../../../src-contract/runs/job.ts';
import type { MigrationJobs } from '../../catalogue/migrations/migration-jobs.ts';
import type { ProjectMigrations } from '../../catalogue/migrations/project-migrations.ts';
import { isAtRest, type Move } from '../../jobs/migrations/migrating.ts';
import type {
  MigrationsPort,
  MoveJob,
  RunningMigration,
  RunningProject,
} from '../../jobs/migrations/migration-ports.ts';
import type { Clock } from '../../platform/clock.ts';
import type { GroupMaking } from './group-making.ts';
import type { MigrationStatus } from './migration-status.ts';

export interface CoordinatedMigrationParts {
  store: ProjectMigrations;
  moves: MigrationJobs;
  status: Pick<MigrationStatus, 'of'>;
  groups: Pick<GroupMaking, 'isInProgress' | 'tend'>;
  compare: MigrationsPort['compare'];
  clock: Clock;
  /** Name of the first step of jobs of a kind. */
  firstStep: (kind: JobKind) => string;
  /** Called when jobs were created. */
  wake: () => void;
}

export class CoordinatedMigrations implements MigrationsPort {
  readonly #parts: CoordinatedMigrationParts;
  readonly compare: MigrationsPort['compare'];

  constructor(parts: CoordinatedMigrationParts) {
    this.#parts = parts;
    this.compare = parts.compare;
  }

  tended(): RunningMigration[] {
    const { store, groups } = this.#parts;
    return store
      .tended()
      .map((migration) => ({ ...migration, waitsForGroups: groups.isInProgress(migration.id) }));
  }

  rest(id: string): void {
    const { store, groups, status: projectStatus } = this.#parts;
    store.rest(id, () => {
      const { status, draft } = store.get(id);
      const projects = store.projects(id).map((project) => projectStatus.of(id, project));
      return !groups.isInProgress(id) && isAtRest(status, projects, draft.freeze);
    });
  }

  projects(id: string): RunningProject[] {
    const { store, status } = this.#parts;
    return store.projects(id).map((project) => ({
      ...status.of(id, project),
      sourcePath: project.sourcePath,
      placement: project.placement,
      target: project.target,
      archive: project.archive,
    }));
  }

  beginGroups(id: string): boolean {
    const { store, groups } = this.#parts;
    return groups.tend(id, store.get(id).draft.target);
  }

  begin(id: string, project: { sourceId: number; wave: number }, move: Move, job: MoveJob): boolean {
    const { moves, clock, firstStep, wake } = this.#parts;
    const draft = { ...job, firstStep: firstStep(job.kind) };
    const made = moves.begin(id, project, move, draft, clock.now());
    if (made !== null) wake();
    return made !== null;
  }

  compareFailed(id: string, sourceId: number, error: AppError): void {
    this.#parts.store.noteComparingError(id, sourceId, error.toData());
  }
}
