import { expect, it, onTestFinished } from 'vitest';
import { openMigrationScene, storedReconciliations } from '../../support/migrations/migration-scene.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it.each([
  ['on-export', 'source', '/export$'],
  ['on-import', 'target', '/projects/import$'],
] as const)(
  'an uploaded file whose content changed %s is named, although its name and size are the same',
  async (lost, side, path) => {
    const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 4 } });
    onTestFinished(() => scene.close());
    const project = 'atlas/almanac';
    scene[side].faults.add({
      match: { method: 'POST', path, project },
      action: { kind: 'change-files', of: 'uploads', count: 1 },
    });
    const { id } = await scene.migration([project]);
    await scene.start(id);
    await scene.until(id, ({ status }) => status === 'ended');
    const reconciliation = storedReconciliations(scene.dataDir).get(project);
    expect(reconciliation).toMatchObject({ reconciled: false, missingCount: 1 });
    expect(reconciliation?.missing).toMatchObject([{ relation: 'uploads', lost, part: { name: 'content' } }]);
  },
);
