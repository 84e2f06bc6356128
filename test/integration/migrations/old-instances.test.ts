import { describe, expect, it, onTestFinished } from 'vitest';
import { openMigrationScene, storedReconciliations } from '../../support/migrations/migration-scene.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The last version without a list of uploads. */
const version = '17.1.3';
const path = 'atlas/compass';

describe('a migration with an instance that cannot list uploads', () => {
  it.each(['source', 'target'] as const)(
    'as its %s ends, and does not count the uploads of that side',
    async (side) => {
      const both = { source: { projectCount: 1 }, target: {} };
      const scene = await openMigrationScene(temporaryFolder(), {
        ...both,
        [side]: { ...both[side], version },
      });
      onTestFinished(() => scene.close());
      const { id } = await scene.migration([path]);
      await scene.start(id);
      await scene.until(id, ({ status }) => status === 'ended');
      const { rows = [] } = storedReconciliations(scene.dataDir).get(path) ?? {};
      expect(rows.find(({ relation }) => relation === 'uploads')).toMatchObject({ [side]: null });
      const request = { migration: id, project: path };
      await expect(scene.client.call('migration.reconcile', request)).resolves.toMatchObject({
        reconciliation: {},
      });
    },
  );
});
