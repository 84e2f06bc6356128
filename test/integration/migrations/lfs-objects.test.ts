/** @file LFS objects are compared by their ids. */
import { expect, it, onTestFinished } from 'vitest';
import type { FaultAction } from '../../../src-main/sandbox/faults/fault-kinds.ts';
import { openMigrationScene, storedReconciliations } from '../../support/migrations/migration-scene.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const project = 'atlas/almanac';

async function migrateWith(side: 'source' | 'target', path: string, action: FaultAction) {
  const scene = await openMigrationScene(temporaryFolder(), {
    // The archive then has two objects.
    source: { projectCount: 4, areProjectsLight: false },
  });
  onTestFinished(() => scene.close());
  scene[side].faults.add({ match: { method: 'POST', path }, action });
  const { id } = await scene.migration([project]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  return { scene, reconciliation: storedReconciliations(scene.dataDir).get(project) };
}

it('an import that has another object of the same size lost the archived one', async () => {
  const action = { kind: 'change-files', of: 'lfs-objects', count: 1 } as const;
  const { scene, reconciliation } = await migrateWith('target', '/projects/import$', action);
  const [loss] = scene.target.state.losses;
  expect(reconciliation).toMatchObject({ reconciled: false, missingCount: 1 });
  expect(reconciliation?.missing).toMatchObject([
    { relation: 'lfs_objects', lost: 'on-import', title: expect.stringContaining(`${loss?.name}`) as string },
  ]);
  const row = reconciliation?.rows.find(({ relation }) => relation === 'lfs_objects_size');
  expect(row?.verdict).toBe('equal');
});

it('an archive that lists an object without containing it lost the object on export', async () => {
  const action = { kind: 'drop-files', of: 'lfs-objects', count: 1, isListed: true } as const;
  const { scene, reconciliation } = await migrateWith('source', '/export$', action);
  const [loss] = scene.source.state.losses;
  expect(reconciliation?.missing).toMatchObject([
    { relation: 'lfs_objects', lost: 'on-export', title: loss?.name },
  ]);
});

it.each([401, 403, 404, 501])(
  'a Git server that refuses with %i leaves the objects unknown, and the comparison in part',
  async (status) => {
    const action = { kind: 'respond', status, body: { message: 'no' } } as const;
    const { reconciliation } = await migrateWith('target', '/info/lfs/objects/batch$', action);
    expect(reconciliation).toMatchObject({ missing: [], depth: 'fields' });
    expect(reconciliation?.declared.join()).toContain(
      'Whether the target has each of the 2 LFS objects is not known',
    );
  },
);
