/** @file Each replacement of a project on the target needs a request that a user confirmed shortly before. */
import { expect, it, onTestFinished } from 'vitest';
import { errorText } from '../../../src-contract/error-messages.ts';
import { openMigrationScene, type MigrationScene } from '../../support/migrations/migration-scene.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { jobFilter } from '../../support/requests.ts';

const [path, otherPath] = ['atlas/compass', 'atlas/tools/ferry'];

/**
 * Opens a migration of one project whose path is taken, with a placement that replaces the existing project. Another
 * project is left out.
 */
async function replacing(exportStartedMs?: number) {
  const scene = await openMigrationScene(temporaryFolder(), {
    source: { projectCount: 2, ...(exportStartedMs === undefined ? {} : { speed: { exportStartedMs } }) },
    target: { projectCount: 1 },
  });
  onTestFinished(() => scene.close());
  const { id } = await scene.migration([path, otherPath]);
  await scene.client.call('migration.place', { migration: id, project: otherPath, leftOut: true });
  const place = (overwrite: boolean) =>
    scene.client.call('migration.place', { migration: id, project: path, placement: { overwrite } });
  await place(true);
  const confirm = async (action: 'migration.start' | 'migration.again', part: string | null = null) =>
    scene.client.call('host.confirm', { action, instance: 'target', project: id, part });
  await scene.client.call('migration.check', { migration: id });
  return { ...scene, scene, id, place, confirm };
}

const imports = ({ target }: Pick<MigrationScene, 'target'>): number =>
  target.requests.filter((request) => request.method === 'POST' && request.path.endsWith('/projects/import'))
    .length;

it('a retry that replaces needs its own confirmation; one for all projects, for another project or for the start is not accepted', async () => {
  const { scene, id, confirm, client, target } = await replacing();
  target.faults.add({
    match: { method: 'POST', project: path, nth: 1 },
    action: { kind: 'end-import', as: 'failed' },
  });
  const { confirmation } = await confirm('migration.start');
  await client.call('migration.start', { migration: id, createGroups: true, confirmation });
  await scene.until(id, ({ status }) => status === 'ended');
  expect(imports(scene)).toBe(1);

  const [failed] = await scene.projects(id);
  expect(failed).toMatchObject({ state: 'failed' });
  const retry = (project: string | null, confirmed: string | null) =>
    client.call('migration.again', { migration: id, project, confirmation: confirmed });
  const forAll = await confirm('migration.again');
  expect(forAll.destroys).toEqual([{ what: 'project', name: path, count: null }]);
  for (const [project, confirmed] of [
    [null, null],
    [path, null],
    [`${failed?.sourceId ?? 0}`, null],
    [path, forAll.confirmation],
    [path, (await confirm('migration.again', otherPath)).confirmation],
    [null, (await confirm('migration.start')).confirmation],
  ] as const) {
    await expect(retry(project, confirmed)).rejects.toMatchObject({ code: 'confirmation-missing' });
  }
  await expect(retry(`${failed?.sourceId ?? 0}x`, null)).rejects.toMatchObject({ code: 'project-missing' });
  expect(await client.call('migration.show', { migration: id })).toMatchObject({ status: 'ended' });
  expect(imports(scene)).toBe(1);

  await retry(path, (await confirm('migration.again', path)).confirmation);
  await scene.until(id, ({ status, projects }) => status === 'ended' && projects.failed === 0);
  expect(imports(scene)).toBe(2);
});

it('a retry finds a replacing import that arrived although its reply was lost, and does not send it twice', async () => {
  const { scene, id, confirm, client, target } = await replacing();
  const { id: replacedId } = await target.state.project(path);
  target.faults.add({
    match: { method: 'POST', path: '/projects/import$', nth: 1 },
    action: { kind: 'stall', afterBytes: 0 },
  });
  const { confirmation } = await confirm('migration.start');
  await client.call('migration.start', { migration: id, createGroups: true, confirmation });
  const targetId = async () => (await target.state.project(path)).id;
  await expect.poll(targetId, { interval: 20, timeout: 10_000 }).not.toBe(replacedId);
  const arrivedId = await targetId();
  const first = (await scene.projects(id))[0]?.importJob ?? '';
  // The server replied, but the reply was lost.
  expect(await client.call('job.show', { job: first })).toMatchObject({ step: 'send' });
  await client.call('migration.cancel', { migration: id, by: 'me' });
  const ended = async () => (await client.call('job.show', { job: first })).state.status;
  await expect.poll(ended, { interval: 20, timeout: 10_000 }).toBe('cancelled');

  await client.call('migration.again', {
    migration: id,
    project: null,
    confirmation: (await confirm('migration.again')).confirmation,
  });
  await scene.until(id, ({ status }) => status === 'ended');
  expect(imports(scene)).toBe(1);
  expect(await targetId()).toBe(arrivedId);
  expect(target.state.paths).toEqual([path]);
  const [project] = await scene.projects(id);
  expect(project).toMatchObject({ state: 'arrived' });
  expect(project?.importJob).not.toBe(first);
  expect(await client.call('job.show', { job: project?.importJob ?? '' })).toMatchObject({
    state: { status: 'succeeded' },
    result: { projectId: arrivedId },
  });
});

