/** @file A migration to an instance of a lower tier names the settings that did not arrive for certain. */
import { expect, it, onTestFinished } from 'vitest';
import type { Reconciliation } from '../../../src-contract/transfers/import.ts';
import {
  openMigrationScene,
  storedReconciliations,
  type MigrationScene,
} from '../../support/migrations/migration-scene.ts';
import { noDelays } from '../../support/migrations/losing-migrations.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const [changed, untouched] = ['atlas/compass', 'atlas/tools/caravan-2'];

async function edit({ url, tokens }: MigrationScene['source'], path: string, body: object): Promise<void> {
  const reply = await fetch(`${url}/api/v4/projects/${encodeURIComponent(path)}`, {
    ...{ method: 'PUT', body: JSON.stringify(body) },
    headers: { 'PRIVATE-TOKEN': tokens.administrator, 'content-type': 'application/json' },
  });
  expect(reply.status).toBe(200);
}

it('settings of Premium are named on a Free tier with their values, and prevent the depth contents; others are not named', async () => {
  const scene = await openMigrationScene(temporaryFolder(), {
    source: { projectCount: 16, areProjectsLight: true, speed: noDelays },
    target: { speed: noDelays, tier: 'free' },
  });
  onTestFinished(() => scene.close());
  await edit(scene.source, changed, { issues_template: 'Steps', approvals_before_merge: 2 });
  const { id } = await scene.migration([changed, untouched]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  const stored = storedReconciliations(scene.dataDir);
  const declarations = (path: string): string => stored.get(path)?.declared.join(' ') ?? '';
  expect(stored.get(changed)).toMatchObject({
    settings: [],
    depth: 'fields',
  } satisfies Partial<Reconciliation>);
  expect(declarations(changed)).toContain('issues_template was Steps; approvals_before_merge was 2.');
  expect(declarations(untouched)).not.toContain('does not show these settings');
  expect(stored.get(untouched)).toMatchObject({ settings: [] });
});

it('a setting that only the target has is named, and is no loss', async () => {
  const scene = await openMigrationScene(temporaryFolder(), {
    source: { projectCount: 16, areProjectsLight: true, speed: noDelays },
    target: { speed: noDelays },
  });
  onTestFinished(() => scene.close());
  await edit(scene.source, untouched, { merge_commit_template: '' });
  const { id } = await scene.migration([untouched]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  const [imported] = [...storedReconciliations(scene.dataDir).values()];
  expect(imported?.declared.join()).not.toContain('Only the target has');
  await edit(scene.target, untouched, { merge_commit_template: '%{title}' });
  await scene.client.call('migration.reconcile', { migration: id, project: untouched });
  const compared = storedReconciliations(scene.dataDir).get(untouched);
  expect(compared).toMatchObject({ settings: [], depth: 'fields' });
  expect(compared?.declared.join()).toContain('merge_commit_template is %{title} and was not set');
});
