/** @file The independent verifier contradicts a stored comparison that reports too little or too much. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { isWithoutPython } from '../../verifier/run-verifier.ts';
import { openMigrationScene } from '../../support/migrations/migration-scene.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const lossOf = (relation: string, field: string): string => `a loss on-import of ${relation}, ${field}`;

/** Replaces the stored comparison by one that reports no loss of a record, and a loss of this setting. */
function falsifyComparison(dataDir: string, attribute: string): void {
  const setting = { attribute, expected: '7200', found: '3600', lost: 'on-import' };
  const database = new Database(join(dataDir, 'catalogue.sqlite'));
  try {
    database
      .prepare(
        `UPDATE migration_comparisons SET reconciliation =
          json_set(reconciliation, '$.reconciled', json('true'), '$.missing', json('[]'), '$.settings', json(?))`,
      )
      .run(JSON.stringify([setting]));
  } finally {
    database.close();
  }
}

it.skipIf(isWithoutPython())(
  'an unreported loss, a loss that did not happen, and a wrong verdict are disagreements',
  async () => {
    const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 16 } });
    onTestFinished(() => scene.close());
    const path = scene.source.state.paths.find((name) => name.endsWith('/caravan-2')) ?? '';
    scene.target.faults.add({
      match: { method: 'POST', path: '/projects/import$' },
      action: {
        kind: 'change-records',
        relation: 'milestones',
        count: 1,
        values: { due_date: '2031-01-02' },
      },
    });
    const { id } = await scene.migration([path]);
    await scene.start(id);
    await scene.until(id, ({ status }) => status === 'ended');
    expect(await scene.verify()).toEqual({ verified: 1, disagreements: [] });

    falsifyComparison(scene.dataDir, 'build_timeout');
    expect((await scene.verify()).disagreements).toEqual([
      `${path}: the product does not report ${lossOf('milestones, 3', 'due_date')} (lost)`,
      `${path}: only the product finds ${lossOf('settings', 'build_timeout')}`,
      `${path}: the product says that nothing is lost`,
    ]);
  },
);
