import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { exportArchive, lines } from '../../support/archives/export-archive.ts';
import { openMigrationScene } from '../../support/migrations/migration-scene.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ended } from '../../support/world.ts';

const path = 'archives/wagon';
const times = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' };
const milestones = Array.from({ length: 1200 }, (_, at) => ({
  ...{ iid: at + 1, title: `Milestone ${at + 1}`, state: 'active', ...times },
}));
const issues = Array.from({ length: 5 }, (_, at) => ({
  ...{ iid: at + 1, title: `Issue ${at + 1}`, state: 'opened', author_id: 1, notes: [], ...times },
}));

it('missing records of one relation are named however many of another are missing, and all of them can be imported again', async () => {
  const file = join(temporaryFolder(), 'wagon.tar.gz');
  const records = {
    'tree/project/milestones.ndjson': lines(...milestones),
    'tree/project/issues.ndjson': lines(...issues),
  };
  writeFileSync(file, await exportArchive(records));
  const scene = await openMigrationScene(temporaryFolder(), { source: { seedArchives: [file] } });
  onTestFinished(() => scene.close());
  for (const [relation, count] of [
    ['milestones', 1100],
    ['issues', 3],
  ] as const) {
    scene.target.faults.add({
      match: { method: 'POST', path: '/projects/import$', nth: 1 },
      action: { kind: 'drop-records', relation, count },
    });
  }
  const { id } = await scene.migration([path]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  const target = { migration: id, project: path };
  const { reconciliation } = await scene.client.call('migration.reconciliation', target);
  expect(reconciliation).toMatchObject({
    missingCount: 1103,
    unnamed: [{ relation: 'milestones', count: 103 }],
  });
  expect(reconciliation?.missing.filter(({ relation }) => relation === 'issues')).toHaveLength(3);

  for (const relation of ['issues', 'milestones'] as const) {
    const { runId } = await scene.client.call('migration.retry', { ...target, relation, records: 'missing' });
    await ended({ ...scene, dataDir: scene.dataDir }, runId);
  }
  await scene.until(id, ({ projects }) => projects.arrived === 1);
  const { relations } = await scene.target.state.project(path);
  expect(relations['issues']).toHaveLength(5);
  expect(relations['milestones']).toHaveLength(1200);
}, 30_000);
