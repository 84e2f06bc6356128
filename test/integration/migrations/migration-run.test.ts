/**
 * @file Migrations of many projects: faults, waves, pausing, cancelling and late changes.
 *
 * Slow, because 12 projects have to arrive while both instances fail in every way that the sandbox knows.
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { migrateCrowd } from '../../support/migrations/migrated-crowd.ts';
import { openMigrationScene, type MigrationScene } from '../../support/migrations/migration-scene.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';

const projectOf = (path: string): string => decodeURIComponent(/projects\/([^/?]+)/.exec(path)?.[1] ?? '');
const posts = ({ requests }: Sandbox, path: RegExp): string[] =>
  requests
    .filter((request) => request.method === 'POST' && path.test(request.path))
    .map((request) => request.path);

async function opened(
  ...options: Parameters<typeof openMigrationScene> extends [string, ...infer Rest] ? Rest : never
) {
  const scene = await openMigrationScene(temporaryFolder(), ...options);
  onTestFinished(() => scene.close());
  return scene;
}

const statesOf = async (scene: MigrationScene, id: string) =>
  (await scene.projects(id)).map(({ state }) => state);

describe('a migration of many projects', () => {
  it('continues by itself despite all faults of both instances, requests every import once, and stores every failure', async () => {
    const [bad, manyRejected] = [3, 130];
    const { violations, states, failures, imports, lost } = await migrateCrowd(temporaryFolder(), {
      projects: 12,
      bad,
      manyRejected,
      waveSize: null,
    });
    expect(violations).toEqual([]);
    expect(states).toEqual({ arrived: 12 - bad - 1, differs: bad, failed: 1 });
    expect(failures).toEqual({ happened: manyRejected + 2 * 3, known: manyRejected + 2 * 3 });
    expect(imports).toBe(12);
    expect(lost).toBeGreaterThan(0);
  }, 60_000);

  it('starts a wave when the wave before it has ended, even if a project of that wave failed', async () => {
    const scene = await opened({ source: { projectCount: 5 } });
    const { source, target } = scene;
    const paths = source.state.paths.toSorted();
    target.faults.add({
      match: { method: 'POST', project: paths[0] ?? '' },
      action: { kind: 'end-import', as: 'failed' },
    });
    const { id } = await scene.migration(paths, { waveSize: 2 });
    await scene.start(id);
    await scene.until(id, ({ status }) => status === 'ended');
    const exported = posts(source, /\/export$/).map(projectOf);
    const pathById = new Map<string, string>();
    for (const path of paths) pathById.set(String((await source.state.project(path)).id), path);
    const order = exported.map((project) => paths.indexOf(pathById.get(project) ?? project));
    expect(order.map((at) => Math.floor(at / 2))).toEqual([0, 0, 1, 1, 2]);
    expect(await statesOf(scene, id)).toEqual(['failed', ...Array.from({ length: 4 }, () => 'arrived')]);
  });

  it('starts nothing while it is paused, and then continues without requesting anything twice', async () => {
    const scene = await opened({ source: { projectCount: 5, speed: { exportStartedMs: 60 } } });
    const paths = scene.source.state.paths.toSorted();
    const { id } = await scene.migration(paths, { waveSize: 2 });
    await scene.start(id);
    await scene.until(id, ({ projects }) => projects.planned < 5);
    await scene.client.call('migration.pause', { migration: id });
    await scene.until(id, ({ projects }) => projects.exporting + projects.finishing === 0);
    const before = posts(scene.source, /\/export$/).length;
    expect(before).toBe(2);
    expect(await scene.client.call('migration.show', { migration: id })).toMatchObject({ status: 'paused' });
    await scene.client.call('migration.start', { migration: id, createGroups: false });
    await scene.until(id, ({ status }) => status === 'ended');
    expect(await statesOf(scene, id)).toEqual(paths.map(() => 'arrived'));
    expect(posts(scene.source, /\/export$/)).toHaveLength(5);
    expect(posts(scene.target, /\/projects\/import$/)).toHaveLength(5);
  });

  it('that is cancelled unarchives the sources of unfinished projects, and leaves those of arrived projects archived', async () => {
    const scene = await opened({
      source: { projectCount: 3 },
      target: {
        faults: [
          {
            match: { method: 'POST', project: 'atlas/compass' },
            action: { kind: 'end-import', as: 'stuck' },
          },
        ],
      },
    });
    const { id } = await scene.migration(scene.source.state.paths, { freeze: true });
    await scene.start(id);
    await scene.until(id, ({ projects }) => projects.arrived === 2 && projects.importing === 1);
    await scene.client.call('migration.cancel', { migration: id, by: 'a test' });
    await scene.until(id, ({ projects }) => projects.cancelled === 1);
    const compass = () => scene.source.state.project('atlas/compass');
    await expect.poll(async () => (await compass()).archived, { interval: 20, timeout: 10_000 }).toBe(false);
    const archived = await Promise.all(
      scene.source.state.paths.map(async (path) => (await scene.source.state.project(path)).archived),
    );
    expect(archived.filter(Boolean)).toHaveLength(2);
  });

  it('reports which sources were changed after their export had started', async () => {
    const scene = await opened({ source: { projectCount: 2 }, target: { speed: { importStartedMs: 300 } } });
    const { id } = await scene.migration(scene.source.state.paths);
    await scene.start(id);
    await scene.until(id, ({ projects }) => projects.importing > 0);
    scene.source.state.append('atlas/compass', 'issues', {
      title: 'Later',
      iid: 900,
      state: 'opened',
      created_at: new Date(Date.now()).toISOString(),
      updated_at: new Date(Date.now()).toISOString(),
      notes: [],
    });
    await scene.until(id, ({ status }) => status === 'ended');
    const changed = (await scene.projects(id)).map(({ sourcePath, changedSince }) => [
      sourcePath,
      changedSince !== null,
    ]);
    expect(Object.fromEntries(changed)).toEqual({ 'atlas/compass': true, 'atlas/tools/ferry': false });
  });
});
