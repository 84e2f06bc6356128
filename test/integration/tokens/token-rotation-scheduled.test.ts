/**
 * @file Rotations that the scheduler of the whole product starts, with a stepped wall clock.
 */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { inProcessClient } from '../../../src-main/bridge/transports/in-process.ts';
import { composeApp } from '../../../src-main/compose/compose.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { startSandbox } from '../../../src-main/sandbox/sandbox.ts';
import { tokenInputSchema } from '../../../src-contract/tokens/token-schema.ts';
import {
  beginRotation,
  tokenInUse,
  openScene,
  rotationsOf,
  type RotationScene,
} from '../../support/tokens/rotation-scene.ts';
import { ShiftedClock } from '../../support/clocks/shifted-clock.ts';
import { allEnded, ended, type World } from '../../support/world.ts';
import { jobFilter } from '../../support/requests.ts';

const dayMs = 86_400_000;
/** The lifetime of the sandbox's tokens. */
const lifetimeDays = 365;
const daysBefore = 14;

let clock: ShiftedClock;
let scene: RotationScene;

async function open(spare: boolean): Promise<void> {
  const sandbox = await startSandbox({ clock });
  onTestFinished(() => sandbox.close());
  scene = await openScene({ spare, sandbox, world: { clock } });
}

/** Lets the scheduler poll once, on a clock that is that many days ahead. */
async function poll({ app }: Pick<World, 'app'> = scene.world, days = 0): Promise<void> {
  // Only the process that runs the jobs starts rotations.
  await expect.poll(() => app.isRunningJobs(), { interval: 5 }).toBe(true);
  clock.step(days * dayMs);
  app.wake();
  await new Promise(setImmediate);
}

const switchOn = (days: number | null = daysBefore) =>
  scene.world.client.call('instance.change', { name: 'source', rotateDaysBefore: days });

/** Returns the rotations that were started, oldest first. */
async function started({ client }: Pick<World, 'client'> = scene.world) {
  const { jobs } = await client.call('job.list', jobFilter());
  return jobs.reverse().map(({ id, runId, input, state }) => {
    const parsed = tokenInputSchema.parse(input);
    return { id, runId, status: state.status, slot: parsed.action === 'rotate' ? parsed.slot : null };
  });
}

/** Closes the app and starts it again on the same data folder, with its schedule. */
async function restart(): Promise<World> {
  const { app, dataDir } = scene.world;
  await app.close();
  const again = await composeApp({ env: {}, clock, dataDir, keychain: scene.keychain });
  onTestFinished(() => again.close());
  again.startJobs(() => true);
  again.startSchedule();
  await expect.poll(() => again.isRunningJobs(), { interval: 5 }).toBe(true);
  return { app: again, dataDir, client: inProcessClient(again.dispatch, new AbortController().signal) };
}

beforeEach(() => {
  clock = new ShiftedClock(systemClock.now());
});

test('a token is rotated exactly once, the configured number of days before it expires, and not earlier', async () => {
  await open(true);
  await switchOn();
  scene.world.app.startSchedule();
  const before = await tokenInUse(scene);
  await poll(scene.world, lifetimeDays - daysBefore - 1);
  expect(await started()).toEqual([]);
  await poll(scene.world, 1);
  expect(await allEnded(scene.world)).toMatchObject([
    { kind: 'token', state: { status: 'succeeded' }, result: { slot: 'main', oldId: before.id } },
  ]);
  expect((await tokenInUse(scene)).id).not.toBe(before.id);
  expect(rotationsOf(scene)).toHaveLength(1);
});

test('the spare token is rotated in its own run, after the main token', async () => {
  await open(true);
  await switchOn();
  scene.world.app.startSchedule();
  await poll(scene.world, lifetimeDays - daysBefore);
  await poll();
  expect(await started()).toMatchObject([{ slot: 'main' }]);
  await allEnded(scene.world);
  await poll();
  await allEnded(scene.world);
  await poll();
  await poll(scene.world, 1);
  const jobs = await started();
  expect(jobs).toMatchObject([
    { slot: 'main', status: 'succeeded' },
    { slot: 'spare', status: 'succeeded' },
  ]);
  expect(new Set(jobs.map(({ runId }) => runId)).size).toBe(2);
  expect(await tokenInUse(scene)).toMatchObject({ name: 'maintainer' });
  expect(await tokenInUse(scene, 'source#spare')).toMatchObject({ name: 'spare' });
});

test('after a restart a due token is rotated once, and a rotated token is not rotated again', async () => {
  await open(false);
  await switchOn();
  clock.step((lifetimeDays - daysBefore) * dayMs);
  const second = await restart();
  await expect.poll(async () => (await started(second)).length, { interval: 5 }).toBe(1);
  await allEnded(second);
  scene = { ...scene, world: second };
  const third = await restart();
  await poll(third);
  await poll(third, 1);
  expect(await started(third)).toMatchObject([{ slot: 'main', status: 'succeeded' }]);
  expect(rotationsOf(scene)).toHaveLength(1);
});

test('no rotation starts while another token of the instance is being rotated', async () => {
  await open(true);
  await switchOn();
  scene.world.app.startSchedule();
  clock.step((lifetimeDays - daysBefore) * dayMs);
  scene.sandbox.faults.add({ match: { path: 'rotate', nth: 1 }, action: { kind: 'lose-reply' } });
  const manual = await beginRotation(scene, 'spare');
  for (let polls = 0; polls < 3; polls += 1) await poll();
  expect(await started()).toMatchObject([{ id: manual.jobId, slot: 'spare' }]);
  await ended(scene.world, manual.runId);
  await poll();
  expect(await started()).toMatchObject([{ slot: 'spare' }, { slot: 'main' }]);
  await allEnded(scene.world);
});

test('a token is rotated once if a user requests it while its scheduled rotation runs', async () => {
  await open(true);
  await switchOn();
  scene.world.app.startSchedule();
  scene.sandbox.faults.add({ match: { path: 'rotate' }, action: { kind: 'delay-work', ms: 300 } });
  await poll(scene.world, lifetimeDays - daysBefore);
  await expect.poll(() => started(), { interval: 5 }).toHaveLength(1);
  const scheduled = await started();
  const { jobId, runId } = await beginRotation(scene);
  expect(scheduled.map(({ id }) => id)).toEqual([jobId]);
  await ended(scene.world, runId);
  expect(rotationsOf(scene)).toHaveLength(1);
});

test('a failed rotation is retried after a day', async () => {
  await open(false);
  await switchOn();
  scene.world.app.startSchedule();
  scene.sandbox.faults.add({
    match: { path: 'rotate', nth: 1 },
    action: { kind: 'respond', status: 403, body: { message: '403 Forbidden' } },
  });
  await poll(scene.world, lifetimeDays - daysBefore);
  await allEnded(scene.world);
  await poll();
  expect(await started()).toMatchObject([{ status: 'failed' }]);
  await poll(scene.world, 1);
  await allEnded(scene.world);
  expect(await started()).toMatchObject([{ status: 'failed' }, { status: 'succeeded' }]);
});

test.for([
  ['when an instance is added', null],
  ['after the schedule is switched off', daysBefore],
])('no rotation is scheduled %s', async ([, before]) => {
  await open(true);
  if (before !== null) {
    await switchOn();
    await switchOn(null);
  }
  scene.world.app.startSchedule();
  await poll(scene.world, lifetimeDays - 1);
  expect(await started()).toEqual([]);
});
