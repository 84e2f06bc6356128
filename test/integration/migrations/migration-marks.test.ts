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

/** A migration of one project that is to be frozen. */
async function freezing(source: Options = {}) {
  const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 1, ...source } });
  onTestFinished(() => scene.close());
  const [path = ''] = scene.source.state.paths;
  const { id } = await scene.migration([path], { freeze: true });
  const shows = async (isSo: (project: MigratingProject) => boolean): Promise<MigratingProject> => {
    for (;;) {
      const change = nextChange(scene);
      const [project] = await scene.projects(id);
      if (project !== undefined && isSo(project)) return project;
      await change;
    }
  };
  const isMarked = async (): Promise<boolean> => (await scene.source.state.project(path)).archived;
  const asked = (what: RegExp): number =>
    scene.source.requests.filter((request) => request.method === 'POST' && what.test(request.path)).length;
  /** Every job of the migration on the source, by its effect. */
  const made = async (): Promise<string[]> => {
    const { jobs } = await scene.client.call('job.list', jobFilter());
    return jobs
      .filter(({ instance }) => instance === 'source')
      .reverse()
      .map(({ kind, input, state: { status } }) => {
        const { change } = input as { change?: { archived?: boolean } };
        return `${kind === 'export' ? 'export' : change?.archived === true ? 'freeze' : 'thaw'} ${status}`;
      });
  };
  const marking = /\/archive$/;
  const again = () => scene.client.call('migration.again', { migration: id, project: null });
  const call = { migration: id };
  return { ...scene, path, id, call, shows, isMarked, asked, made, marking, again };
}

const exporting = /\/export$/;
const poll = { timeout: 10_000, interval: 10 };

it('a project that is left out after its source was marked loses the mark', async () => {
  const scene = await freezing({ speed: { exportStartedMs: 500 } });
  const { client, call, path, shows } = scene;
  await scene.start(scene.id);
  await expect.poll(() => scene.asked(exporting), poll).toBe(1);
  await client.call('migration.place', { migration: scene.id, project: path, leftOut: true });
  expect(await shows(({ frozen }) => !frozen)).toMatchObject({ state: 'left-out', error: null });
  expect(await scene.isMarked()).toBe(false);
  await scene.until(scene.id, ({ status }) => status === 'ended');
  expect(await scene.made()).toEqual(['freeze succeeded', 'export succeeded', 'thaw succeeded']);
  // Once it is included again on request, it is frozen and exported again.
  await client.call('migration.place', { migration: scene.id, project: path, leftOut: false });
  expect(await shows(({ state }) => state !== 'left-out')).toMatchObject({ state: 'cancelled' });
  await scene.again();
  await shows(({ state }) => state === 'arrived');
  expect(await scene.made()).toEqual([
    ...['freeze succeeded', 'export succeeded', 'thaw succeeded'],
    ...['freeze succeeded', 'export succeeded'],
  ]);
  await client.call('migration.remove', call);
});

it('a source that was marked while the answer got lost loses the mark when its migration is cancelled', async () => {
  const scene = await freezing();
  const { client, call, marking, shows } = scene;
  scene.source.faults.add({
    match: { method: 'POST', path: '/archive$', nth: 1 },
    action: { kind: 'lose-reply' },
  });
  await scene.start(scene.id);
  await expect.poll(() => scene.asked(marking), poll).toBe(1);
  await expect.poll(() => scene.isMarked(), poll).toBe(true);
  await client.call('migration.cancel', { ...call, by: 'me' });
  expect(await shows(({ frozen }) => !frozen)).toMatchObject({ state: 'cancelled' });
  expect(await scene.isMarked()).toBe(false);
  expect(await scene.made()).toEqual(['freeze cancelled', 'thaw succeeded']);
  await client.call('migration.remove', call);
});

it('a source that is marked only after its migration was cancelled loses the mark', async () => {
  const scene = await freezing();
  const { client, call, marking, shows } = scene;
  scene.source.faults.add({
    match: { method: 'POST', path: '/archive$', nth: 1 },
    action: { kind: 'delay-work', ms: 300 },
  });
  await scene.start(scene.id);
  await expect.poll(() => scene.asked(marking), poll).toBe(1);
  await client.call('migration.cancel', { ...call, by: 'me' });
  await expect(client.call('migration.remove', call)).rejects.toMatchObject({ code: 'migration-started' });
  await shows(({ frozen }) => !frozen);
  expect(await scene.isMarked()).toBe(false);
  expect(await scene.made()).toEqual(['freeze cancelled', 'thaw succeeded']);
  expect(scene.asked(/\/unarchive$/)).toBe(1);
});

