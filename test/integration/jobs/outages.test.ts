/** @file An outage of ten minutes during a plan and a migration, with real components and a clock that runs faster. */
import { expect, it, onTestFinished } from 'vitest';
import { hasEnded } from '../../../src-contract/runs/job.ts';
import { startSandbox, type Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { FastClock, longDiskTimeouts } from '../../support/clocks/fast-clock.ts';
import { readStoredState } from '../../support/faults/stored-truth.ts';
import { planDraft } from '../../support/jobs/plan-draft.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { nextChange, openWorld, type World } from '../../support/world.ts';
import { addVerifiable } from '../../verifier/verifiable-instances.ts';
import { verifyOpenFolders } from '../../verifier/verify-migration.ts';
import { jobFilter } from '../../support/requests.ts';

const minute = 60_000;
const planned = 20;
const migrated = 10;
const poll = { timeout: 120_000, interval: 50 };

/** Returns the paths of the accepted requests. */
const accepted = (sandbox: Sandbox, path: RegExp): string[] =>
  sandbox.requests
    .filter(
      ({ method, status, path: requestPath }) =>
        method === 'POST' && (status ?? 500) < 300 && path.test(requestPath),
    )
    .map(({ path: requestPath }) => requestPath);

async function openServers(clock: FastClock, world: World): Promise<Record<'source' | 'target', Sandbox>> {
  const open = async (name: string, projects: number, seed: number): Promise<Sandbox> => {
    const sandbox = await startSandbox({ clock, projectCount: projects, areProjectsLight: true, seed });
    onTestFinished(() => verifyOpenFolders().finally(() => sandbox.close()));
    addVerifiable(sandbox);
    const token = sandbox.tokens.administrator;
    await world.client.call('instance.setToken', { name, token, keep: 'session' });
    const { url } = sandbox;
    await world.client.call('instance.add', { name, url, caFile: null, pace: 'gitlab', keep: 'session' });
    return sandbox;
  };
  return {
    source: await open('source', planned + migrated, 1),
    target: await open('target', 0, 2),
  };
}

it('a plan of twenty projects and a migration of ten survive an outage of ten minutes, and do nothing twice', async () => {
  const clock = new FastClock(100);
  const world = await openWorld({
    clock,
    dataDir: temporaryFolder(),
    diskLimits: longDiskTimeouts,
    httpLimits: { bodyTimeoutMs: 20 * minute, rate: { windowMs: 20 * minute, minBytes: 1 } },
  });
  const { client } = world;
  const { source, target } = await openServers(clock, world);
  const ids = await Promise.all(
    source.state.paths.map(async (fullPath) => ({ id: (await source.state.project(fullPath)).id, fullPath })),
  );
  const pick = (projects: typeof ids) => ({ kind: 'projects' as const, projects });
  const moving = ids.slice(planned, planned + migrated);
  expect(moving).toHaveLength(migrated);

  const { id: migration } = await client.call('migration.create', {
    ...{ name: 'Move', source: 'source', target: 'target', selection: pick(moving) },
    ...{ rules: [], overrideParams: {}, freeze: false, waveSize: null },
  });
  const { findings } = await client.call('migration.check', { migration });
  for (const { id: finding, severity } of findings) {
    if (severity === 'blocker')
      await client.call('migration.override', { migration, finding, note: 'Meant.' });
  }
  await client.call('migration.start', { migration, createGroups: true });
  const { plan } = await client.call(
    'plan.save',
    planDraft({ instance: 'source', selection: pick(ids.slice(0, planned)) }),
  );
  const { runId } = await client.call('plan.run', { id: plan.id });

  await expect.poll(() => accepted(target, /\/projects\/import$/).length, poll).toBeGreaterThan(1);
  for (const sandbox of [source, target]) {
    sandbox.faults.add({ match: { path: '/api/v4/' }, action: { kind: 'respond', status: 503 } });
  }
  const requestsBefore = source.requests.length;
  await clock.sleep(5 * minute);
  // During the outage the jobs report the reason for their wait.
  const { jobs: open } = await client.call('job.list', jobFilter({ status: 'open' }));
  const texts = open.flatMap(({ state }) => (state.status === 'waiting' ? [state.text] : []));
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts)
    expect(text).toMatch(/^The instance has not answered since \d\d:\d\d \(HTTP 503\)\.$/);
  await clock.sleep(5 * minute);
  // One small request at a time probes the instance for all jobs.
  expect(source.requests.length - requestsBefore).toBeLessThan(80);
  for (const sandbox of [source, target]) sandbox.faults.clear();

  for (;;) {
    const change = nextChange(world);
    const shown = await client.call('migration.show', { migration });
    const { jobs } = await client.call('job.list', jobFilter({ runId }));
    if (shown.status === 'ended' && jobs.every(({ state }) => hasEnded(state))) {
      expect(jobs).toHaveLength(planned);
      expect(jobs.flatMap(({ state }) => (state.status === 'succeeded' ? [] : [state]))).toEqual([]);
      break;
    }
    await change;
  }
  const { projects } = await client.call('migration.projects', {
    ...{ migration, state: null, wave: null, search: null, offset: 0, limit: 100 },
  });
  for (const { error, importJob } of projects) expect([error, typeof importJob]).toEqual([null, 'string']);
  expect(projects.filter(({ state }) => state === 'failed' || state === 'cancelled')).toEqual([]);
  const exports = accepted(source, /\/export$/);
  expect(new Set(exports).size).toBe(planned + migrated);
  expect(exports).toHaveLength(planned + migrated);
  expect(accepted(target, /\/projects\/import$/)).toHaveLength(migrated);
  expect(readStoredState(world.dataDir)).toMatchObject({ parts: [], trash: [] });
}, 240_000);
