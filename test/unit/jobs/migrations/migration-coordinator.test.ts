/** @file Tests which migrations the coordinator reads at each poll, with a real catalogue and a stepped clock. */
import { expect, it, onTestFinished, test, vi } from 'vitest';
import { migrationsForTest } from '../../../support/migrations/migrations-for-test.ts';
import { JobStore } from '../../../../src-main/catalogue/runs/jobs.ts';
import { MigrationGroups } from '../../../../src-main/catalogue/migrations/migration-groups.ts';
import { MigrationJobs } from '../../../../src-main/catalogue/migrations/migration-jobs.ts';
import { ProjectMigrations } from '../../../../src-main/catalogue/migrations/project-migrations.ts';
import { MigrationCoordinator } from '../../../../src-main/jobs/migrations/migration-coordinator.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import type { Reconciliation } from '../../../../src-contract/transfers/import.ts';
import type { StoredJob } from '../../../../src-contract/runs/job.ts';
import { catalogueForTest } from '../../../support/catalogue/catalogue.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';
import { storeCrowd } from '../../../support/migrations/stored-crowd.ts';

const minute = 60_000;

/** @param compare makes a comparison or rejects. */
function createWorld(compare: (mayDoWithoutSource: boolean) => Promise<void> = () => Promise.resolve()) {
  const catalogue = catalogueForTest();
  const clock = new SteppedClock();
  const jobs = new JobStore(catalogue);
  const store = new ProjectMigrations(catalogue, jobs);
  const moves = new MigrationJobs(catalogue, jobs);
  const groups = new MigrationGroups(catalogue, jobs);
  const { migrations, coordinated } = migrationsForTest({
    ...{ projectMigrations: store, migrationJobs: moves, groups, clock },
    compare: (_id, _sourceId, _signal, mayDoWithoutSource) => compare(mayDoWithoutSource),
  });
  /** Ids of the migrations whose project rows were read. */
  const read: string[] = [];
  const coordinator = new MigrationCoordinator({
    migrations: {
      activeMigrations: () => coordinated.activeMigrations(),
      markIdle: (id) => {
        coordinated.markIdle(id);
      },
      projectBlockers: (id) => coordinated.projectBlockers(id),
      createGroupJobs: (id) => coordinated.createGroupJobs(id),
      createOrJoinJob: (...move) => coordinated.createOrJoinJob(...move),
      compare: coordinated.compare,
      recordComparisonFailure: (...failure) => {
        coordinated.recordComparisonFailure(...failure);
      },
      projects(id) {
        read.push(id);
        return coordinated.projects(id);
      },
    },
    mayRun: () => true,
    clock,
    observer: {
      onMigrationChanged: () => undefined,
      onError(error) {
        if (error.code !== 'token-invalid') throw error;
      },
    },
  });
  onTestFinished(() => coordinator.stop());
  const fail = (job: StoredJob | undefined): void => {
    const error = new AppError('export-failed', 'It failed.').toData();
    const event = { type: 'fail', message: '' };
    jobs.change(job?.id ?? '', job?.revision ?? 0, {
      state: { status: 'failed', error },
      event,
      at: clock.now(),
    });
  };
  return { catalogue, clock, jobs, store, moves, groups, migrations, coordinated, coordinator, read, fail };
}

it('an ended migration is read once, and a migration in progress is read at each poll', async () => {
  const { catalogue, clock, jobs, coordinator, read } = createWorld();
  const ended = storeCrowd(catalogue, 3);
  catalogue.run(`UPDATE migrations SET name = 'Another'`);
  const inProgress = storeCrowd(catalogue, 3, 0);
  coordinator.start();
  await clock.advance(0);
  expect(read.toSorted()).toEqual([ended, inProgress].toSorted());
  await clock.advance(3 * minute);
  expect(read.filter((id) => id === ended)).toHaveLength(1);
  expect(read.filter((id) => id === inProgress)).toHaveLength(4);
  expect(jobs.openJobs().map(({ kind }) => kind)).toEqual(['export', 'export', 'export']);
});

it('a migration that ended with a failure and was restarted is read until it has ended again', async () => {
  const { catalogue, clock, jobs, migrations, coordinator, read, fail } = createWorld();
  const id = storeCrowd(catalogue, 3, 2);
  coordinator.start();
  await clock.advance(0);
  fail(jobs.openJobs()[0]);
  await clock.advance(2 * minute);
  expect(read).toHaveLength(2);
  expect(migrations.show(id)).toMatchObject({ status: 'ended', projects: { arrived: 2, failed: 1 } });

  migrations.retry(id, null);
  await clock.advance(minute);
  expect(jobs.openJobs()).toMatchObject([{ kind: 'export', project: 'group-2/project-3' }]);
  await clock.advance(2 * minute);
  expect(read).toHaveLength(5);
  fail(jobs.openJobs()[0]);
  await clock.advance(5 * minute);
  expect(read).toHaveLength(6);
});

