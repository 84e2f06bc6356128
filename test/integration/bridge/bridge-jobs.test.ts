/** @file The steps of jobs, their retries, and imports found by the address of their page. */
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { createDataPaths } from '../../../src-main/platform/paths.ts';
import { MemoryKeychain } from '../../support/keychain/memory-keychain.ts';
import {
  backUp,
  ended,
  importInto,
  nextChange,
  openTestSandbox,
  openWorld,
  register,
} from '../../support/world.ts';
import { archiveFilter, jobFilter } from '../../support/requests.ts';

test('the input and result of a job depend on its kind; those in the format of another version are null and break no list', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 2 });
  await register(world, 'source', sandbox);
  const [first, second] = await backUp(world, 'source', 'all');
  const { archives } = await world.client.call('archive.list', archiveFilter({ limit: 9 }));
  if (first?.kind !== 'export') throw new Error('A backup is an export.');
  expect(first.input).toMatchObject({ fullPath: first.project, planId: null });
  expect(archives.map(({ id }) => id)).toContain(first.result?.archiveId);

  const database = new Database(createDataPaths(world.dataDir).catalogue);
  database
    .prepare(`UPDATE jobs SET input = '{"path":"old/way"}', result = '{"archive":7}' WHERE id = ?`)
    .run(first.id);
  database.close();
  const { jobs } = await world.client.call('job.list', jobFilter({ limit: 9 }));
  expect(jobs).toEqual([second, { ...first, input: null, result: null }]);
  const shown = await world.client.call('job.show', { job: first.id });
  expect(shown).toMatchObject({ input: null, result: null, state: { status: 'succeeded' } });
});

test('the steps of a job are returned in order, with the state of each', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 2 });
  await register(world, 'source', sandbox);
  const [first = '', second = ''] = sandbox.state.paths;
  sandbox.faults.add({
    match: { method: 'POST', path: '/export$', project: second },
    action: { kind: 'respond', status: 403, body: { message: 'no' } },
  });
  const jobs = await backUp(world, 'source', [first, second]);
  const stepsOf = async (project: string) => {
    const job = jobs.find((candidate) => candidate.project === project);
    return (await world.client.call('job.steps', { job: job?.id ?? '' })).steps;
  };
  const done = await stepsOf(first);
  expect(done.length).toBeGreaterThan(2);
  expect(done.every((step) => step.state === 'done' && step.attempt > 0)).toBe(true);
  expect(done.map(({ startedAt }) => startedAt)).toEqual(
    done.map(({ startedAt }) => startedAt).toSorted((a, b) => (a ?? 0) - (b ?? 0)),
  );
  const stopped = await stepsOf(second);
  expect(stopped.map(({ name }) => name)).toEqual(expect.arrayContaining(done.map(({ name }) => name)));
  const at = stopped.findIndex(({ state }) => state === 'stopped');
  expect(stopped.map(({ state }) => state)).toEqual([
    ...Array<string>(at).fill('done'),
    'stopped',
    ...Array<string>(stopped.length - at - 1).fill('later'),
  ]);
});

test('a failed job is retried as a new job with the same input; a job that succeeded is not', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await register(world, 'source', sandbox);
  sandbox.faults.add({
    match: { method: 'POST', path: '/export$', times: 1 },
    action: { kind: 'respond', status: 403, body: { message: 'no' } },
  });
  const [failed] = await backUp(world, 'source', 'all');
  expect(failed?.state.status).toBe('failed');
  const retry = (job: string) => world.client.call('job.retry', { job });
  const { runId, jobId } = await retry(failed?.id ?? '');
  const [again] = await ended(world, runId);
  expect(again).toMatchObject({ id: jobId, state: { status: 'succeeded' }, input: failed?.input });
  expect(jobId).not.toBe(failed?.id);
  expect((await world.client.call('job.show', { job: failed?.id ?? '' })).state.status).toBe('failed');
  await expect(retry(jobId)).rejects.toMatchObject({ code: 'invalid-input' });
  await expect(retry('none')).rejects.toMatchObject({ code: 'job-missing' });
});

