import { expect, it } from 'vitest';
import type { Reconciliation } from '../../../../src-contract/transfers/import.ts';
import { createMigrationStatusReader } from '../../../../src-main/services/migrations/migration-status.ts';
import { createDifferences } from '../../../../src-main/services/migrations/comparing/differences.ts';
import { AcceptedDifferences } from '../../../../src-main/catalogue/migrations/accepted-differences.ts';
import { JobStore } from '../../../../src-main/catalogue/runs/jobs.ts';
import { ImportFailures } from '../../../../src-main/catalogue/migrations/import-failures.ts';
import { ProjectMigrations } from '../../../../src-main/catalogue/migrations/project-migrations.ts';
import { catalogueForTest } from '../../../support/catalogue/catalogue.ts';
import { failedProjectId, storeCrowd } from '../../../support/migrations/stored-crowd.ts';

function status() {
  const catalogue = catalogueForTest();
  const store = new ProjectMigrations(catalogue, new JobStore(catalogue));
  const ledger = new ImportFailures(catalogue);
  const acceptances = new AcceptedDifferences(catalogue);
  const differences = createDifferences({ projectMigrations: store, acceptances, importFailures: ledger });
  const id = storeCrowd(catalogue, failedProjectId);
  let readInFull = 0;
  const shown = createMigrationStatusReader({
    projectMigrations: {
      projects: (migration) => store.projects(migration),
      reconciliation(migration, sourceId) {
        readInFull += 1;
        return store.reconciliation(migration, sourceId);
      },
    },
    assessDifferences: (...of) => differences.assess(...of),
    earlierFailures: () => [],
    overriddenFindings: () => new Set(),
    isCreatingGroups: () => false,
    progress: { of: () => null },
  });
  const projects = () => shown.projects(store.get(id));
  const failed = () => projects().find(({ sourceId }) => sourceId === failedProjectId);
  const importJob = failed()?.importJob ?? '';
  return {
    ...{ store, ledger, acceptances, differences, id, importJob, projects },
    state: () => failed()?.state,
    depth: () => failed()?.depth,
    migration: () => shown.toMigration(store.get(id)),
    accepted: () => ({ project: failed()?.accepted, migration: shown.toMigration(store.get(id)).accepted }),
    inFull: () => readInFull,
  };
}

it('a project whose losses are all accepted has arrived, until one is no longer accepted or a comparison finds another one', () => {
  const { store, ledger, id, importJob, state } = status();
  const reconciliation = store.reconciliation(id, failedProjectId);
  if (reconciliation === null) throw new Error('It was not compared.');
  const refs = ledger.findByImport(importJob).map(({ ref }) => ref);
  // A listed failure exists for 100 of the missing records.
  const missing = reconciliation.missing.slice(0, refs.length);
  const rows = reconciliation.rows.map((row) => (row.relation === 'issues' ? { ...row, target: 100 } : row));
  const explained = { ...reconciliation, rows, missing, missingCount: missing.length };
  store.saveReconciliation(id, failedProjectId, explained);
  expect(state()).toBe('differs');
  ledger.setState(refs, 'accepted', 'known', 1_000);
  expect(state()).toBe('arrived');
  ledger.setState(refs.slice(0, 1), 'open', null, 2_000);
  expect(state()).toBe('differs');
  ledger.setState(refs.slice(0, 1), 'accepted', 'known', 3_000);
  expect(state()).toBe('arrived');
  store.saveReconciliation(id, failedProjectId, {
    ...explained,
    missing: [...missing, ...reconciliation.missing.slice(-1)],
    missingCount: missing.length + 1,
  });
  expect(state()).toBe('differs');
});

it('a poll reads a comparison in full only if a loss of it was accepted, and several polls read it once', () => {
  const { ledger, importJob, inFull, projects } = status();
  projects();
  expect(inFull()).toBe(0);
  ledger.setState(
    ledger.findByImport(importJob).map(({ ref }) => ref),
    'accepted',
    'known',
    1_000,
  );
  for (let poll = 0; poll < 3; poll += 1) projects();
  expect(inFull()).toBe(1);
});

