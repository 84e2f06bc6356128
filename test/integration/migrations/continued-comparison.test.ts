import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openMigrationScene, type MigrationScene } from '../../support/migrations/migration-scene.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const issueCount = 30;

function addIssues({ source }: MigrationScene, path: string): void {
  const times = { created_at: '2026-01-02T03:04:05Z', updated_at: '2026-01-02T03:04:05Z' };
  const note = { note: 'Seen.', system: false, author_id: 1, ...times };
  for (let iid = 100; iid < 100 + issueCount; iid += 1)
    source.state.append(path, 'issues', {
      ...{ title: `Issue ${iid}`, iid, state: 'opened', notes: [note] },
      ...times,
    });
}

it('a comparison that was interrupted continues, and a later one reads everything again', async () => {
  const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 1 } });
  onTestFinished(() => scene.close());
  const [project = ''] = scene.source.state.paths;
  addIssues(scene, project);
  const { id } = await scene.migration([project], { compare: 'counts' });
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  const discussions = ({ requests }: MigrationScene['target']): number =>
    requests.filter(({ path }) => path.includes('/discussions')).length;
  const counts = (): number[] => [discussions(scene.source), discussions(scene.target)];
  scene.target.faults.add({
    match: { method: 'GET', path: '/discussions', nth: 20 },
    action: { kind: 'respond', status: 400 },
  });
  const compare = () =>
    scene.client.call('migration.reconcile', { migration: id, project, compare: 'contents' });
  await expect(compare()).rejects.toThrow();
  const [onSource = 0, onTarget = 0] = counts();
  expect(onSource).toBeGreaterThanOrEqual(issueCount);
  expect(onTarget).toBe(20);

  const continued = await compare();
  // Only the request that failed was sent twice.
  expect(counts()).toEqual([onSource, onSource + 1]);
  expect(readdirSync(join(scene.dataDir, 'comparisons'))).toEqual([]);

  const { reconciliation } = await compare();
  expect(counts()).toEqual([2 * onSource, 2 * onSource + 1]);
  expect({ ...reconciliation, at: '' }).toEqual({ ...continued.reconciliation, at: '' });
});
