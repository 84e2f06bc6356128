import { expect, it, onTestFinished } from 'vitest';
import { systemClock, type Clock } from '../../../src-main/platform/clock.ts';
import { openMigrationScene } from '../../support/migrations/migration-scene.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const lost = { relation: 'labels', part: { name: 'color' } };

it.each([
  ['the target is read, finds the same losses', 'target', [lost]],
  ['the source is read before, does not know whether a difference is an edit', 'source', []],
] as const)('a comparison, if an hour passes while %s', async (_, side, losses) => {
  let hasRead = (): boolean => false;
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
  const before = scene[side].requests.length;
  hasRead = () => scene[side].requests.length > before;
  const { reconciliation } = await scene.client.call('migration.reconcile', {
    ...{ migration: id, project, compare: 'contents' },
  });
  // Labels have no time of the last change.
  expect(reconciliation.missing).toMatchObject(losses);
  expect(reconciliation.declared.join().includes('color of labels')).toBe(losses.length === 0);
  expect(hasRead()).toBe(true);
});
