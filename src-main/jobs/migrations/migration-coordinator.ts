/**
 * @file Creates the next job for each project of the running migrations. The stored jobs determine the next one, so
 * neither a crash nor a second process migrates a project twice. [Note: POST is not idempotent]
 */
import { AppError } from '../../../src-contract/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { PollLoop } from '../running/poll-loop.ts';
import { isIdle, isComparisonDue, jobKindsDue, type MigrationJobKind } from './migrating.ts';
import type { Side } from './preflight/facts.ts';
import { unreadableFindingId } from './preflight/rule-finding.ts';
import type { MigrationsPort, MigrationJob, ActiveMigration, ActiveProject } from './migration-ports.ts';

export interface CoordinatorOptions {
  migrations: MigrationsPort;
  mayRun(): boolean;
  clock: Clock;
  observer: {
    onMigrationChanged(migrationId: string): void;
    onError(error: AppError): void;
  };
}

const pollIntervalMs = 60_000;
/** How often a process that does not run the jobs checks whether it must run them. */
const standbyPollIntervalMs = 1_000;
/** Many jobs end at the same moment; one poll handles all of them. */
const debounceMs = 50;
const pauseToPollRatio = 4;
const maxConcurrentComparisons = 2;
const firstRetryMs = 5_000;
const maxRetryMs = 600_000;
/** After this many tries, a source that cannot be read is left out of the comparison. */
const maxTriesWithSource = 3;

interface Retry {
  failures: number;
  at: number;
}

export class MigrationCoordinator {
  readonly #options: CoordinatorOptions;
  readonly #comparing = new Map<string, Promise<void>>();
  readonly #retries = new Map<string, Retry>();
  readonly #loop: PollLoop;
  /**
   * The duration of the last poll. The next poll is delayed in proportion, because reading thousands of projects is
   * expensive.
   */
  #pollDurationMs = 0;

