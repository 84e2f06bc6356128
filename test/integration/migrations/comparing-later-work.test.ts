/** Work on a source shortly before or after its export is no loss, even if the clock of the source is wrong. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { MigratingProject } from '../../../src-contract/migrations/migration.ts';
import type { Reconciliation } from '../../../src-contract/transfers/import.ts';
import { ShiftedClock } from '../../support/clocks/shifted-clock.ts';
import {
  openMigrationScene,
  storedReconciliations,
  type MigrationScene,
} from '../../support/migrations/migration-scene.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const path = 'atlas/compass';
const minute = 60_000;

async function opened(options: Parameters<typeof openMigrationScene>[1]): Promise<MigrationScene> {
  const scene = await openMigrationScene(temporaryFolder(), options);
  onTestFinished(() => scene.close());
  return scene;
}

async function migrated(scene: MigrationScene): Promise<string> {
  const { id } = await scene.migration([path]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  return id;
}

async function readResult(
  scene: MigrationScene,
  id: string,
): Promise<{ project: MigratingProject | undefined; reconciliation: Reconciliation | undefined }> {
  const [project] = await scene.projects(id);
  return { project, reconciliation: storedReconciliations(scene.dataDir).get(path) };
}

function addIssue({ source }: MigrationScene, iid: number, at: number): void {
  const times = { created_at: new Date(at).toISOString(), updated_at: new Date(at).toISOString() };
  source.state.append(path, 'issues', { title: `Issue ${iid}`, iid, state: 'opened', notes: [], ...times });
}

async function addMember({ source }: MigrationScene): Promise<void> {
  const { administrator } = source.tokens;
  const send = async (below: string, body?: object): Promise<Response> =>
    fetch(`${source.url}/api/v4/${below}`, {
      headers: { 'PRIVATE-TOKEN': administrator, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
  const [user] = (await (await send('users?username=guest')).json()) as { id: number }[];
  const created = await send(`projects/${encodeURIComponent(path)}/members`, {
    ...{ user_id: user?.id, access_level: 30 },
  });
  expect(created.status).toBe(201);
}

describe.each([
  ['ahead of', 10 * minute],
  ['behind', -10 * minute],
])('with a source whose clock is %s ours', (_, shift) => {
  it('an issue from before the export arrives, and later work is not reported as missing', async () => {
    const clock = new ShiftedClock(Date.now() + shift);
    const scene = await opened({ source: { projectCount: 1, clock } });
    // With the wrong clock, one of these times would be on the other side of the export.
    addIssue(scene, 900, clock.now() - 5 * minute);
    scene.source.state.change(path, { lastActivityAt: clock.now() - 5 * minute });
    const id = await migrated(scene);
    const before = await readResult(scene, id);
    expect(before.project).toMatchObject({ state: 'arrived', changedSince: null });
    expect(before.reconciliation?.declared).toContainEqual(
      expect.stringMatching(/whether the source changed later is not/),
    );

    addIssue(scene, 901, clock.now() + 2_000);
    scene.source.state.append(path, 'labels', { title: 'Later', color: '#112233' });
    await addMember(scene);
    // GitLab records an activity at most once an hour, and none for labels and members.
    scene.source.state.change(path, { lastActivityAt: clock.now() - 5 * minute });
    await scene.client.call('migration.reconcile', { migration: id, project: path });
    const { project, reconciliation } = await readResult(scene, id);
    expect(reconciliation).toMatchObject({ missing: [], reconciled: true });
    expect(reconciliation?.declared).toContainEqual(
      expect.stringMatching(/may be newer than the export.*labels \(1\)/),
    );
    expect(project).toMatchObject({ state: 'arrived', changedSince: null });

    scene.source.state.change(path, { lastActivityAt: clock.now() + minute });
    await scene.client.call('migration.reconcile', { migration: id, project: path });
    expect((await readResult(scene, id)).project?.changedSince).not.toBeNull();
  });
});

it('an issue that is created while the export waits for its turn is in the archive and counts as no later change', async () => {
  const scene = await opened({ source: { projectCount: 1, speed: { exportStartedMs: 2500 } } });
  const { source } = scene;
  const otherExport = await fetch(`${source.url}/api/v4/projects/${encodeURIComponent(path)}/export`, {
    method: 'POST',
    headers: { 'PRIVATE-TOKEN': source.tokens.administrator },
  });
  expect(otherExport.status).toBe(202);
  const { id } = await scene.migration([path]);
  await scene.start(id);
  await scene.until(id, ({ projects }) => projects.exporting > 0);
  addIssue(scene, 900, Date.now());
  const exportRequests = source.requests.filter(
    (request) => request.method === 'POST' && request.path.endsWith('/export'),
  );
  expect(exportRequests).toHaveLength(1);
  await scene.until(id, ({ status }) => status === 'ended');
  const { project, reconciliation } = await readResult(scene, id);
  expect(project).toMatchObject({ state: 'arrived', changedSince: null });
  expect(reconciliation?.rows.find(({ relation }) => relation === 'issues')).toMatchObject({
    verdict: 'equal',
  });
  expect(reconciliation?.declared.join(' ')).not.toMatch(/settings were compared with the archive/);
  const { relations } = await scene.target.state.project(path);
  expect(relations['issues']?.map(({ iid }) => iid)).toContain(900);
}, 20_000);
