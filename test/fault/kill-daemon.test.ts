/** @file Kills a daemon repeatedly while a plan starts, backs up and prunes. */
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { manifestSuffix } from '../../src-main/archive/names.ts';
import { openCatalogue } from '../../src-main/catalogue/database.ts';
import { JobSearch } from '../../src-main/catalogue/runs/job-search.ts';
import { systemClock } from '../../src-main/platform/clock.ts';
import { createDataPaths } from '../../src-main/platform/paths.ts';
import { SettingsStore } from '../../src-main/platform/settings.ts';
import type { StoredJob } from '../../src-contract/runs/job.ts';
import { CliProcess } from '../support/processes/cli-process.ts';
import { planDraft } from '../support/jobs/plan-draft.ts';
import { readStoredState } from '../support/faults/stored-truth.ts';
import { backUp, openTestSandbox, openWorld, register } from '../support/world.ts';

const poll = { interval: 5, timeout: 30_000 };

it('a plan starts once, backs up each project once and prunes the archives beyond the limit, however often the daemon is killed', async () => {
  const sandbox = await openTestSandbox({ projectCount: 2 });
  const world = await openWorld();
  await register(world, 'work', sandbox);
  await backUp(world, 'work', 'all');
  await world.client.call('plan.save', planDraft({ keepLast: 1 }));
  await world.app.close();
  const settings = new SettingsStore(join(world.dataDir, 'settings.json'), systemClock);
  await settings.change((before) => ({
    ...before,
    plans: before.plans.map((plan) => ({ ...plan, activeSince: '2020-01-01T00:00:00.000Z' })),
  }));
  const before = readStoredState(world.dataDir);
  expect(before.archives).toHaveLength(2);

  const start = (...args: string[]): CliProcess =>
    new CliProcess(world.dataDir, { work: sandbox.tokens.maintainer }, ...args);
  const catalogue = openCatalogue({ path: createDataPaths(world.dataDir).catalogue, clock: systemClock });
  onTestFinished(() => {
    catalogue.close();
  });
  const oldJobs = new Set(before.jobs.map(({ id }) => id));
  const jobs = (): StoredJob[] =>
    new JobSearch(catalogue).find({ limit: 100 }).filter(({ id }) => !oldJobs.has(id));
  const isDone = (): boolean => {
    const newJobs = jobs();
    return newJobs.length > 0 && newJobs.every(({ state }) => state.status === 'succeeded');
  };

  let starts = 0;
  while (!isDone()) {
    starts += 1;
    const daemon = start('daemon');
    // Each process gets further than the one before, because a step that is interrupted five times waits before it is
    // retried.
    const requestGoal = sandbox.requests.length + 1 + (starts - 1) * 12;
    await expect.poll(() => sandbox.requests.length >= requestGoal || isDone(), poll).toBe(true);
    await daemon.kill();
    expect(jobs().map(({ state }) => state)).not.toContainEqual(
      expect.objectContaining({ status: 'failed' }),
    );
  }
  expect(starts).toBeGreaterThan(3);

  const { stdout } = await start('plan', 'list').ended;
  expect(JSON.parse(stdout)).toMatchObject({ plans: [{ overdue: null, lastRun: { outcome: 'succeeded' } }] });
  const truth = readStoredState(world.dataDir);
  expect(new Set(jobs().map(({ runId }) => runId)).size).toBe(1);
  expect(jobs()).toHaveLength(2);
  expect(truth.archives).toHaveLength(2);
  expect(truth.archives).not.toEqual(before.archives);
  const trashed = truth.trash.filter((file) => file.endsWith('.tar.gz')).sort();
  const hasManifest = (file: string): boolean => truth.trash.includes(`${file}${manifestSuffix}`);
  expect(trashed.filter(hasManifest)).toEqual(before.archives.map((file) => `.trash/${file}`).sort());
  // A daemon that was killed before it wrote the manifest left an archive without one. The next daemon downloaded the
  // archive again under the same name.
  const leftovers = trashed.filter((file) => !hasManifest(file)).map((file) => file.slice('.trash/'.length));
  expect(truth.archives).toEqual(expect.arrayContaining(leftovers));
});
