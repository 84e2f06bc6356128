/** A loss that a comparison found stays a loss while later comparisons cannot compare what was lost. */
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { dayMs } from '../../../src-contract/bounds.ts';
import type { Reconciliation } from '../../../src-contract/transfers/import.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import type { FaultAction } from '../../../src-main/sandbox/faults/fault-kinds.ts';
import {
  openMigrationScene,
  storedReconciliations,
  type MigrationScene,
} from '../../support/migrations/migration-scene.ts';
import { isOfRecipe, noDelays } from '../../support/migrations/losing-migrations.ts';
import { archiveFilter } from '../../support/requests.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function opened(projectCount: number): Promise<MigrationScene> {
  const speed = noDelays;
  const scene = await openMigrationScene(temporaryFolder(), {
    source: { projectCount, speed },
    target: { speed },
  });
  onTestFinished(() => scene.close());
  return scene;
}

/** Takes a project made by that recipe, which nobody has used for a month. */
function quietProject({ source: { state } }: MigrationScene, recipe: string, taken: string[]): string {
  const path = state.paths.find((each) => isOfRecipe(each, recipe) && !taken.includes(each)) ?? '';
  const at = systemClock.now() - 30 * dayMs;
  state.change(path, { lastActivityAt: at, updatedAt: at });
  taken.push(path);
  return path;
}

async function migrate(scene: MigrationScene, paths: readonly string[]) {
  const { id } = await scene.migration(paths);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  await scene.assertVerified();
  return {
    first: storedReconciliations(scene.dataDir),
    compareAgain: async (project: string) => {
      const { reconciliation } = await scene.client.call('migration.reconcile', { migration: id, project });
      await scene.assertVerified();
      return reconciliation;
    },
  };
}

const lossesOf = ({ missing, rows }: Reconciliation) => ({
  missing,
  rows: rows.filter(({ verdict }) => verdict.startsWith('lost')),
});

const lostOnExport: [recipe: string, action: FaultAction][] = [
  ['almanac', { kind: 'drop-files', of: 'wiki', count: 1 }],
  ['almanac', { kind: 'drop-files', of: 'lfs-objects', count: 1 }],
  ['lighthouse', { kind: 'drop-refs', of: 'branches', count: 1 }],
  ['caravan', { kind: 'drop-records', relation: 'protected_branches', count: 1 }],
  ['ferry', { kind: 'drop-diffs', count: 1 }],
];

it('a loss on export stays a loss if the source is used again, and if the source can no longer be read', async () => {
  const scene = await opened(16);
  const { source } = scene;
  const paths: string[] = [];
  for (const [recipe, action] of lostOnExport)
    source.faults.add({ match: { project: quietProject(scene, recipe, paths), method: 'POST' }, action });
  const { first, compareAgain } = await migrate(scene, paths);
  const found = new Map([...first].map(([path, reconciliation]) => [path, lossesOf(reconciliation)]));
  for (const { missing, rows } of found.values()) expect(missing.length + rows.length).toBeGreaterThan(0);

  for (const path of paths) {
    source.state.change(path, { lastActivityAt: systemClock.now() + 60_000 });
    const { relations } = await source.state.project(path);
    for (const record of relations['merge_requests'] ?? [])
      record['updated_at'] = new Date(systemClock.now() + 60_000).toISOString();
  }
  const later = new Map<string, Reconciliation>();
  for (const path of paths) later.set(path, await compareAgain(path));
  for (const [path, reconciliation] of later) {
    expect(reconciliation.reconciled).toBe(false);
    const { missing, rows } = lossesOf(reconciliation);
    // Named records stay lost without their number.
    if (missing.length > 0) expect(missing).toEqual(found.get(path)?.missing);
    else expect(rows).toEqual(found.get(path)?.rows);
  }

  await scene.leaveUnverified('an instance has gone');
  await source.close();
  for (const path of paths) {
    const { reconciled, declared } = await compareAgain(path);
    expect(reconciled).toBe(false);
    expect(declared.join()).not.toContain('reports no time of its last activity');
  }
});

