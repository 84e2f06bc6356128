/** @file A project on the target is replaced only by a request that a user confirmed shortly before, every time. */
import { expect, it, onTestFinished } from 'vitest';
import { errorText } from '../../../src-contract/error-messages.ts';
import { openMigrationScene, type MigrationScene } from '../../support/migrations/migration-scene.ts';
import { folderInMemory } from '../../support/temporary-folder.ts';
import { jobFilter } from '../../support/requests.ts';

const path = 'atlas/compass';

/** One project whose path is taken, with a placement that replaces it. */
async function replacing(exportStartedMs?: number) {
  const scene = await openMigrationScene(folderInMemory(), {
    source: { projectCount: 1, ...(exportStartedMs === undefined ? {} : { speed: { exportStartedMs } }) },
    target: { projectCount: 1 },
  });
  onTestFinished(() => scene.close());
  const { id } = await scene.migration([path]);
  const place = (overwrite: boolean) =>
    scene.client.call('migration.place', { migration: id, project: path, placement: { overwrite } });
  await place(true);
  const word = async (action: 'migration.start' | 'migration.again', part: string | null = null) =>
    scene.client.call('host.confirm', { action, instance: 'target', project: id, part });
  await scene.client.call('migration.check', { migration: id });
  return { ...scene, scene, id, place, word };
}

const imports = ({ target }: Pick<MigrationScene, 'target'>): number =>
  target.requests.filter((one) => one.method === 'POST' && one.path.endsWith('/projects/import')).length;

it('a retry asks again before it replaces, and a confirmation for another project or for the start does not allow it', async () => {
  const { scene, id, word, client, target } = await replacing();
  target.faults.add({
    match: { method: 'POST', project: path, nth: 1 },
    action: { kind: 'end-import', as: 'failed' },
  });
  const { confirmation } = await word('migration.start');
  await client.call('migration.start', { migration: id, createGroups: true, confirmation });
  await scene.until(id, ({ status }) => status === 'ended');
  expect(imports(scene)).toBe(1);

  const [failed] = await scene.projects(id);
  expect(failed).toMatchObject({ state: 'failed' });
  const again = (project: string | null, given: string | null) =>
    client.call('migration.again', { migration: id, project, confirmation: given });
  const forAll = await word('migration.again');
  expect(forAll.destroys).toEqual([{ what: 'project', name: path, count: null }]);
  for (const [project, given] of [
    [null, null],
    [path, null],
    [`${failed?.sourceId ?? 0}`, null],
    [path, forAll.confirmation],
    [null, (await word('migration.start')).confirmation],
  ] as const) {
    await expect(again(project, given)).rejects.toMatchObject({ code: 'confirmation-missing' });
  }
  await expect(again(`${failed?.sourceId ?? 0}x`, null)).rejects.toMatchObject({ code: 'project-missing' });
  expect(await client.call('migration.show', { migration: id })).toMatchObject({ status: 'ended' });
  expect(imports(scene)).toBe(1);

  await again(path, (await word('migration.again', path)).confirmation);
  await scene.until(id, ({ status, projects }) => status === 'ended' && projects.failed === 0);
  expect(imports(scene)).toBe(2);
});

it('the next try checks for a replacing import that may have arrived, and does not send it twice', async () => {
  const { scene, id, word, client, target } = await replacing();
  const { id: replaced } = await target.state.project(path);
  target.faults.add({
    match: { method: 'POST', path: '/projects/import$', nth: 1 },
    action: { kind: 'stall', afterBytes: 0 },
  });
  const { confirmation } = await word('migration.start');
  await client.call('migration.start', { migration: id, createGroups: true, confirmation });
  const there = async () => (await target.state.project(path)).id;
  await expect.poll(there, { interval: 20, timeout: 10_000 }).not.toBe(replaced);
  const arrived = await there();
  const first = (await scene.projects(id))[0]?.importJob ?? '';
  // The server answered, but the answer was lost.
  expect(await client.call('job.show', { job: first })).toMatchObject({ step: 'send' });
  await client.call('migration.cancel', { migration: id, by: 'me' });
  const ended = async () => (await client.call('job.show', { job: first })).state.status;
  await expect.poll(ended, { interval: 20, timeout: 10_000 }).toBe('cancelled');

  await client.call('migration.again', {
    migration: id,
    project: null,
    confirmation: (await word('migration.again')).confirmation,
  });
  await scene.until(id, ({ status }) => status === 'ended');
  expect(imports(scene)).toBe(1);
  expect(await there()).toBe(arrived);
  expect(target.state.paths).toEqual([path]);
  const [project] = await scene.projects(id);
  expect(project).toMatchObject({ state: 'arrived' });
  expect(project?.importJob).not.toBe(first);
  expect(await client.call('job.show', { job: project?.importJob ?? '' })).toMatchObject({
    state: { status: 'succeeded' },
    result: { projectId: arrived },
  });
});

