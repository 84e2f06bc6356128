import { expect, it, onTestFinished } from 'vitest';
import { systemClock, type Clock } from '../../../src-main/platform/clock.ts';
import { openMigrationScene } from '../../support/migrations/migration-scene.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('a comparison that begins at once after the import finds the same losses however long it takes to read', async () => {
  let hasRead = (): boolean => false;
  // An hour passes while the target is read.
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + (hasRead() ? 3_600_000 : 0) };
  const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 1 }, clock });
  onTestFinished(() => scene.close());
  const [project = ''] = scene.source.state.paths;
  scene.target.faults.add({
    match: { project, method: 'POST' },
    action: { kind: 'change-records', relation: 'labels', count: 1, values: { color: '#123456' } },
  });
  const { id } = await scene.migration([project], { compare: 'counts' });
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  const before = scene.target.requests.length;
  hasRead = () => scene.target.requests.length > before;
  const { reconciliation } = await scene.client.call('migration.reconcile', {
    ...{ migration: id, project, compare: 'contents' },
  });
  // Labels have no time of the last change.
  expect(reconciliation.missing).toMatchObject([{ relation: 'labels', part: { name: 'color' } }]);
  expect(hasRead()).toBe(true);
});
