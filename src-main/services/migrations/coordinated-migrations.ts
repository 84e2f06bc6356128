/** @file The migrations in the form that the coordinator of their jobs needs. */
import type { AppError } from '../../../src-contract/errors.ts';
import type { JobKind } from '../../../src-contract/runs/job.ts';
import { isIdle, type Move } from '../../jobs/migrations/migrating.ts';
import type {
  MigrationsPort,
  MoveJob,
  RunningMigration,
  RunningProject,
} from '../../jobs/migrations/migration-ports.ts';
import type { GroupMaking } from './group-making.ts';
import type { MigrationStatus } from './migration-status.ts';
import type { SharedParts } from '../shared-parts.ts';

export interface CoordinatedMigrationParts extends Pick<SharedParts, 'clock' | 'moves' | 'store'> {
  status: Pick<MigrationStatus, 'of'>;
  groups: Pick<GroupMaking, 'isInProgress' | 'tend'>;
  compare: MigrationsPort['compare'];
  firstStep: (kind: JobKind) => string;
  wake: () => void;
}

export class CoordinatedMigrations implements MigrationsPort {
  readonly #parts: CoordinatedMigrationParts;
  readonly compare: MigrationsPort['compare'];

  constructor(parts: CoordinatedMigrationParts) {
    this.#parts = parts;
    this.compare = parts.compare;
  }

  activeMigrations(): RunningMigration[] {
    const { store, groups } = this.#parts;
    return store
      .activeMigrations()
      .map((migration) => ({ ...migration, waitsForGroups: groups.isInProgress(migration.id) }));
  }

  markIdle(id: string): void {
    const { store, groups, status: projectStatus } = this.#parts;
    store.markIdle(id, () => {
      const { status, draft } = store.get(id);
      const projects = store.projects(id).map((project) => projectStatus.of(id, project));
      return !groups.isInProgress(id) && isIdle(status, projects, draft.freeze);
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
    this.#parts.store.recordComparisonError(id, sourceId, error.toData());
  }
}
