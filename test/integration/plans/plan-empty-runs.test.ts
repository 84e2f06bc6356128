/**
 * @file Runs of plans that back up nothing: each is stored with its reason and needs attention until the next successful
 * run.
 */
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { Attention } from '../../../src-contract/runs/overview-schema.ts';
import type { PlanStatus } from '../../../src-contract/plans/plan.ts';
import type { Run } from '../../../src-contract/runs/run.ts';
import { ShiftedClock } from '../../support/clocks/shifted-clock.ts';
import { planDraft } from '../../support/jobs/plan-draft.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ended, nextChange, openTestSandbox, openWorld, register, type World } from '../../support/world.ts';

const day = 86_400_000;

let clock: ShiftedClock;
let sandbox: Sandbox;
let world: World;

beforeEach(async () => {
  clock = new ShiftedClock(Date.UTC(2026, 10, 20, 12));
  sandbox = await openTestSandbox({ projectCount: 2 });
  world = await openWorld({ clock });
  await register(world, 'work', sandbox);
});

const setToken = (token: string) =>
  world.client.call('instance.setToken', { name: 'work', token, keep: 'session' });
const run = async (id: string) => {
  const started = await world.client.call('plan.run', { id });
  await ended(world, started.runId);
  return started;
};
const newest = async (): Promise<Run | undefined> =>
  (await world.client.call('run.list', { limit: 1 })).runs[0];
const status = async (): Promise<PlanStatus | undefined> =>
  (await world.client.call('plan.list', {})).plans[0];
const attention = async (): Promise<Attention[]> =>
  (await world.client.call('overview.show', {})).attention.filter(({ kind }) =>
    ['plan-failed', 'plan-empty', 'job-failed', 'jobs-failed'].includes(kind),
  );
const exportRequests = (): number =>
  sandbox.requests.filter(({ method, path }) => method === 'POST' && /\/export$/.test(path)).length;

test('a requested run that cannot start is stored as failed with its reason, until a run succeeds', async () => {
  const { plan } = await world.client.call('plan.save', planDraft());
  await run(plan.id);
  clock.step(1_000);
  await setToken(sandbox.tokens.readOnly);
  await expect(run(plan.id)).rejects.toMatchObject({ code: 'token-scope' });

  const failedRun = await newest();
  expect(failedRun).toMatchObject({
    planId: plan.id,
    outcome: 'failed',
    jobs: {},
    instances: ['work'],
    notes: [{ severity: 'warning', error: { code: 'token-scope' } }],
  });
  expect((await status())?.lastRun).toMatchObject({ runId: failedRun?.id, outcome: 'failed' });
  const { plans } = await world.client.call('plan.history', { days: 2 });
  expect(plans[0]?.days.at(-1)).toMatchObject({ outcome: 'failed', runId: failedRun?.id });
  expect(await attention()).toMatchObject([
    { kind: 'plan-failed', planId: plan.id, runId: failedRun?.id, error: { code: 'token-scope' } },
  ]);

  clock.step(1_000);
  await setToken(sandbox.tokens.maintainer);
  await run(plan.id);
  expect(await attention()).toEqual([]);
});

test('a due plan stays due, with the reason, if a requested run cannot start', async () => {
  const { plan } = await world.client.call('plan.save', planDraft());
  clock.step(day);
  await setToken(sandbox.tokens.readOnly);
  await expect(run(plan.id)).rejects.toMatchObject({ code: 'token-scope' });
  expect(await status()).toMatchObject({ lastRun: null, overdue: { error: { code: 'token-scope' } } });
  await setToken(sandbox.tokens.maintainer);
  await run(plan.id);
  expect(await status()).toMatchObject({ lastRun: { outcome: 'succeeded' }, overdue: null });
});

test('a run whose plan covers no project has a warning, and needs attention', async () => {
  const rule = {
    ...{
      kind: 'rule' as const,
      scope: 'member' as const,
      group: 'nogroup',
      topic: null,
      visibility: null,
      markedArchived: null,
    },
    ...{ activeWithinDays: null, starred: null, owned: null, name: null, except: [] },
  };
  const { plan } = await world.client.call('plan.save', planDraft({ selection: rule }));
  expect(await run(plan.id)).toMatchObject({ jobs: 0 });
  expect(await newest()).toMatchObject({
    outcome: 'warnings',
    notes: [{ severity: 'warning', message: 'Nothing was backed up: the plan covers no project.' }],
  });
  expect(await attention()).toMatchObject([{ kind: 'plan-empty', planId: plan.id }]);
  clock.step(1_000);
  await world.client.call('plan.save', planDraft({ id: plan.id }));
  await run(plan.id);
  expect(await attention()).toEqual([]);
});

test('a run creates no job and no export while the disk of its archives is missing, and succeeds once it is back', async () => {
  const drive = join(temporaryFolder(), 'drive');
  mkdirSync(drive);
  const { plan } = await world.client.call('plan.save', planDraft({ archiveRoot: drive }));
  renameSync(drive, `${drive}-unplugged`);
  await expect(run(plan.id)).rejects.toMatchObject({ code: 'disk-failed' });
  expect(await newest()).toMatchObject({ outcome: 'failed', jobs: {} });
  expect(await attention()).toMatchObject([{ kind: 'plan-failed', error: { code: 'disk-failed' } }]);
  expect(exportRequests()).toBe(0);

  // A scheduled run waits and is retried.
  world.app.startSchedule();
  clock.step(day);
  world.app.wake();
  for (;;) {
    const change = nextChange(world);
    if ((await status())?.overdue?.error?.code === 'disk-failed') break;
    await change;
  }
  expect(exportRequests()).toBe(0);
  renameSync(`${drive}-unplugged`, drive);
  await run(plan.id);
  expect(await status()).toMatchObject({ lastRun: { outcome: 'succeeded' }, overdue: null });
  expect(await attention()).toEqual([]);
});