it('a loss on import stays a loss if its part or the archive cannot be read for a while', async () => {
  const scene = await opened(8);
  const { target } = scene;
  const [recolored, withoutNote] = [quietProject(scene, 'zolw', []), quietProject(scene, 'ferry', [])];
  const values = { color: '#0c0c0c' };
  target.faults.add({
    match: { project: recolored, method: 'POST' },
    action: { kind: 'change-records', relation: 'labels', values, count: 1 },
  });
  target.faults.add({
    match: { project: withoutNote, method: 'POST' },
    action: { kind: 'drop-notes', relation: 'issues', system: true, count: 1 },
  });
  const { first, compareAgain } = await migrate(scene, [recolored, withoutNote]);
  const losses = (path: string) => first.get(path)?.missing ?? [];
  expect(losses(recolored)).toMatchObject([{ part: { name: 'color' } }]);
  expect(losses(withoutNote)).toMatchObject([{ relation: 'issues', lost: 'on-import' }]);

  await scene.leaveUnverified('a part cannot be read for a while');
  target.faults.add({
    match: { project: withoutNote, path: '/discussions' },
    action: { kind: 'respond', status: 403, body: { message: '403 Forbidden' } },
  });
  expect((await compareAgain(withoutNote)).missing).toEqual(losses(withoutNote));

  const { archives } = await scene.client.call('archive.list', archiveFilter());
  const file = archives.find(({ fullPath }) => fullPath === recolored)?.absolutePath ?? '';
  const bytes = readFileSync(file);
  truncateSync(file, bytes.length - 10);
  expect(await compareAgain(recolored)).toMatchObject({ reconciled: false, missing: losses(recolored) });
  writeFileSync(file, bytes);
  expect(await compareAgain(recolored)).toMatchObject({ reconciled: false, missing: losses(recolored) });
});

it('a note that an export lost stays lost if somebody edits it on the source', async () => {
  const scene = await opened(8);
  const { source } = scene;
  const project = quietProject(scene, 'ferry', []);
  source.faults.add({
    match: { project, method: 'POST' },
    action: { kind: 'change-notes', relation: 'issues', count: 1, values: { note: 'cut' } },
  });
  const { first, compareAgain } = await migrate(scene, [project]);
  const lost = first.get(project)?.missing ?? [];
  expect(lost).toMatchObject([
    { lost: 'on-export', part: { name: expect.stringMatching(/^text of the note/) as string } },
  ]);

  const { relations } = await source.state.project(project);
  const updatedAt = new Date(systemClock.now() + 60_000).toISOString();
  for (const issue of relations['issues'] ?? []) {
    issue['updated_at'] = updatedAt;
    for (const note of (issue['notes'] ?? []) as Record<string, unknown>[])
      Object.assign(note, { note: `${String(note['note'])}, and more`, updated_at: updatedAt });
  }
  expect(await compareAgain(project)).toMatchObject({ reconciled: false, missing: lost });
});

it('lost changes of a merge request stay lost if somebody comments on it on the target', async () => {
  const scene = await opened(8);
  const { target } = scene;
  const project = quietProject(scene, 'ferry', []);
  target.faults.add({ match: { project, method: 'POST' }, action: { kind: 'drop-diffs', count: 1 } });
  const { first, compareAgain } = await migrate(scene, [project]);
  const changes = { relation: 'merge_requests', lost: 'on-import', part: { name: 'changes' } };
  expect(first.get(project)?.missing).toMatchObject([changes]);

  const { relations } = await target.state.project(project);
  const updatedAt = new Date(systemClock.now() + 60_000).toISOString();
  for (const request of relations['merge_requests'] ?? []) request['updated_at'] = updatedAt;
  expect(await compareAgain(project)).toMatchObject({ reconciled: false, missing: [changes] });
});