it('a replacing import that never arrived is sent again once somebody has said so, and not before', async () => {
  const { scene, id, word, client, target } = await replacing();
  const { id: replaced } = await target.state.project(path);
  target.faults.add({
    match: { method: 'POST', path: '/projects/import$', nth: 1 },
    action: { kind: 'delay-import', ms: 600_000 },
  });
  const { confirmation } = await word('migration.start');
  await client.call('migration.start', { migration: id, createGroups: true, confirmation });
  const often = { interval: 20, timeout: 10_000 };
  const jobNow = async () => (await scene.projects(id))[0]?.importJob ?? '';
  await expect.poll(jobNow, often).not.toBe('');
  const first = await client.call('job.show', { job: await jobNow() });
  let looksAtAll = 0;
  const isSent = async () => {
    const { progress } = await client.call('job.show', { job: first.id });
    // The end of the body is sent after the archive, and does not count as a part of it.
    const { done = 0, total = null } = progress ?? {};
    looksAtAll = done === total ? looksAtAll + 1 : 0;
    return looksAtAll > 10;
  };
  await expect.poll(isSent, often).toBe(true);
  await client.call('migration.cancel', { migration: id, by: 'me' });
  const status = async () => (await client.call('job.show', { job: first.id })).state.status;
  await expect.poll(status, often).toBe('cancelled');

  const again = async () => {
    const given = (await word('migration.again')).confirmation;
    await client.call('migration.again', { migration: id, project: null, confirmation: given });
    await scene.until(id, (shown) => shown.status === 'ended');
    return (await scene.projects(id))[0];
  };
  const failed = await again();
  const job = failed?.importJob ?? '';
  expect(failed).toMatchObject({
    state: 'failed',
    error: { code: 'import-ambiguous', details: { lostJob: job } },
  });
  expect(imports(scene)).toBe(1);

  const { jobs } = await client.call(
    'job.list',
    jobFilter({ status: 'ended', instance: 'source', project: path, limit: 1 }),
  );
  const said = (of: string) => client.call('import.markUndelivered', { job: of, by: 'me' });
  await expect(said(jobs[0]?.id ?? '')).rejects.toMatchObject({ code: 'invalid-input' });
  expect(await said(job)).toEqual({ target: path });
  const { events } = await client.call('job.log', { job, afterId: 0, limit: 100 });
  expect(events.at(-1)?.message).toBe('Me reported that its request did not arrive.');
  expect(await again()).toMatchObject({ state: 'arrived' });
  expect(imports(scene)).toBe(2);
  expect((await target.state.project(path)).id).toBeGreaterThan(replaced);
  expect(target.state.paths).toEqual([path]);
});

it('a migration that was not started is not begun by trying it again', async () => {
  const { scene, id, client } = await replacing();
  await expect(
    client.call('migration.again', { migration: id, project: null, confirmation: null }),
  ).rejects.toMatchObject({ code: 'invalid-input' });
  expect(imports(scene)).toBe(0);
});

it('a running migration cannot be changed to replace without a confirmation; a paused one asks when it continues', async () => {
  const { scene, id, place, word, client } = await replacing(600_000);
  await place(false);
  const { findings } = await client.call('migration.check', { migration: id });
  for (const { id: finding, severity } of findings) {
    if (severity === 'blocker')
      await client.call('migration.override', { migration: id, finding, note: 'Later.' });
  }
  await client.call('migration.start', { migration: id, createGroups: true });
  await expect(place(true)).rejects.toMatchObject({ code: 'invalid-input' });
  await client.call('migration.pause', { migration: id });
  await place(true);
  await client.call('migration.check', { migration: id });
  const start = (confirmation: string | null) =>
    client.call('migration.start', { migration: id, createGroups: true, confirmation });
  await expect(start(null)).rejects.toMatchObject({ code: 'confirmation-missing' });
  expect(imports(scene)).toBe(0);
  const { confirmation, destroys } = await word('migration.start');
  expect(destroys).toEqual([{ what: 'project', name: path, count: null }]);
  await expect(start(confirmation)).resolves.toMatchObject({ status: 'running' });
});

it('what a failed import left in the way of the next is called so, with why it failed and what to do', async () => {
  const scene = await openMigrationScene(folderInMemory(), { source: { projectCount: 1 } });
  onTestFinished(() => scene.close());
  scene.target.faults.add({
    match: { method: 'POST', project: path, nth: 1 },
    action: { kind: 'end-import', as: 'failed' },
  });
  const { id } = await scene.migration([path]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  const [first] = await scene.projects(id);
  if (first === undefined || first.error === null) throw new Error('It did not fail.');
  const cause = errorText(first.error).what;
  // The third try also names the cause of the first.
  for (const job of [1, 2]) {
    const { importJob } = (await scene.projects(id))[0] ?? {};
    await scene.client.call('migration.again', { migration: id, project: null });
    await scene.until(id, ({ status }) => status === 'ended');
    const [again] = await scene.projects(id);
    expect({ job, same: again?.importJob === importJob }).toEqual({ job, same: false });
    expect(again?.error).toMatchObject({ code: 'path-taken', details: { leftBy: cause } });
    const { what, todo } = errorText(again?.error ?? first.error);
    expect(what).toContain(cause);
    expect(todo).toMatch(/remove it there, or let this project replace it/);
  }
  const placedAnew = async (placement: { overwrite?: boolean; path?: string }) => {
    await scene.client.call('migration.place', { migration: id, project: path, placement });
    return (await scene.projects(id))[0]?.error?.details['placedAnew'];
  };
  // Advice that was followed is not repeated.
  expect(await placedAnew({ overwrite: true })).toBe('replaces');
  expect(await placedAnew({ overwrite: false })).toBeUndefined();
  expect(await placedAnew({ path: 'beside' })).toBe('elsewhere');
  expect(imports(scene)).toBe(1);
});
