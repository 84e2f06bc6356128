/**
 * @file Comparisons settle failures while relations are imported again. The ledger is real; each comparison finds what
 * the test states.
 */
import { expect, it } from 'vitest';
import { createRelationRetries } from '../../../../src-main/services/migrations/retrying.ts';
import { JobStore } from '../../../../src-main/catalogue/runs/jobs.ts';
import { ImportFailures } from '../../../../src-main/catalogue/migrations/import-failures.ts';
import { MigrationJobs } from '../../../../src-main/catalogue/migrations/migration-jobs.ts';
import { ProjectMigrations } from '../../../../src-main/catalogue/migrations/project-migrations.ts';
import type { MissingRecord } from '../../../../src-contract/transfers/import.ts';
import { catalogueForTest } from '../../../support/catalogue/catalogue.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';
import { storeCrowd } from '../../../support/migrations/stored-crowd.ts';

type Relation = 'issues' | 'merge_requests';
const sourceId = 1;

function scene() {
  const catalogue = catalogueForTest();
  const clock = new SteppedClock();
  const jobs = new JobStore(catalogue);
  const store = new ProjectMigrations(catalogue, jobs);
  const migrationJobs = new MigrationJobs(catalogue, jobs);
  const ledger = new ImportFailures(catalogue);
  const id = storeCrowd(catalogue, 1);
  const importJob = store.project(id, '1').jobs.import?.jobId ?? '';
  const from = {
    importJob,
    instance: 'target',
    project: 'g/p',
    projectId: 1,
    archiveId: null,
    archivePath: null,
  };
  const failure = (serverId: number, relation: Relation) => ({
    ...{ id: serverId, createdAt: '', exceptionClass: 'RuntimeError', exceptionMessage: null, source: '' },
    ...{ relation, line: 1 },
  });
  ledger.addListed(from, [failure(1, 'issues'), failure(2, 'merge_requests')], clock.now());
  const retrying = createRelationRetries({
    ...{ projectMigrations: store, migrationJobs, importFailures: ledger, clock },
    archives: {
      makeFromIndex: () => Promise.reject(new Error('No archive is made.')),
      countLines: () => Promise.reject(new Error('No archive is read.')),
      removeIfUnused: () => Promise.resolve(),
    },
    readRelationTarget: () => Promise.reject(new Error('No target is asked.')),
    differences: { assess: () => [] },
    enqueue: () => {
      throw new Error('Nothing is enqueued.');
    },
    inTransaction: (work) => catalogue.transaction(work),
    manifest: () => {
      throw new Error('No archive is read.');
    },
    announce: () => undefined,
  });

  /** Begins the job of a retry, and returns a function that ends it. */
  const retry = (relation: Relation): (() => void) => {
    const at = clock.now();
    const runId = jobs.newId(at);
    jobs.createRun({ id: runId, kind: 'relation-import', request: {}, at });
    const { job } = jobs.enqueue({
      ...{ id: jobs.newId(at), kind: 'relation-import', instance: 'target', project: `${relation} of g/p` },
      ...{ input: { relation }, firstStep: 'first', runId, at },
    });
    migrationJobs.addRetry(id, sourceId, job.id);
    ledger.markRetried(importJob, relation, [1], at);
    return () => {
      jobs.change(job.id, job.revision, {
        state: { status: 'succeeded', warnings: [] },
        event: { type: 'succeed', message: '' },
        at: clock.now(),
      });
    };
  };
  /** Runs a comparison that finds these records missing, and calls `meanwhile` during it. */
  const compare = async (
    missing: readonly (Relation | MissingRecord)[],
    meanwhile = (): void => undefined,
  ) => {
    const lost = missing.map((record): MissingRecord =>
      typeof record === 'string'
        ? { relation: record, lost: 'on-import', line: 1, iid: 1, title: null, part: null }
        : record,
    );
    const row = (relation: Relation) => ({
      ...{ relation, source: 2, archive: 2, verdict: 'equal' as const },
      target: 2 - lost.filter((record) => record.relation === relation && record.part === null).length,
    });
    const comparing = retrying.wrapCompare(() => {
      meanwhile();
      store.saveReconciliation(id, sourceId, {
        at: '',
        depth: 'fields',
        reconciled: lost.length === 0 && ledger.listOpen(importJob).length === 0,
        rows: [row('issues'), row('merge_requests')],
        missing: lost,
        missingCount: lost.length,
        settings: [],
        declared: [],
        notCompared: [],
      });
      return Promise.resolve();
    });
    await comparing(id, sourceId, new AbortController().signal, false);
  };
  const states = () =>
    Object.fromEntries(
      ledger.findByImport(importJob).map(({ relation, state }) => [relation ?? '', state] as const),
    );
  const isReconciled = () => store.reconciliation(id, sourceId)?.reconciled;
  return { retry, compare, states, isReconciled, ledger, importJob };
}