it('losses without a listed failure are accepted one by one, together with listed failures, and are opened again', () => {
  const { store, ledger, acceptances, differences, id, importJob, state, accepted } = status();
  const reconciliation = store.reconciliation(id, failedProjectId);
  if (reconciliation === null) throw new Error('It was not compared.');
  const shown = () => differences.list(id, failedProjectId);
  const setAcceptance = (
    to: 'accepted' | 'open',
    note: string | null,
    refs = shown().map(({ ref }) => ref),
  ) => refs.map((ref) => differences.setAcceptance(ref, to, note, 5_000).changed);
  const open = () => shown().filter((difference) => difference.open > 0).length;
  // GitLab listed failures for 100 of the 150 records.
  expect([open(), state(), accepted()]).toEqual([150, 'differs', { project: 0, migration: 0 }]);
  expect(setAcceptance('accepted', 'known')).not.toContain(false);
  expect([open(), state(), accepted()]).toEqual([0, 'arrived', { project: 150, migration: 150 }]);
  expect(
    ledger
      .findByImport(importJob)
      .every((failure) => failure.state === 'accepted' && failure.note === 'known'),
  ).toBe(true);
  expect(acceptances.listForProject(id, failedProjectId)).toHaveLength(50);
  expect(setAcceptance('accepted', 'known')).not.toContain(true);

  // Another acceptance of the same loss replaces the first one.
  const unlisted = shown().at(-1)?.ref ?? '';
  expect(setAcceptance('accepted', 'better known', [unlisted])).toEqual([true]);
  expect(acceptances.listForProject(id, failedProjectId)).toHaveLength(50);
  expect(shown().at(-1)?.accepted).toEqual({ note: 'better known', at: '1970-01-01T00:00:05.000Z' });

  expect(setAcceptance('open', null, [unlisted])).toEqual([true]);
  expect([open(), state(), accepted()]).toEqual([1, 'differs', { project: 149, migration: 149 }]);
  expect(setAcceptance('accepted', 'known', [unlisted])).toEqual([true]);

  // A loss that only a later comparison finds is open, and a loss that it no longer finds is not listed.
  const rows = reconciliation.rows.map((row) =>
    row.relation === 'relation_1' ? { ...row, target: 198 } : row,
  );
  store.saveReconciliation(id, failedProjectId, { ...reconciliation, rows });
  expect([open(), state(), accepted().project]).toEqual([1, 'differs', 150]);
  const [grown] = shown().filter((difference) => difference.open > 0);
  expect(setAcceptance('accepted', 'known', [grown?.ref ?? ''])).toEqual([true]);
  expect(state()).toBe('arrived');
  const less = reconciliation.rows.map((row) =>
    row.relation === 'relation_1' ? { ...row, target: 190 } : row,
  );
  store.saveReconciliation(id, failedProjectId, { ...reconciliation, rows: less });
  expect(shown().filter((difference) => difference.open > 0)).toMatchObject([
    { relation: 'relation_1', missing: 10, open: 8 },
  ]);
  // The ref from before more was lost does not accept the later losses.
  expect(() => setAcceptance('accepted', 'known', [grown?.ref ?? ''])).toThrow(/shows another count/);
  expect(state()).toBe('differs');
  store.saveReconciliation(id, failedProjectId, {
    ...reconciliation,
    reconciled: true,
    rows: [],
    missing: [],
    missingCount: 0,
  });
  expect([shown(), state(), accepted().project]).toEqual([[], 'arrived', 100]);
});

it('a project whose list of failures may be cut is counted once it has arrived', () => {
  const { store, ledger, importJob, id, state, migration } = status();
  expect([state(), migration().arrivedWithUnlistedFailures]).toEqual(['differs', 0]);
  const stored = store.reconciliation(id, failedProjectId);
  if (stored === null) throw new Error('It was not compared.');
  const refs = ledger.findByImport(importJob).map(({ ref }) => ref);
  ledger.setState(refs, 'accepted', 'known', 1_000);
  const agreed = { reconciled: true, rows: [], missing: [], missingCount: 0, depth: 'fields' as const };
  store.saveReconciliation(id, failedProjectId, { ...stored, ...agreed });
  expect([state(), migration().arrivedWithUnlistedFailures]).toEqual(['arrived', 1]);
});

it('a project has the depth of its last comparison, and the sum of arrived projects counts those compared in part', () => {
  const { store, ledger, importJob, id, state, depth, migration } = status();
  const refs = ledger.findByImport(importJob).map(({ ref }) => ref);
  ledger.setState(refs, 'accepted', 'known', 1_000);
  const stored = store.reconciliation(id, failedProjectId);
  if (stored === null) throw new Error('It was not compared.');
  const { depth: _, ...withoutDepth } = stored;
  const agreed = { ...withoutDepth, reconciled: true, rows: [], missing: [], missingCount: 0 };
  const seen = (change: Partial<Reconciliation>) => {
    store.saveReconciliation(id, failedProjectId, { ...agreed, ...change } as Reconciliation);
    const { projects, comparedInPart } = migration();
    return { state: state(), depth: depth(), inPart: comparedInPart, uncompared: projects.uncompared };
  };
  const before = seen({ depth: 'contents' });
  expect(before).toMatchObject({ state: 'arrived', depth: 'contents' });
  expect(seen({ depth: 'fields' })).toEqual({ ...before, depth: 'fields', inPart: before.inPart + 1 });
  // An older version stored no depth, and had compared names at most.
  expect(seen({})).toEqual({
    ...before,
    ...{ state: 'uncompared', depth: 'names', uncompared: before.uncompared + 1 },
  });
});