test.each<[string, (world: ReturnType<typeof createWorld>, id: string) => void]>([
  [
    'it is started',
    ({ store }, id) => {
      store.setStatus(id, 'running');
    },
  ],
  [
    'it is paused',
    ({ store }, id) => {
      store.setStatus(id, 'paused');
    },
  ],
  [
    'it is cancelled',
    ({ store }, id) => {
      store.setStatus(id, 'cancelled');
    },
  ],
  [
    'the placement of a project changes',
    ({ store }, id) => {
      store.place(id, [{ ...store.project(id, '1'), leftOut: true }]);
    },
  ],
  [
    'a job of a project is reset',
    ({ moves }, id) => {
      moves.resetMoves(id, 1, ['import'], { thaw: null, mayBeArchived: false });
    },
  ],
  [
    'records of a project are imported again',
    ({ store, moves }, id) => {
      moves.addRetry(id, 1, store.project(id, '1').jobs.import?.jobId ?? '');
    },
  ],
  [
    'a group is to be created',
    ({ groups }, id) => {
      groups.addGroups(id, [{ path: 'new', visibility: 'private' }]);
    },
  ],
])('an idle migration becomes active when %s', (_what, change) => {
  const world = createWorld();
  const id = storeCrowd(world.catalogue, 2);
  const activeIds = () => world.coordinated.activeMigrations().map((migration) => migration.id);
  expect(activeIds()).toEqual([id]);
  world.coordinated.markIdle(id);
  expect(activeIds()).toEqual([]);
  change(world, id);
  expect(activeIds()).toEqual([id]);
});

it('a migration with remaining work cannot be marked idle', () => {
  const { catalogue, store, moves, groups, coordinated } = createWorld();
  const id = storeCrowd(catalogue, 2);
  const becomesIdle = (): boolean => {
    coordinated.markIdle(id);
    return coordinated.activeMigrations().length === 0;
  };
  moves.resetMoves(id, 1, ['import'], { thaw: null, mayBeArchived: false });
  expect(becomesIdle()).toBe(false);
  store.setStatus(id, 'paused');
  expect(becomesIdle()).toBe(true);
  groups.addGroups(id, [{ path: 'new', visibility: 'private' }]);
  expect(becomesIdle()).toBe(false);
});

it('a migration is idle only after its imported projects were compared, also after records were imported again', () => {
  const { catalogue, clock, jobs, store, moves, coordinated, fail } = createWorld();
  const id = storeCrowd(catalogue, 2);
  const becomesIdle = (): boolean => {
    coordinated.markIdle(id);
    return coordinated.activeMigrations().length === 0;
  };
  const compared = store.reconciliation(id, 1);
  if (compared === null) throw new Error('It was not compared.');
  catalogue.run('DELETE FROM migration_comparisons WHERE migration_id = ? AND source_id = 1', id);
  expect(becomesIdle()).toBe(false);
  store.saveReconciliation(id, 1, compared);
  expect(becomesIdle()).toBe(true);

  const at = clock.now();
  const work = { kind: 'relation-import', instance: 'target', project: 'g/p', input: {} } as const;
  jobs.createRun({ id: 'again', kind: work.kind, request: {}, at });
  const { job } = jobs.enqueue({ ...work, id: 'retry', runId: 'again', firstStep: 'first', at });
  moves.addRetry(id, 1, job.id);
  moves.markRetriesCompared([job.id]);
  expect(becomesIdle()).toBe(false);
  fail(job);
  expect(becomesIdle()).toBe(true);
});

it('the query for active migrations skips idle ones by an index', () => {
  const { catalogue, store } = createWorld();
  const query = vi.spyOn(catalogue, 'all');
  store.activeMigrations();
  const [sql = ''] = query.mock.calls[0] ?? [];
  const plan = catalogue.all(`EXPLAIN QUERY PLAN ${sql}`) as { detail: string }[];
  expect(plan.map(({ detail }) => detail)).toEqual(['SCAN migrations USING INDEX migrations_tended']);
});

function assertCompared(reconciliation: Reconciliation | null): Reconciliation {
  if (reconciliation === null) throw new Error('It was not compared.');
  return reconciliation;
}

it('a comparison that failed three times may continue without the source, and its error is reported until it succeeds', async () => {
  const attempts: boolean[] = [];
  const world = createWorld((mayDoWithoutSource) => {
    attempts.push(mayDoWithoutSource);
    const error = new AppError('token-invalid', 'No.', { details: { instance: 'source' } });
    if (!mayDoWithoutSource) return Promise.reject(error);
    world.store.saveReconciliation(id, 1, compared);
    return Promise.resolve();
  });
  const { catalogue, clock, store, migrations, coordinator } = world;
  const id = storeCrowd(catalogue, 2);
  const compared = assertCompared(store.reconciliation(id, 1));
  catalogue.run('DELETE FROM migration_comparisons WHERE migration_id = ? AND source_id = 1', id);
  const waitsFor = () => migrations.projects(id).find(({ sourceId }) => sourceId === 1)?.waitsFor;
  expect(waitsFor()).toBe('The imported project is being compared.');
  coordinator.start();
  await clock.advance(0);
  expect(waitsFor()).toMatch(/^The imported project could not be compared yet.* source: .*token/);
  await clock.advance(20_000);
  expect(attempts).toEqual([false, false, false]);
  await clock.advance(20_000);
  expect(attempts).toEqual([false, false, false, true]);
  expect(waitsFor()).toBeNull();
  expect(store.project(id, '1').comparingError).toBeNull();
});
