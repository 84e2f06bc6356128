import { expect, it, onTestFinished } from 'vitest';
import { openMigrationScene } from '../../support/migrations/migration-scene.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('a retry of lost notes is rejected, because a part of a record cannot be imported alone, and sends nothing', async () => {
  const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 1 } });
  onTestFinished(() => scene.close());
  const [project = ''] = scene.source.state.paths;
  scene.target.faults.add({
    match: { method: 'POST', path: '/projects/import$', project },
    action: { kind: 'drop-notes', relation: 'issues', count: 1 },
  });
  const { id } = await scene.migration([project]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  const { reconciliation } = await scene.client.call('migration.reconciliation', { migration: id, project });
  expect(reconciliation?.missing).toMatchObject([{ relation: 'issues', part: { name: 'notes' } }]);
  const sent = scene.target.requests.length;
  const retry = { migration: id, project, relation: 'issues', records: 'missing' } as const;
  await expect(scene.client.call('migration.retry', retry)).rejects.toThrow(
    /^No complete record of issues .* 1 record is there without a part, such as a note, and a part cannot be imported alone/,
  );
  expect(scene.target.requests).toHaveLength(sent);
});
