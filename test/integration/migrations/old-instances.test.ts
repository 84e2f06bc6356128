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

describe('pipelines of a source that does not show the pipeline of a status', () => {
  const declaredOf = async (isSameCommit: boolean): Promise<string> => {
    const scene = await openMigrationScene(temporaryFolder(), {
      source: { projectCount: 8, version: '17.7.1' },
    });
    onTestFinished(() => scene.close());
    const caravan = scene.source.state.paths.find((each) => each.endsWith('/caravan')) ?? '';
    const edits = scene.source.state.edits(caravan);
    const shas = edits.records('ci_pipelines').map(({ sha }) => sha);
    for (const index of shas.keys())
      edits.change('ci_pipelines', index, { sha: isSameCommit ? shas[0] : `${index}`.repeat(40) });
    const { id } = await scene.migration([caravan]);
    await scene.start(id);
    await scene.until(id, ({ status }) => status === 'ended');
    return storedReconciliations(scene.dataDir).get(caravan)?.declared.join(' ') ?? '';
  };

  it('are compared with their external statuses if each has a commit of its own', async () => {
    expect(await declaredOf(false)).not.toContain('jobs of pipelines');
  });

  it('are named as not compared if they share a commit and have an external status', async () => {
    expect(await declaredOf(true)).toContain('jobs of pipelines (');
  });
});
