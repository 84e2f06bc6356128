import { expect, it, onTestFinished, describe } from 'vitest';
import { openMigrationScene, storedReconciliations } from '../../support/migrations/migration-scene.ts';
import { realArchive, withoutRealArchives } from '../../support/archives/real-archives.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The records of each archive that are missing after its migration; none if it is reconciled. */
const missingByArchive: Record<string, object[]> = {
  'gitlab-15.10-minimal': [],
  'gitlab-13.8-sample': [],
  // Each merge request of this archive has a count of changed files but contains none of them.
  'gitlab-11-legacy': Array.from({ length: 9 }, (_, line) => ({
    relation: 'merge_requests',
    lost: 'on-export',
    line,
    part: expect.objectContaining({ name: 'changes', found: 0 }) as object,
  })),
  'gitlab-17.11-appledouble': [],
  lightweight: [],
  'invalid-milestone': [{ relation: 'milestones', lost: 'on-import', line: 0 }],
  'nested-diffnote': [
    {
      relation: 'merge_requests',
      lost: 'on-import',
      line: 0,
      part: { name: 'notes', expected: 2, found: 1, missing: ['2019-11-25T19:44:55.000Z: Diff comment!'] },
    },
  ],
};

describe.skipIf(withoutRealArchives)('real archives as projects of a source', () => {
  it('are migrated and reconciled, or their missing records are named', async () => {
    const names = Object.keys(missingByArchive);
    const scene = await openMigrationScene(temporaryFolder(), {
      source: { seedArchives: names.map(realArchive) },
    });
    onTestFinished(() => scene.close());
    expect(scene.source.skippedArchives).toEqual([]);
    const { id } = await scene.migration(scene.source.state.paths);
    await scene.start(id);
    await scene.until(id, ({ status }) => status === 'ended');
    const reconciliations = storedReconciliations(scene.dataDir);
    const found = names.map((name) => {
      const { reconciled, missing, settings } = reconciliations.get(`archives/${name}`) ?? {};
      return [name, { reconciled, missing, settings }];
    });
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(
        names.map((name) => {
          const lost = missingByArchive[name] ?? [];
          const missing = lost.map((record) => expect.objectContaining(record) as object);
          return [name, { reconciled: lost.length === 0, missing, settings: [] }];
        }),
      ),
    );
    const states = (await scene.projects(id)).map(({ sourcePath, state }) => [sourcePath, state]);
    expect(Object.fromEntries(states)).toEqual(
      Object.fromEntries(
        names.map((name) => [
          `archives/${name}`,
          missingByArchive[name]?.length === 0 ? 'arrived' : 'differs',
        ]),
      ),
    );
  });
});
