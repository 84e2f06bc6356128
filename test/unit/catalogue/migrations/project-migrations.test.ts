import { describe, expect, it } from 'vitest';
import { JobSearch } from '../../../../src-main/catalogue/runs/job-search.ts';
import { JobStore } from '../../../../src-main/catalogue/runs/jobs.ts';
import { ImportFailures } from '../../../../src-main/catalogue/migrations/import-failures.ts';
import { MigrationJobs } from '../../../../src-main/catalogue/migrations/migration-jobs.ts';
import { ProjectMigrations } from '../../../../src-main/catalogue/migrations/project-migrations.ts';
import type { JobState } from '../../../../src-contract/runs/job.ts';
import { catalogueForTest } from '../../../support/catalogue/catalogue.ts';
import {
  failedProjectId,
  incompleteProjectId,
  storeCrowd,
} from '../../../support/migrations/stored-crowd.ts';

function crowd(projects = incompleteProjectId) {
  const catalogue = catalogueForTest();
  const migrations = new ProjectMigrations(catalogue, new JobStore(catalogue));
  return { catalogue, migrations, id: storeCrowd(catalogue, projects) };
}

describe('the projects of a migration', () => {
  it('are listed with the result of their last comparison, and each comparison has a new reference', () => {
    const { migrations, id } = crowd();
    const comparisonOf = (sourceId: number) => migrations.project(id, String(sourceId)).comparison;
    expect(comparisonOf(1)).toMatchObject({ reconciled: true, missing: 0, settings: 0 });
    const before = comparisonOf(incompleteProjectId);
    expect(before).toMatchObject({ reconciled: false, missing: 150, settings: 0 });
    const reconciliation = migrations.reconciliation(id, incompleteProjectId);
    if (reconciliation === null) throw new Error('It was not compared.');
    expect(reconciliation.missing).toHaveLength(150);
    migrations.saveReconciliation(id, incompleteProjectId, {
      ...reconciliation,
      missingCount: 1,
      missing: reconciliation.missing.slice(0, 1),
      settings: [{ attribute: 'visibility', expected: 'public', found: 'private', lost: null }],
    });
    expect(comparisonOf(incompleteProjectId)).toMatchObject({ reconciled: false, missing: 1, settings: 1 });
    expect(comparisonOf(incompleteProjectId)?.ref).not.toBe(before?.ref);
    expect(migrations.reconciliation(id, incompleteProjectId)?.missing).toHaveLength(1);
  });

  it('are listed without reading a comparison in full', () => {
    const { catalogue, migrations, id } = crowd();
    const listed = migrations.projects(id);
    catalogue.run(
      `UPDATE migration_comparisons SET reconciliation = json_remove(reconciliation, '$.rows', '$.missing')`,
    );
    expect(() => migrations.reconciliation(id, 1)).toThrow(/not recognised/);
    expect(migrations.projects(id)).toEqual(listed);
  });

  it('are listed with the number of failures of their import as the ledger counts them', () => {
    const { catalogue, migrations, id } = crowd(failedProjectId);
    const failures = new ImportFailures(catalogue);
    const migratingProject = () => migrations.project(id, String(failedProjectId));
    const ledger = () => failures.findByImport(migratingProject().jobs.import?.jobId ?? '');
    expect(migratingProject().failures).toMatchObject({
      open: 100,
      total: 100,
      hasUnlisted: true,
      accepted: 0,
    });
    expect(ledger()).toHaveLength(100);
    const [first] = ledger();
    failures.setState([first?.ref ?? ''], 'accepted', 'known', Date.UTC(2026, 11, 1));
    expect(ledger().filter(({ state }) => state === 'open')).toHaveLength(99);
    expect(migratingProject().failures).toMatchObject({
      open: 99,
      accepted: 1,
      settledAt: Date.UTC(2026, 11, 1),
    });
    expect(migrations.project(id, '1').failures).toMatchObject({
      total: 0,
      hasUnlisted: false,
      settledAt: null,
    });
  });

  it('are listed with whether their source was changed, or may have been changed once the request was sent', () => {
    const catalogue = catalogueForTest();
    const jobs = new JobStore(catalogue);
    const migrations = new ProjectMigrations(catalogue, jobs);
    const id = storeCrowd(catalogue, 1, 0);
    const at = Date.UTC(2026, 11, 1);
    const job = {
      kind: 'change',
      instance: 'source',
      project: 'p',
      input: {},
      firstStep: 'prepare',
    } as const;
    const jobId =
      new MigrationJobs(catalogue, jobs).enqueueJob(id, { sourceId: 1, wave: 1 }, 'freeze', job, at) ?? '';
    const changed = () => migrations.project(id, '1').jobs.freeze?.changed;
    const memo = (intent: object | null) => ({ failures: 0, interruptions: 1, memo: intent });
    expect(changed()).toBe(false);
    jobs.beginStep(jobId, 'send', at);
    expect(changed()).toBe(false);
    jobs.saveMemo(jobId, 'send', memo({ intentAt: at }));
    expect(changed()).toBeNull();
    // The server refused the request.
    jobs.saveMemo(jobId, 'send', memo(null));
    expect(changed()).toBe(false);
    for (const did of [true, false]) {
      jobs.finishStep(jobId, 'send', { changed: did }, 'follow', { type: 'step-done', message: '' }, at);
      expect(changed()).toBe(did);
    }
    const state: JobState = { status: 'succeeded', warnings: [] };
    const event = { type: 'succeed', message: '' };
    jobs.change(jobId, jobs.get(jobId)?.revision ?? 0, { state, event, at, result: { changed: true } });
    expect(changed()).toBe(true);
  });

  it('are not exported by a job that was enqueued before their source was frozen', () => {
    const catalogue = catalogueForTest();
    const jobs = new JobStore(catalogue);
    const migrationJobs = new MigrationJobs(catalogue, jobs);
    const id = storeCrowd(catalogue, 1, 0);
    const first = { sourceId: 1, wave: 1 };
    const at = Date.UTC(2026, 11, 1);
    const work = { instance: 'source', project: 'p', firstStep: 'first' };
    const input = { projectId: 1, fullPath: 'p', keepExisting: false, planId: null };
    const exportJob = { ...work, kind: 'export', input } as const;
    const runId = jobs.newId(at);
    jobs.createRun({ id: runId, kind: 'export', request: {}, at });
    const end = (jobId: string, when: number) => {
      const state: JobState = { status: 'succeeded', warnings: [] };
      const event = { type: 'succeed', message: '' };
      jobs.change(jobId, jobs.get(jobId)?.revision ?? 0, { state, event, at: when });
    };
    const early = jobs.enqueue({ ...exportJob, id: jobs.newId(at), runId, at }).job;
    end(
      migrationJobs.enqueueJob(id, first, 'freeze', { ...work, kind: 'change', input: {} }, at + 1) ?? '',
      at + 2,
    );
    expect(() => migrationJobs.enqueueJob(id, first, 'export', exportJob, at + 3)).toThrow(
      expect.objectContaining({ code: 'job-busy' }),
    );
    end(early.id, at + 4);
    const late = jobs.enqueue({ ...exportJob, id: jobs.newId(at + 5), runId, at: at + 5 }).job;
    expect(migrationJobs.enqueueJob(id, first, 'export', exportJob, at + 6)).toBe(late.id);
  });

  it('forget a job only if they are unchanged since they were read, and remember that their source is marked', () => {
    const { catalogue, migrations, id } = crowd(1);
    const migrationJobs = new MigrationJobs(catalogue, new JobStore(catalogue));
    const seen = (thaw: string | null) => ({ thaw, mayBeArchived: true });
    expect(migrationJobs.resetMoves(id, 1, ['import'], seen('another job'))).toBe(false);
    expect(migrations.project(id, '1').jobs.import).toBeDefined();
    expect(migrationJobs.resetMoves(id, 1, ['import'], seen(null))).toBe(true);
    expect(migrations.project(id, '1')).toMatchObject({ mayBeArchivedByUs: false, jobs: { export: {} } });
    expect(migrationJobs.resetMoves(id, 1, ['freeze', 'export'], seen(null))).toBe(true);
    expect(migrations.project(id, '1')).toMatchObject({ mayBeArchivedByUs: true, jobs: {} });
  });

  it('are removed with their migration, and their jobs stay', () => {
    const { catalogue, migrations, id } = crowd();
    const search = new JobSearch(catalogue);
    const jobCount = search.find({ limit: 500 }).length;
    migrations.remove(id);
    expect(catalogue.all('SELECT ref FROM migration_comparisons')).toEqual([]);
    expect(search.find({ limit: 500 })).toHaveLength(jobCount);
  });
});