it('a replacing import that never arrived is sent again only after a user has reported it as undelivered', async () => {
  const { scene, id, confirm, client, target } = await replacing();
  const { id: replacedId } = await target.state.project(path);
  target.faults.add({
    match: { method: 'POST', path: '/projects/import$', nth: 1 },
    action: { kind: 'delay-import', ms: 600_000 },
  });
  const { confirmation } = await confirm('migration.start');
  await client.call('migration.start', { migration: id, createGroups: true, confirmation });
  const poll = { interval: 20, timeout: 10_000 };
  const currentJob = async () => (await scene.projects(id))[0]?.importJob ?? '';
  await expect.poll(currentJob, poll).not.toBe('');
  const first = await client.call('job.show', { job: await currentJob() });
  let pollsAtEnd = 0;
  const isSent = async () => {
    const { progress } = await client.call('job.show', { job: first.id });
    // The end of the body is sent after the archive, and does not count as a part of it.
    const { done = 0, total = null } = progress ?? {};
    pollsAtEnd = done === total ? pollsAtEnd + 1 : 0;
    return pollsAtEnd > 10;
  };
  await expect.poll(isSent, poll).toBe(true);
  await client.call('migration.cancel', { migration: id, by: 'me' });
  const status = async () => (await client.call('job.show', { job: first.id })).state.status;
  await expect.poll(status, poll).toBe('cancelled');

  const retry = async () => {
    const confirmed = (await confirm('migration.again')).confirmation;
    await client.call('migration.again', { migration: id, project: null, confirmation: confirmed });
    await scene.until(id, (shown) => shown.status === 'ended');
    return (await scene.projects(id))[0];
  };
  const failed = await retry();
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
  const markUndelivered = (of: string) => client.call('import.markUndelivered', { job: of, by: 'me' });
  await expect(markUndelivered(jobs[0]?.id ?? '')).rejects.toMatchObject({ code: 'invalid-input' });
  expect(await markUndelivered(job)).toEqual({ target: path });
  const { events } = await client.call('job.log', { job, afterId: 0, limit: 100 });
  expect(events.at(-1)?.message).toBe("Me reported that the job's request did not arrive.");
  expect(await retry()).toMatchObject({ state: 'arrived' });
  expect(imports(scene)).toBe(2);
  expect((await target.state.project(path)).id).toBeGreaterThan(replacedId);
  expect(target.state.paths).toEqual([path]);
});

it('a retry does not start a migration that was never started', async () => {
  const { scene, id, client } = await replacing();
  await expect(
    client.call('migration.again', { migration: id, project: null, confirmation: null }),
  ).rejects.toMatchObject({ code: 'invalid-input' });
  expect(imports(scene)).toBe(0);
});

it('a running migration cannot be changed to replace a project; a paused one needs a confirmation when it continues', async () => {
  const { scene, id, place, confirm, client } = await replacing(600_000);
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
  const { confirmation, destroys } = await confirm('migration.start');
  expect(destroys).toEqual([{ what: 'project', name: path, count: null }]);
  await expect(start(confirmation)).resolves.toMatchObject({ status: 'running' });
});

it('a project that a failed import left on the path of the next try is reported as such, with the cause of the failure and advice', async () => {
  const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 1 } });
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
    const [project] = await scene.projects(id);
    expect({ job, same: project?.importJob === importJob }).toEqual({ job, same: false });
    expect(project?.error).toMatchObject({ code: 'path-taken', details: { leftBy: cause } });
    const { what, todo } = errorText(project?.error ?? first.error);
    expect(what).toContain(cause);
    expect(todo).toMatch(/remove it there, or let this project replace it/);
  }
  const placeAgain = async (placement: { overwrite?: boolean; path?: string }) => {
    await scene.client.call('migration.place', { migration: id, project: path, placement });
    return (await scene.projects(id))[0]?.error?.details['placedAnew'];
  };
  // Advice that was followed is not repeated.
  expect(await placeAgain({ overwrite: true })).toBe('replaces');
  expect(await placeAgain({ overwrite: false })).toBeUndefined();
  expect(await placeAgain({ path: 'beside' })).toBe('elsewhere');
  expect(imports(scene)).toBe(1);
});