it('a project that was marked before is never unmarked', async () => {
  const scene = await freezing({ speed: { exportStartedMs: 500 } });
  const { client, call, path, shows } = scene;
  const { url, tokens } = scene.source;
  const { ok } = await fetch(`${url}/api/v4/projects/${encodeURIComponent(path)}/archive`, {
    method: 'POST',
    headers: { 'PRIVATE-TOKEN': tokens.administrator },
  });
  expect([ok, await scene.isMarked()]).toEqual([true, true]);
  await scene.start(scene.id);
  await expect.poll(() => scene.asked(exporting), poll).toBe(1);
  await client.call('migration.cancel', { ...call, by: 'me' });
  expect(await shows(({ state }) => state === 'cancelled')).toMatchObject({ frozen: false });
  await client.call('migration.remove', call);
  expect(await scene.isMarked()).toBe(true);
  expect(scene.asked(/\/unarchive$/)).toBe(0);
});

it('a project that was cancelled after its export and is resumed is frozen and exported again', async () => {
  const scene = await freezing({ speed: { exportStartedMs: 300 } });
  const { client, call, shows } = scene;
  await scene.start(scene.id);
  await expect.poll(() => scene.asked(exporting), poll).toBe(1);
  await client.call('migration.pause', call);
  await shows(({ state }) => state === 'importing');
  await client.call('migration.cancel', { ...call, by: 'me' });
  await shows(({ frozen }) => !frozen);
  expect(await scene.isMarked()).toBe(false);
  await scene.again();
  expect(await shows(({ state }) => state === 'arrived')).toMatchObject({ frozen: true, changedSince: null });
  expect(await scene.isMarked()).toBe(true);
  expect(scene.asked(exporting)).toBe(2);
  expect(await scene.made()).toEqual([
    ...['freeze succeeded', 'export succeeded', 'thaw succeeded'],
    ...['freeze succeeded', 'export succeeded'],
  ]);
});

it('what was done on a source between a failed import and the next try arrives', async () => {
  const scene = await freezing();
  const { source, target, path, shows } = scene;
  target.faults.add({
    match: { method: 'POST', path: '/projects/import$', nth: 1 },
    action: { kind: 'respond', status: 403, body: { message: '403 Forbidden' } },
  });
  await scene.start(scene.id);
  await scene.until(scene.id, ({ status }) => status === 'ended');
  expect(await shows(() => true)).toMatchObject({ state: 'failed', frozen: false });
  expect(await scene.isMarked()).toBe(false);
  const at = new Date().toISOString();
  source.state.append(path, 'issues', {
    ...{ title: 'Made while it was open', iid: 900, state: 'opened', author_id: 1, notes: [] },
    ...{ created_at: at, updated_at: at },
  });
  await scene.again();
  expect(await shows(({ state }) => state === 'arrived')).toMatchObject({ frozen: true, changedSince: null });
  expect(await scene.isMarked()).toBe(true);
  expect(scene.asked(exporting)).toBe(2);
  const { relations } = await target.state.project(path);
  expect(relations['issues']?.map(({ iid }) => iid)).toContain(900);
});

it('a mark that could not be taken away stays ours, and is taken away after the next try', async () => {
  const scene = await freezing();
  const { source, target, client, call, shows } = scene;
  const refused = { kind: 'respond', status: 403, body: { message: '403 Forbidden' } } as const;
  source.faults.add({ match: { method: 'POST', path: '/unarchive$', nth: 1 }, action: refused });
  for (const nth of [1, 2])
    target.faults.add({ match: { method: 'POST', path: '/projects/import$', nth }, action: refused });
  await scene.start(scene.id);
  await scene.until(scene.id, ({ status }) => status === 'ended');
  expect(await shows(() => true)).toMatchObject({ state: 'failed', frozen: true });
  expect(await scene.isMarked()).toBe(true);
  await scene.again();
  await shows(({ frozen }) => !frozen);
  expect(await scene.isMarked()).toBe(false);
  expect(await scene.made()).toEqual([
    ...['freeze succeeded', 'export succeeded', 'thaw failed'],
    ...['freeze succeeded', 'export succeeded', 'thaw succeeded'],
  ]);
  await client.call('migration.remove', call);
});

it('a cancel does not stop what takes a mark away', async () => {
  const scene = await freezing();
  const { source, target, client, call, shows } = scene;
  const refused = { kind: 'respond', status: 403, body: { message: '403 Forbidden' } } as const;
  target.faults.add({ match: { method: 'POST', path: '/projects/import$', nth: 1 }, action: refused });
  source.faults.add({
    match: { method: 'POST', path: '/unarchive$', nth: 1 },
    action: { kind: 'delay-work', ms: 500 },
  });
  await scene.start(scene.id);
  await expect.poll(() => scene.asked(/\/unarchive$/), poll).toBe(1);
  await client.call('migration.cancel', { ...call, by: 'me' });
  expect(await shows(({ frozen }) => !frozen)).toMatchObject({ state: 'failed' });
  expect(await scene.isMarked()).toBe(false);
  expect(await scene.made()).toEqual(['freeze succeeded', 'export succeeded', 'thaw succeeded']);
});
