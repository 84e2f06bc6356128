/** @file Groups that a project is shared with and fork relations, which no export contains. */
import { expect, it, onTestFinished } from 'vitest';
import { roles } from '../../../src-main/sandbox/sandbox-database.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { openMigrationScene, storedReconciliations } from '../../support/migrations/migration-scene.ts';
import { SandboxCalls } from '../../support/servers/sandbox-calls.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const path = 'atlas/compass';

async function share(sandbox: Sandbox, level: number): Promise<void> {
  const calls = new SandboxCalls(sandbox, sandbox.tokens.administrator);
  const { id } = (await calls.get('/groups/borealis')) as { id: number };
  const below = `/projects/${encodeURIComponent(path)}/share`;
  await calls.call(below, 'POST', { group_id: id, group_access: level });
}

it('a group that loses its access is named by each comparison until the target is shared with it, too', async () => {
  const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 1 } });
  onTestFinished(() => scene.close());
  await share(scene.source, roles.maintainer);
  const { id: migration } = await scene.migration([path]);
  await scene.start(migration);
  await scene.until(migration, ({ status }) => status === 'ended');
  const compared = () => storedReconciliations(scene.dataDir).get(path);
  expect(compared()).toMatchObject({ reconciled: true, missing: [], settings: [], depth: 'contents' });
  const sentence = expect.stringMatching(
    /groups that the project is shared with.*: borealis \(Maintainer\)\.$/,
  ) as unknown;
  expect(compared()?.declared).toContainEqual(sentence);

  await share(scene.target, roles.maintainer);
  await scene.client.call('migration.reconcile', { migration, project: path });
  expect(compared()?.declared).not.toContainEqual(sentence);
});