test('a job that is open, or whose instance was removed, is not retried', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await register(world, 'source', sandbox);
  sandbox.faults.add({ match: { path: '/export$' }, action: { kind: 'respond', status: 503, body: {} } });
  const { jobIds, runId } = await world.client.call('backup.start', {
    instance: 'source',
    projects: 'all',
    keepExisting: false,
  });
  const [job = ''] = jobIds;
  await expect(world.client.call('job.retry', { job })).rejects.toMatchObject({ code: 'invalid-input' });
  await world.client.call('job.cancel', { job, by: 'me' });
  await ended(world, runId);
  const { confirmation } = await world.client.call('host.confirm', {
    action: 'instance.remove',
    instance: 'source',
    project: null,
  });
  await world.client.call('instance.remove', { name: 'source', confirmation });
  await expect(world.client.call('job.retry', { job })).rejects.toMatchObject({ code: 'instance-unknown' });
});

test('a failed import that would have replaced a project cannot be retried', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await register(world, 'source', sandbox);
  const [path = ''] = sandbox.state.paths;
  await backUp(world, 'source', [path]);
  const { archives } = await world.client.call('archive.list', archiveFilter({ limit: 1 }));
  const { confirmation } = await world.client.call('host.confirm', {
    action: 'import.overwrite',
    instance: 'source',
    project: path,
  });
  sandbox.faults.add({
    match: { method: 'POST', path: '/projects/import$' },
    action: { kind: 'end-import', as: 'failed' },
  });
  const { runId, jobId } = await world.client.call('import.start', {
    instance: 'source',
    archive: archives[0]?.id ?? '',
    namespace: path.slice(0, path.lastIndexOf('/')),
    path: path.split('/').at(-1) ?? '',
    name: null,
    overwrite: true,
    allowSuspicious: false,
    overrideParams: {},
    confirmation,
  });
  const [job] = await ended(world, runId);
  expect(job?.state.status).toBe('failed');
  await expect(world.client.call('job.retry', { job: jobId })).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringContaining('replaces a project') as string,
  });
});

test('an import is found by any address of its project, without the name of the instance, wherever it was started', async () => {
  const world = await openWorld();
  const [source, target] = [await openTestSandbox({ projectCount: 1 }), await openTestSandbox({ seed: 2 })];
  await register(world, 'source', source);
  await register(world, 'target', target);
  await backUp(world, 'source', 'all');
  const { archives } = await world.client.call('archive.list', archiveFilter({ limit: 1 }));
  await importInto(world, 'target', archives[0]?.id ?? '', { namespace: 'atlas', path: 'moved' });
  const status = (project: string, instance: string | null = null) =>
    world.client.call('import.status', { instance, project, archive: null });
  for (const address of ['', '/-/import', '/-/issues?state=all#top', '.git', '/']) {
    expect(await status(`${target.url}/atlas/moved${address}`)).toMatchObject({
      instance: 'target',
      status: { fullPath: 'atlas/moved', state: 'finished' },
    });
  }
  expect(await status(`${target.url}/atlas/moved`, 'target')).toMatchObject({ instance: 'target' });
  const other = await openWorld();
  await register(other, 'elsewhere', target);
  const request = { instance: null, project: `${target.url}/atlas/moved`, archive: null };
  expect(await other.client.call('import.status', request)).toMatchObject({
    instance: 'elsewhere',
    status: { state: 'finished' },
  });
  await expect(status(`${target.url}/atlas/moved`, 'source')).rejects.toMatchObject({
    code: 'instance-unknown',
  });
  await expect(status('https://elsewhere.example.com/atlas/moved')).rejects.toMatchObject({
    code: 'instance-unknown',
    details: { name: 'elsewhere.example.com' },
  });
  await expect(status(`${target.url}/atlas`)).rejects.toMatchObject({ code: 'invalid-input' });
  await expect(status('atlas/moved')).rejects.toMatchObject({ code: 'invalid-input' });
});

