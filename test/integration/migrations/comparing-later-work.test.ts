/** Work on a source around its export, and the clock that it uses: none of it is a loss. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { MigratingProject } from '../../../src-contract/migrations/migration.ts';
import type { Reconciliation } from '../../../src-contract/transfers/import.ts';
import { ShiftedClock } from '../../support/clocks/shifted-clock.ts';
import {
  openMigrationScene,
  storedReconciliations,
  type MigrationScene,
} from '../../support/migrations/migration-scene.ts';
import { folderInMemory } from '../../support/temporary-folder.ts';

const path = 'atlas/compass';
const minute = 60_000;

async function opened(options: Parameters<typeof openMigrationScene>[1]): Promise<MigrationScene> {
  const scene = await openMigrationScene(folderInMemory(), options);
  onTestFinished(() => scene.close());
  return scene;
}

async function migrated(scene: MigrationScene): Promise<string> {
  const { id } = await scene.migration([path]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  return id;
}

async function told(
  scene: MigrationScene,
  id: string,
): Promise<{ project: MigratingProject | undefined; said: Reconciliation | undefined }> {
  const [project] = await scene.projects(id);
  return { project, said: storedReconciliations(scene.dataDir).get(path) };
}

function addIssue({ source }: MigrationScene, iid: number, at: number): void {
  const times = { created_at: new Date(at).toISOString(), updated_at: new Date(at).toISOString() };
  source.state.append(path, 'issues', { title: `Issue ${iid}`, iid, state: 'opened', notes: [], ...times });
}

async function addMember({ source }: MigrationScene): Promise<void> {
  const { administrator } = source.tokens;
  const ask = async (below: string, body?: object): Promise<Response> =>
    fetch(`${source.url}/api/v4/${below}`, {
      headers: { 'PRIVATE-TOKEN': administrator, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
  const [user] = (await (await ask('users?username=guest')).json()) as { id: number }[];
  const made = await ask(`projects/${encodeURIComponent(path)}/members`, {
    ...{ user_id: user?.id, access_level: 30 },
  });
  expect(made.status).toBe(201);
}

describe.each([
  ['ahead of', 10 * minute],
  ['behind', -10 * minute],
])('of a source whose clock is %s ours', (_, shift) => {
  it('what was there before its export has arrived, and what came later is not missing', async () => {
    const clock = new ShiftedClock(Date.now() + shift);
    const scene = await opened({ source: { projectCount: 1, clock } });
    // By the wrong clock, one of them would be on the other side of the export.
    addIssue(scene, 900, clock.now() - 5 * minute);
    scene.source.state.change(path, { lastActivityAt: clock.now() - 5 * minute });
    const id = await migrated(scene);
    const before = await told(scene, id);
    expect(before.project).toMatchObject({ state: 'arrived', changedSince: null });
    expect(before.said?.declared).toContainEqual(
      expect.stringMatching(/whether the source changed later is not/),
    );

    addIssue(scene, 901, clock.now() + 2_000);
    scene.source.state.append(path, 'labels', { title: 'Later', color: '#112233' });
    await addMember(scene);
    // GitLab records an activity once an hour at most, and none for labels and members.
    scene.source.state.change(path, { lastActivityAt: clock.now() - 5 * minute });
    await scene.client.call('migration.reconcile', { migration: id, project: path });
    const { project, said } = await told(scene, id);
    expect(said).toMatchObject({ missing: [], reconciled: true });
    expect(said?.declared).toContainEqual(
      expect.stringMatching(/may be newer than the export.*labels \(1\)/),
    );
    expect(project).toMatchObject({ state: 'arrived', changedSince: null });

    scene.source.state.change(path, { lastActivityAt: clock.now() + minute });
    await scene.client.call('migration.reconcile', { migration: id, project: path });
    expect((await told(scene, id)).project?.changedSince).not.toBeNull();
  });
});

it('work on a source while its export waits for its turn is in the archive, and no change since', async () => {
  const scene = await opened({ source: { projectCount: 1, speed: { exportStartedMs: 2500 } } });
  const { source } = scene;
  const foreign = await fetch(`${source.url}/api/v4/projects/${encodeURIComponent(path)}/export`, {
    method: 'POST',
    headers: { 'PRIVATE-TOKEN': source.tokens.administrator },
  });
  expect(foreign.status).toBe(202);
  const { id } = await scene.migration([path]);
  await scene.start(id);
  await scene.until(id, ({ projects }) => projects.exporting > 0);
  addIssue(scene, 900, Date.now());
  const asked = source.requests.filter((one) => one.method === 'POST' && one.path.endsWith('/export'));
  expect(asked).toHaveLength(1);
  await scene.until(id, ({ status }) => status === 'ended');
  const { project, said } = await told(scene, id);
  expect(project).toMatchObject({ state: 'arrived', changedSince: null });
  expect(said?.rows.find(({ relation }) => relation === 'issues')).toMatchObject({ verdict: 'equal' });
  expect(said?.declared.join(' ')).not.toMatch(/settings were compared with the archive/);
  const { relations } = await scene.target.state.project(path);
  expect(relations['issues']?.map(({ iid }) => iid)).toContain(900);
}, 20_000);
