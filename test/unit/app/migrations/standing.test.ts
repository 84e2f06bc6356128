import { expect, it } from 'vitest';
import { createStanding } from '../../../../src-main/app/migrations/standing.ts';
import { JobStore } from '../../../../src-main/catalogue/jobs/jobs.ts';
import { ImportFailures } from '../../../../src-main/catalogue/migrating/import-failures.ts';
import { ProjectMigrations } from '../../../../src-main/catalogue/migrating/project-migrations.ts';
import { catalogueForTest } from '../../../support/catalogue/catalogue.ts';
import { failedProject, storeCrowd } from '../../../support/migrations/stored-crowd.ts';

function standing() {
  const catalogue = catalogueForTest();
  const store = new ProjectMigrations(catalogue, new JobStore(catalogue));
  const ledger = new ImportFailures(catalogue);
  const id = storeCrowd(catalogue, failedProject);
  let readInFull = 0;
  const shown = createStanding({
    store: {
      projects: (migration) => store.projects(migration),
      reconciliation(migration, sourceId) {
        readInFull += 1;
        return store.reconciliation(migration, sourceId);
      },
    },
    accepted: (importJob) => ledger.ofImport(importJob).filter(({ state }) => state === 'accepted'),
    earlierFailures: () => [],
    overridden: () => new Set(),
    makesGroups: () => false,
  });
  const projects = () => shown.projects(store.get(id));
  const failed = () => projects().find(({ sourceId }) => sourceId === failedProject);
  const importJob = failed()?.importJob ?? '';
  return { store, ledger, id, importJob, state: () => failed()?.state, inFull: () => readInFull, projects };
}

it('a project whose losses are all accepted has arrived, until one is not accepted any more or it is compared anew', () => {
  const { store, ledger, id, importJob, state } = standing();
  const whole = store.reconciliation(id, failedProject);
  if (whole === null) throw new Error('It was not compared.');
  const refs = ledger.ofImport(importJob).map(({ ref }) => ref);
  // Of what is missing, 100 failed with a record that is known.
  const missing = whole.missing.slice(0, refs.length);
  const rows = whole.rows.map((row) => (row.relation === 'issues' ? { ...row, target: 100 } : row));
  const explained = { ...whole, rows, missing, missingCount: missing.length };
  store.keepReconciliation(id, failedProject, explained);
  expect(state()).toBe('differs');
  ledger.settle(refs, 'accepted', 'known', 1_000);
  expect(state()).toBe('arrived');
  ledger.settle(refs.slice(0, 1), 'open', null, 2_000);
  expect(state()).toBe('differs');
  ledger.settle(refs.slice(0, 1), 'accepted', 'known', 3_000);
  expect(state()).toBe('arrived');
  store.keepReconciliation(id, failedProject, {
    ...explained,
    missing: [...missing, ...whole.missing.slice(-1)],
    missingCount: missing.length + 1,
  });
  expect(state()).toBe('differs');
});

it('a look reads comparisons in full only where a loss was accepted, and each of them once', () => {
  const { ledger, importJob, inFull, projects } = standing();
  projects();
  expect(inFull()).toBe(0);
  ledger.settle(
    ledger.ofImport(importJob).map(({ ref }) => ref),
    'accepted',
    'known',
    1_000,
  );
  for (let look = 0; look < 3; look += 1) projects();
  expect(inFull()).toBe(1);
});
