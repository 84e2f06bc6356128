/**
 * @file The archived mark that a migration with `freeze` sets on its sources, for projects that do not arrive at the
 * first try.
 */
import { expect, it, onTestFinished } from 'vitest';
import type { MigratingProject } from '../../../src-contract/migrations/migration.ts';
import { openMigrationScene } from '../../support/migrations/migration-scene.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { nextChange } from '../../support/world.ts';
import { jobFilter } from '../../support/requests.ts';

type Options = NonNullable<Parameters<typeof openMigrationScene>[1]>['source'];

/** Creates a migration of one project that freezes its source. */
async function freezing(source: Options = {}) {
  const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 1, ...source } });
  onTestFinished(() => scene.close());
  const [path = ''] = scene.source.state.paths;
  const { id } = await scene.migration([path], { freeze: true });
  const waitForProject = async (
    matches: (project: MigratingProject) => boolean,
  ): Promise<MigratingProject> => {
    for (;;) {
      const change = nextChange(scene);
      const [project] = await scene.projects(id);
      if (project !== undefined && matches(project)) return project;
      await change;
    }
  };
  const isMarked = async (): Promise<boolean> => (await scene.source.state.project(path)).archived;
  const countPosts = (pattern: RegExp): number =>
    scene.source.requests.filter((request) => request.method === 'POST' && pattern.test(request.path)).length;
  /** Returns the effect and status of every job of the migration on the source. */
  const sourceJobs = async (): Promise<string[]> => {
    const { jobs } = await scene.client.call('job.list', jobFilter());
    return jobs
      .filter(({ instance }) => instance === 'source')
      .reverse()
      .map(({ kind, input, state: { status } }) => {
        const { change } = input as { change?: { archived?: boolean } };
        return `${kind === 'export' ? 'export' : change?.archived === true ? 'freeze' : 'thaw'} ${status}`;
      });
  };
  const archivePath = /\/archive$/;
  const retry = () => scene.client.call('migration.again', { migration: id, project: null });
  const call = { migration: id };
  return { ...scene, path, id, call, waitForProject, isMarked, countPosts, sourceJobs, archivePath, retry };
}

const exportPath = /\/export$/;
const poll = { timeout: 10_000, interval: 10 };

it('leaving a project out after its source was archived unarchives the source; a later retry archives and exports it again', async () => {
  const scene = await freezing({ speed: { exportStartedMs: 500 } });
  const { client, call, path, waitForProject } = scene;
  await scene.start(scene.id);
  await expect.poll(() => scene.countPosts(exportPath), poll).toBe(1);
  await client.call('migration.place', { migration: scene.id, project: path, leftOut: true });
  expect(await waitForProject(({ frozen }) => !frozen)).toMatchObject({ state: 'left-out', error: null });
  expect(await scene.isMarked()).toBe(false);
  await scene.until(scene.id, ({ status }) => status === 'ended');
  expect(await scene.sourceJobs()).toEqual(['freeze succeeded', 'export succeeded', 'thaw succeeded']);
  // Once the project is included again and retried, it is frozen and exported again.
  await client.call('migration.place', { migration: scene.id, project: path, leftOut: false });
  expect(await waitForProject(({ state }) => state !== 'left-out')).toMatchObject({ state: 'cancelled' });
  await scene.retry();
  await waitForProject(({ state }) => state === 'arrived');
  expect(await scene.sourceJobs()).toEqual([
    ...['freeze succeeded', 'export succeeded', 'thaw succeeded'],
    ...['freeze succeeded', 'export succeeded'],
  ]);
  await client.call('migration.remove', call);
});

it('a source that was archived by a request whose reply was lost is unarchived when its migration is cancelled', async () => {
  const scene = await freezing();
  const { client, call, archivePath, waitForProject } = scene;
  scene.source.faults.add({
    match: { method: 'POST', path: '/archive$', nth: 1 },
    action: { kind: 'lose-reply' },
  });
  await scene.start(scene.id);
  await expect.poll(() => scene.countPosts(archivePath), poll).toBe(1);
  await expect.poll(() => scene.isMarked(), poll).toBe(true);
  await client.call('migration.cancel', { ...call, by: 'me' });
  expect(await waitForProject(({ frozen }) => !frozen)).toMatchObject({ state: 'cancelled' });
  expect(await scene.isMarked()).toBe(false);
  expect(await scene.sourceJobs()).toEqual(['freeze cancelled', 'thaw succeeded']);
  await client.call('migration.remove', call);
});

it('a source that becomes archived only after its migration was cancelled is unarchived', async () => {
  const scene = await freezing();
  const { client, call, archivePath, waitForProject } = scene;
  scene.source.faults.add({
    match: { method: 'POST', path: '/archive$', nth: 1 },
    action: { kind: 'delay-work', ms: 300 },
  });
  await scene.start(scene.id);
  await expect.poll(() => scene.countPosts(archivePath), poll).toBe(1);
  await client.call('migration.cancel', { ...call, by: 'me' });
  await expect(client.call('migration.remove', call)).rejects.toMatchObject({ code: 'migration-started' });
  await waitForProject(({ frozen }) => !frozen);
  expect(await scene.isMarked()).toBe(false);
  expect(await scene.sourceJobs()).toEqual(['freeze cancelled', 'thaw succeeded']);
  expect(scene.countPosts(/\/unarchive$/)).toBe(1);
});