  constructor(options: CoordinatorOptions) {
    this.#options = options;
    this.#loop = new PollLoop({
      clock: options.clock,
      poll: () => (options.mayRun() ? this.#advance() : standbyPollIntervalMs),
      onPollError(error) {
        options.observer.onError(error);
        return firstRetryMs;
      },
      debounceMs: () => Math.max(debounceMs, this.#pollDurationMs * pauseToPollRatio),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Aborts running comparisons, which start again later. Idempotent. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    await Promise.all(this.#comparing.values());
  }

  /** Polls soon: a job has ended, a migration was started, or the network is back. */
  wake(): void {
    this.#loop.wake();
  }

  #advance(): number {
    const startedAt = this.#options.clock.monotonic();
    let pauseMs = pollIntervalMs;
    for (const migration of this.#options.migrations.activeMigrations()) {
      const projects = this.#options.migrations.projects(migration.id);
      if (this.#createDueJobs(migration, projects)) this.#options.observer.onMigrationChanged(migration.id);
      for (const project of projects) {
        if (!isComparisonDue(project, migration.draft.freeze)) continue;
        pauseMs = Math.min(pauseMs, this.#compare(migration.id, project.sourceId));
      }
      if (!migration.waitsForGroups && isIdle(migration.status, projects, migration.draft.freeze)) {
        this.#options.migrations.markIdle(migration.id);
      }
    }
    this.#pollDurationMs = this.#options.clock.monotonic() - startedAt;
    return pauseMs;
  }

  #createDueJobs(migration: ActiveMigration, projects: readonly ActiveProject[]): boolean {
    const projectById = new Map(projects.map((project) => [project.sourceId, project]));
    let hasCreatedJob =
      migration.status === 'running' && this.#options.migrations.createGroupJobs(migration.id);
    const due = jobKindsDue(migration.status, projects, migration.draft.freeze);
    const blockers = due.length === 0 ? noBlockers : this.#options.migrations.projectBlockers(migration.id);
    for (const { project, kind } of due) {
      const activeProject = projectById.get(project.sourceId);
      if (activeProject === undefined || (migration.waitsForGroups && kind !== 'thaw')) continue;
      const job = jobFor(kind, migration, activeProject, blockers);
      if (job === null) continue;
      try {
        hasCreatedJob =
          this.#options.migrations.createOrJoinJob(migration.id, activeProject, kind, job) || hasCreatedJob;
      } catch (thrown) {
        // A job of another kind works on that project. Its end triggers the next poll.
        if (AppError.from(thrown).code !== 'job-busy') throw thrown;
      }
    }
    return hasCreatedJob;
  }

  /** Starts a comparison if it is due. Returns the maximum time until the next poll, in milliseconds. */
  #compare(id: string, sourceId: number): number {
    const key = `${id} ${sourceId}`;
    const retry = this.#retries.get(key);
    const retryInMs = retry === undefined ? 0 : Math.max(0, retry.at - this.#options.clock.monotonic());
    if (this.#comparing.has(key) || this.#comparing.size >= maxConcurrentComparisons) return pollIntervalMs;
    if (retryInMs > 0) return retryInMs;
    const earlierFailures = retry?.failures ?? 0;
    const comparing = this.#options.migrations
      .compare(id, sourceId, this.#loop.signal, earlierFailures >= maxTriesWithSource)
      .then(
        () => {
          this.#retries.delete(key);
          this.#options.observer.onMigrationChanged(id);
        },
        (thrown: unknown) => {
          const failures = earlierFailures + 1;
          const waitMs = Math.min(firstRetryMs * 2 ** (failures - 1), maxRetryMs);
          this.#retries.set(key, { failures, at: this.#options.clock.monotonic() + waitMs });
          if (this.#loop.signal.aborted) return;
          const error = AppError.from(thrown);
          this.#options.migrations.recordComparisonFailure(id, sourceId, error);
          this.#options.observer.onMigrationChanged(id);
          this.#options.observer.onError(error);
        },
      )
      .catch((thrown: unknown) => {
        this.#options.observer.onError(AppError.from(thrown));
      })
      .finally(() => {
        this.#comparing.delete(key);
        this.wake();
      });
    this.#comparing.set(key, comparing);
    return pollIntervalMs;
  }
}

const noBlockers: ReadonlySet<string> = new Set();

const setArchivedInput = (archived: boolean, projectId: number, inDoubt = false) => ({
  change: { kind: 'set-archived', archived },
  projectId,
  secret: null,
  ...(inDoubt ? { inDoubt } : {}),
});

/**
 * Returns null if the job's prerequisites are missing. `blockers`: ids of the findings that block only their project.
 */
function jobFor(
  kind: MigrationJobKind,
  { draft }: ActiveMigration,
  project: ActiveProject,
  blockers: ReadonlySet<string>,
): MigrationJob | null {
  const { sourceId, sourcePath, placement, archive, target, jobs } = project;
  const onSource = { instance: draft.source, project: sourcePath };
  const readability = (side: Side) =>
    blockers.has(unreadableFindingId(side, sourcePath)) ? { knownUnreadable: true } : {};
  switch (kind) {
    case 'freeze':
      return {
        kind: 'change',
        ...onSource,
        input: { ...setArchivedInput(true, sourceId), ...readability('source') },
      };
    case 'thaw':
      return {
        kind: 'change',
        ...onSource,
        input: setArchivedInput(false, sourceId, jobs.freeze?.changed !== true),
      };
    case 'export':
      return {
        kind: 'export',
        ...onSource,
        input: {
          ...{ projectId: sourceId, fullPath: sourcePath, keepExisting: false, planId: null },
          ...readability('source'),
        },
      };
    case 'import':
      // If the archive was removed in the meantime, the import reports it.
      if (archive === null) return null;
      return {
        kind: 'import',
        instance: draft.target,
        project: `${placement.namespace}/${placement.path}`,
        input: {
          source: { kind: 'file' },
          archivePath: archive.path,
          sha256: archive.sha256,
          sizeBytes: archive.sizeBytes,
          ...placement,
          overrideParams: { ...draft.overrideParams, ...placement.overrideParams },
          archiveId: archive.id,
          comparedLater: true,
          ...readability('target'),
        },
      };
    case 'unmark':
      if (target === null) return null;
      return {
        kind: 'change',
        instance: draft.target,
        project: target.fullPath,
        input: setArchivedInput(false, target.id),
      };
  }
}