it('a comparison settles no failure of a retry that began during the comparison', async () => {
  const { retry, compare, states } = scene();
  retry('issues')();
  let endOther = (): void => undefined;
  await compare(['merge_requests'], () => {
    endOther = retry('merge_requests');
  });
  expect(states()).toEqual({ issues: 'resolved', merge_requests: 'retried' });
  endOther();
  await compare([]);
  expect(states()).toEqual({ issues: 'resolved', merge_requests: 'resolved' });
});

it('a comparison settles no failure of a retry that ended during the comparison', async () => {
  const { retry, compare, states } = scene();
  const end = retry('issues');
  await compare(['issues', 'merge_requests'], end);
  expect(states()).toEqual({ issues: 'retried', merge_requests: 'open' });
  await compare(['issues', 'merge_requests']);
  expect(states()).toEqual({ issues: 'open', merge_requests: 'open' });
});

it('the next comparison resolves an open failure whose record is found, and leaves an accepted failure accepted', async () => {
  const { compare, states, ledger, importJob } = scene();
  const [first] = ledger.findByImport(importJob);
  ledger.setState([first?.ref ?? ''], 'accepted', 'known', 5);
  await compare(['issues', 'merge_requests']);
  expect(states()).toEqual({ issues: 'accepted', merge_requests: 'open' });
  await compare([]);
  expect(states()).toEqual({ issues: 'accepted', merge_requests: 'resolved' });
});

it('a record that is found without its notes resolves no failure', async () => {
  const { retry, compare, states } = scene();
  retry('issues')();
  const part = { name: 'notes', expected: 2, found: 1 };
  await compare([{ relation: 'issues', lost: 'on-import', line: 1, iid: 1, title: null, part }]);
  expect(states()).toEqual({ issues: 'open', merge_requests: 'resolved' });
});

it('a comparison that resolves the last open failure is reconciled, unless anything else is missing', async () => {
  const { compare, states, isReconciled } = scene();
  await compare(['merge_requests']);
  expect(states()).toEqual({ issues: 'resolved', merge_requests: 'open' });
  expect(isReconciled()).toBe(false);
  const lost: MissingRecord = {
    part: { name: 'notes', expected: 2, found: 1 },
    ...{ relation: 'merge_requests', lost: 'on-export', line: null, iid: 9, title: null },
  };
  await compare([lost]);
  expect(states()).toEqual({ issues: 'resolved', merge_requests: 'resolved' });
  expect(isReconciled()).toBe(false);
  await compare([]);
  expect(isReconciled()).toBe(true);
});

it('a comparison that resolves all failures at once is reconciled', async () => {
  const { compare, isReconciled } = scene();
  await compare([]);
  expect(isReconciled()).toBe(true);
});

it('a comparison during a retry is not reconciled before the retry was compared', async () => {
  const { retry, compare, isReconciled } = scene();
  const end = retry('issues');
  await compare([]);
  expect(isReconciled()).toBe(false);
  end();
  await compare([]);
  expect(isReconciled()).toBe(true);
});
