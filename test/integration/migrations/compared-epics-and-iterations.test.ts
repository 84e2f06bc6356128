/** @file Comparisons of the epics and iterations of issues, which belong to groups. */
import { expect, it, onTestFinished } from 'vitest';
import type { Reconciliation } from '../../../src-contract/transfers/import.ts';
import { comparisonOf, migrate, openFastScene } from '../../support/migrations/false-lists.ts';
import { openMigrationScene, type MigrationScene } from '../../support/migrations/migration-scene.ts';
import { addIterations, addEpicsAndIterations } from '../../support/migrations/epics-and-iterations.ts';
import { noDelays } from '../../support/migrations/losing-migrations.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A project with several issues. */
const path = 'atlas/tools/caravan-2';

async function compare(scene: MigrationScene): Promise<Reconciliation> {
  await migrate(scene, path);
  return comparisonOf(scene, path);
}

const lostFields = ({ missing }: Reconciliation): string[] => [
  ...new Set(missing.map(({ lost, part }) => `${part?.name ?? ''} ${lost}`)),
];

it('nothing is lost if a group of the target has the iteration', async () => {
  const scene = await openFastScene(16);
  addEpicsAndIterations(scene.source, path);
  addIterations(scene.target, path);
  const compared = await compare(scene);
  expect(compared).toMatchObject({ depth: 'fields', reconciled: true, missing: [] });
  expect(compared.declared.join()).not.toContain('iteration');
});

it('the iteration of each issue with its changes is lost on import if no group of the target has it', async () => {
  const scene = await openFastScene(16);
  addEpicsAndIterations(scene.source, path);
  const compared = await compare(scene);
  expect(compared.reconciled).toBe(false);
  expect(lostFields(compared)).toEqual(['iteration on-import', 'iteration_events on-import']);
  const { relations } = await scene.source.state.project(path);
  expect(compared.missing).toHaveLength(2 * (relations['issues']?.length ?? 0));
});

it('if the target shows no epics and iterations, the comparison says so, and reaches only the depth fields', async () => {
  const scene = await openMigrationScene(temporaryFolder(), {
    source: { projectCount: 16, areProjectsLight: true, speed: noDelays },
    target: { speed: noDelays, tier: 'free' },
  });
  onTestFinished(() => scene.close());
  addEpicsAndIterations(scene.source, path);
  const { depth, declared } = await compare(scene);
  expect(depth).toBe('fields');
  expect(declared.join()).toMatch(/not compared .*epic of issues/);
});
