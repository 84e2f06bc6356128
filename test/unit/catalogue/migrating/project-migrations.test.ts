import { describe, expect, it } from 'vitest';
import { JobSearch } from '../../../../src-main/catalogue/jobs/job-search.ts';
import { JobStore } from '../../../../src-main/catalogue/jobs/jobs.ts';
import { ImportFailures } from '../../../../src-main/catalogue/migrating/import-failures.ts';
import { ProjectMigrations } from '../../../../src-main/catalogue/migrating/project-migrations.ts';
import { catalogueForTest } from '../../../support/catalogue/catalogue.ts';
import { failedProject, lackingProject, storeCrowd } from '../../../support/migrations/stored-crowd.ts';

function crowd(projects = lackingProject) {
  const catalogue = catalogueForTest();
  const migrations = new ProjectMigrations(catalogue, new JobStore(catalogue));
  return { catalogue, migrations, id: storeCrowd(catalogue, projects) };
}

describe('the projects of a migration', () => {
  it('are listed with how their last comparison came out, and each comparison is told from the one before', () => {
    const { migrations, id } = crowd();
    const of = (sourceId: number) => migrations.project(id, String(sourceId)).comparison;
    expect(of(1)).toMatchObject({ reconciled: true, missing: 0, settings: 0 });
    const before = of(lackingProject);
    expect(before).toMatchObject({ reconciled: false, missing: 150, settings: 0 });
    const whole = migrations.reconciliation(id, lackingProject);
    if (whole === null) throw new Error('It was not compared.');
    expect(whole.missing).toHaveLength(150);
    migrations.keepReconciliation(id, lackingProject, {
      ...whole,
      missingCount: 1,
      missing: whole.missing.slice(0, 1),
      settings: [{ attribute: 'visibility', expected: 'public', found: 'private', lost: null }],
    });
    expect(of(lackingProject)).toMatchObject({ reconciled: false, missing: 1, settings: 1 });
    expect(of(lackingProject)?.ref).not.toBe(before?.ref);
    expect(migrations.reconciliation(id, lackingProject)?.missing).toHaveLength(1);
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

  it('are listed with the failures of their import as the ledger counts them', () => {
    const { catalogue, migrations, id } = crowd(failedProject);
    const failures = new ImportFailures(catalogue);
    const of = () => migrations.project(id, String(failedProject));
    const ledger = () => failures.ofImport(of().jobs.import?.jobId ?? '');
    expect(of().failures).toMatchObject({ open: 100, total: 100, truncated: true, accepted: 0 });
    expect(ledger()).toHaveLength(100);
    const [first] = ledger();
    failures.settle([first?.ref ?? ''], 'accepted', 'known', Date.UTC(2026, 11, 1));
    expect(ledger().filter(({ state }) => state === 'open')).toHaveLength(99);
    expect(of().failures).toMatchObject({
      open: 99,
      accepted: 1,
      settledAt: Date.UTC(2026, 11, 1),
    });
    expect(migrations.project(id, '1').failures).toMatchObject({
      total: 0,
      truncated: false,
      settledAt: null,
    });
  });

  it('are gone with their migration, and their jobs stay', () => {
    const { catalogue, migrations, id } = crowd();
    const search = new JobSearch(catalogue);
    const made = search.find({ limit: 500 }).length;
    migrations.remove(id);
    expect(catalogue.all('SELECT ref FROM migration_comparisons')).toEqual([]);
    expect(search.find({ limit: 500 })).toHaveLength(made);
  });
});