test('without a keychain, a job that lost its session token waits for a token, and resumes when it is given', async () => {
  const keychain = new MemoryKeychain();
  keychain.failure = 'Cannot autolaunch D-Bus without X11 $DISPLAY';
  const first = await openWorld({ keychain });
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await register(first, 'source', sandbox);
  await first.client.call('backup.start', { instance: 'source', projects: 'all', keepExisting: false });
  await first.app.close();

  const world = await openWorld({ keychain, dataDir: first.dataDir });
  const onlyJob = async () => {
    const [job] = (await world.client.call('job.list', jobFilter({ limit: 9 }))).jobs;
    if (job === undefined) throw new Error('There is no job.');
    return job;
  };
  for (;;) {
    const change = nextChange(world);
    const { state } = await onlyJob();
    if (state.status === 'waiting' && state.reason === 'token-missing') break;
    await change;
  }
  expect((await onlyJob()).state).toMatchObject({ text: 'No token is available for "source".' });
  await world.client.call('instance.setToken', {
    name: 'source',
    token: sandbox.tokens.maintainer,
    keep: 'session',
  });
  const { runId } = await onlyJob();
  expect(await ended(world, runId)).toMatchObject([{ state: { status: 'succeeded' } }]);
});

test('cancelling a run cancels all its jobs and stores no incomplete archive, and the next process reports the same', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 7 });
  await register(world, 'source', sandbox);
  const [first = '', ...others] = sandbox.state.paths;
  await backUp(world, 'source', [first]);
  const downloads = () => sandbox.requests.filter(({ path }) => path.endsWith('/export/download')).length;
  const earlierDownloads = downloads();
  sandbox.faults.add({ match: { path: '/export/download$' }, action: { kind: 'stall', afterBytes: 100 } });
  const start = (projects: string[]) =>
    world.client.call('backup.start', { instance: 'source', projects, keepExisting: false });
  const { runId, jobIds } = await start(others);
  // Another run waits for one of these jobs, too.
  const joined = await start([others[0] ?? '']);
  await expect.poll(downloads, { timeout: 20_000 }).toBeGreaterThan(earlierDownloads);
  const cancel = (run: string) => world.client.call('run.cancel', { run, by: 'me' });
  const reply = await cancel(runId);
  expect(reply).toMatchObject({ runId, refused: [] });
  expect(reply.cancelled + reply.stopping).toBe(jobIds.length);
  expect((await ended(world, runId)).map(({ state }) => state)).toEqual(
    jobIds.map(() => ({ status: 'cancelled', by: 'me' })),
  );
  const runs = async ({ client }: typeof world) =>
    (await client.call('run.list', { before: null, limit: 9 })).runs;
  const [other, cancelledRun, before] = await runs(world);
  expect(other).toMatchObject({ id: joined.runId, outcome: 'cancelled', jobs: { cancelled: 1 } });
  expect(cancelledRun).toMatchObject({ id: runId, outcome: 'cancelled', jobs: { cancelled: 6 }, bytes: 0 });
  expect(Date.parse(cancelledRun?.endedAt ?? '')).toBeGreaterThanOrEqual(
    Date.parse(cancelledRun?.createdAt ?? ''),
  );
  const { archives } = await world.client.call('archive.list', archiveFilter({ limit: 9 }));
  expect(archives.map(({ fullPath }) => fullPath)).toEqual([first]);
  expect(before).toMatchObject({ outcome: 'succeeded', bytes: archives[0]?.sizeBytes });
  await expect(cancel(runId)).rejects.toMatchObject({ code: 'job-ended' });
  await expect(cancel('none')).rejects.toMatchObject({ code: 'job-missing' });

  const log = await world.client.call('job.log', { job: jobIds[0] ?? '', afterId: 0, limit: 500 });
  expect(log.events.map(({ message }) => message)).toContain('Cancelled by me.');
  await world.app.close();
  expect(await runs(await openWorld({ dataDir: world.dataDir }))).toEqual([other, cancelledRun, before]);
});