it('a source that was archived before its migration is never unarchived', async () => {
  const scene = await freezing({ speed: { exportStartedMs: 500 } });
  const { client, call, path, waitForProject } = scene;
  const { url, tokens } = scene.source;
  const { ok } = await fetch(`${url}/api/v4/projects/${encodeURIComponent(path)}/archive`, {
    method: 'POST',
    headers: { 'PRIVATE-TOKEN': tokens.administrator },
  });
  expect([ok, await scene.isMarked()]).toEqual([true, true]);
  await scene.start(scene.id);
  await expect.poll(() => scene.countPosts(exportPath), poll).toBe(1);
  await client.call('migration.cancel', { ...call, by: 'me' });
  expect(await waitForProject(({ state }) => state === 'cancelled')).toMatchObject({ frozen: false });
  await client.call('migration.remove', call);
  expect(await scene.isMarked()).toBe(true);
  expect(scene.countPosts(/\/unarchive$/)).toBe(0);
});

it('a project that was cancelled after its export is frozen and exported again when it is retried', async () => {
  const scene = await freezing({ speed: { exportStartedMs: 300 } });
  const { client, call, waitForProject } = scene;
  await scene.start(scene.id);
  await expect.poll(() => scene.countPosts(exportPath), poll).toBe(1);
  await client.call('migration.pause', call);
  await waitForProject(({ state }) => state === 'importing');
  await client.call('migration.cancel', { ...call, by: 'me' });
  await waitForProject(({ frozen }) => !frozen);
  expect(await scene.isMarked()).toBe(false);
  await scene.retry();
  expect(await waitForProject(({ state }) => state === 'arrived')).toMatchObject({
    frozen: true,
    changedSince: null,
  });
  expect(await scene.isMarked()).toBe(true);
  expect(scene.countPosts(exportPath)).toBe(2);
  expect(await scene.sourceJobs()).toEqual([
    ...['freeze succeeded', 'export succeeded', 'thaw succeeded'],
    ...['freeze succeeded', 'export succeeded'],
  ]);
});

it('an issue that is created on the source between a failed import and the retry arrives', async () => {
  const scene = await freezing();
  const { source, target, path, waitForProject } = scene;
  target.faults.add({
    match: { method: 'POST', path: '/projects/import$', nth: 1 },
    action: { kind: 'respond', status: 403, body: { message: '403 Forbidden' } },
  });
  await scene.start(scene.id);
  await scene.until(scene.id, ({ status }) => status === 'ended');
  expect(await waitForProject(() => true)).toMatchObject({ state: 'failed', frozen: false });
  expect(await scene.isMarked()).toBe(false);
  const at = new Date().toISOString();
  source.state.append(path, 'issues', {
    ...{ title: 'Made while it was open', iid: 900, state: 'opened', author_id: 1, notes: [] },
    ...{ created_at: at, updated_at: at },
  });
  await scene.retry();
  expect(await waitForProject(({ state }) => state === 'arrived')).toMatchObject({
    frozen: true,
    changedSince: null,
  });
  expect(await scene.isMarked()).toBe(true);
  expect(scene.countPosts(exportPath)).toBe(2);
  const { relations } = await target.state.project(path);
  expect(relations['issues']?.map(({ iid }) => iid)).toContain(900);
});

it('a source that could not be unarchived stays recorded as frozen, and is unarchived after the next try', async () => {
  const scene = await freezing();
  const { source, target, client, call, waitForProject } = scene;
  const refused = { kind: 'respond', status: 403, body: { message: '403 Forbidden' } } as const;
  source.faults.add({ match: { method: 'POST', path: '/unarchive$', nth: 1 }, action: refused });
  for (const nth of [1, 2])
    target.faults.add({ match: { method: 'POST', path: '/projects/import$', nth }, action: refused });
  await scene.start(scene.id);
  await scene.until(scene.id, ({ status }) => status === 'ended');
  expect(await waitForProject(() => true)).toMatchObject({ state: 'failed', frozen: true });
  expect(await scene.isMarked()).toBe(true);
  await scene.retry();
  await waitForProject(({ frozen }) => !frozen);
  expect(await scene.isMarked()).toBe(false);
  expect(await scene.sourceJobs()).toEqual([
    ...['freeze succeeded', 'export succeeded', 'thaw failed'],
    ...['freeze succeeded', 'export succeeded', 'thaw succeeded'],
  ]);
  await client.call('migration.remove', call);
});

it('cancelling a migration does not stop the job that unarchives a source', async () => {
  const scene = await freezing();
  const { source, target, client, call, waitForProject } = scene;
  const refused = { kind: 'respond', status: 403, body: { message: '403 Forbidden' } } as const;
  target.faults.add({ match: { method: 'POST', path: '/projects/import$', nth: 1 }, action: refused });
  source.faults.add({
    match: { method: 'POST', path: '/unarchive$', nth: 1 },
    action: { kind: 'delay-work', ms: 500 },
  });
  await scene.start(scene.id);
  await expect.poll(() => scene.countPosts(/\/unarchive$/), poll).toBe(1);
  await client.call('migration.cancel', { ...call, by: 'me' });
  expect(await waitForProject(({ frozen }) => !frozen)).toMatchObject({ state: 'failed' });
  expect(await scene.isMarked()).toBe(false);
  expect(await scene.sourceJobs()).toEqual(['freeze succeeded', 'export succeeded', 'thaw succeeded']);
});
