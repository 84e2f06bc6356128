/**
 * @file Rotations that start by themselves: through the scheduler of the whole product, whose wall clock is stepped.
 */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { inProcessClient } from '../../../src-main/bridge/transports/in-process.ts';
import { composeApp } from '../../../src-main/compose/compose.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { startSandbox } from '../../../src-main/sandbox/sandbox.ts';
import { tokenInputSchema } from '../../../src-contract/tokens/token-schema.ts';
import {
  beginRotation,
  nowInUse,
  openScene,
  rotationsOf,
  type RotationScene,
} from '../../support/tokens/rotation-scene.ts';
import { ShiftedClock } from '../../support/clocks/shifted-clock.ts';
import { allEnded, ended, type World } from '../../support/world.ts';
import { jobFilter } from '../../support/requests.ts';

const dayMs = 86_400_000;
/** The lifetime of the sandbox's tokens. */
const lastsDays = 365;
const daysBefore = 14;

let clock: ShiftedClock;
let scene: RotationScene;

async function open(spare: boolean): Promise<void> {
  const sandbox = await startSandbox({ clock });
  onTestFinished(() => sandbox.close());
  scene = await openScene({ spare, sandbox, world: { clock } });
}

/** Lets the scheduler poll once, on a clock that is that many days ahead. */
async function look({ app }: Pick<World, 'app'> = scene.world, days = 0): Promise<void> {
  // Only the process that runs the jobs starts any.
  await expect.poll(() => app.isRunningJobs(), { interval: 5 }).toBe(true);
  clock.step(days * dayMs);
  app.wake();
  await new Promise(setImmediate);
}

const switchOn = (days: number | null = daysBefore) =>
  scene.world.client.call('instance.change', { name: 'source', rotateDaysBefore: days });

/** The rotations that were started, oldest first. */
async function started({ client }: Pick<World, 'client'> = scene.world) {
  const { jobs } = await client.call('job.list', jobFilter());
  return jobs.reverse().map(({ id, runId, input, state }) => {
    const parsed = tokenInputSchema.parse(input);
    return { id, runId, status: state.status, slot: parsed.action === 'rotate' ? parsed.slot : null };
  });
}

/** Ends the product and starts it again on the same data, with its schedule. */
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

test('a token is replaced once so many days before it expires, and not before', async () => {
  await open(true);
  await switchOn();
  scene.world.app.startSchedule();
  const before = await nowInUse(scene);
  await look(scene.world, lastsDays - daysBefore - 1);
  expect(await started()).toEqual([]);
  await look(scene.world, 1);
  expect(await allEnded(scene.world)).toMatchObject([
    { kind: 'token', state: { status: 'succeeded' }, result: { slot: 'main', oldId: before.id } },
  ]);
  expect((await nowInUse(scene)).id).not.toBe(before.id);
  expect(rotationsOf(scene)).toHaveLength(1);
});

test('the spare is replaced in a run of its own, after the main token', async () => {
  await open(true);
  await switchOn();
  scene.world.app.startSchedule();
  await look(scene.world, lastsDays - daysBefore);
  await look();
  expect(await started()).toMatchObject([{ slot: 'main' }]);
  await allEnded(scene.world);
  await look();
  await allEnded(scene.world);
  await look();
  await look(scene.world, 1);
  const jobs = await started();
  expect(jobs).toMatchObject([
    { slot: 'main', status: 'succeeded' },
    { slot: 'spare', status: 'succeeded' },
  ]);
  expect(new Set(jobs.map(({ runId }) => runId)).size).toBe(2);
  expect(await nowInUse(scene)).toMatchObject({ name: 'maintainer' });
  expect(await nowInUse(scene, 'source#spare')).toMatchObject({ name: 'spare' });
});

test('after a restart what is due is replaced once, and what was replaced is left alone', async () => {
  await open(false);
  await switchOn();
  clock.step((lastsDays - daysBefore) * dayMs);
  const second = await restart();
  await expect.poll(async () => (await started(second)).length, { interval: 5 }).toBe(1);
  await allEnded(second);
  scene = { ...scene, world: second };
  const third = await restart();
  await look(third);
  await look(third, 1);
  expect(await started(third)).toMatchObject([{ slot: 'main', status: 'succeeded' }]);
  expect(rotationsOf(scene)).toHaveLength(1);
});

test('nothing is started while another token of the instance is being replaced', async () => {
  await open(true);
  await switchOn();
  scene.world.app.startSchedule();
  clock.step((lastsDays - daysBefore) * dayMs);
  scene.sandbox.faults.add({ match: { path: 'rotate', nth: 1 }, action: { kind: 'lose-reply' } });
  const manual = await beginRotation(scene, 'spare');
  for (let looks = 0; looks < 3; looks += 1) await look();
  expect(await started()).toMatchObject([{ id: manual.jobId, slot: 'spare' }]);
  await ended(scene.world, manual.runId);
  await look();
  expect(await started()).toMatchObject([{ slot: 'spare' }, { slot: 'main' }]);
  await allEnded(scene.world);
});

test('asked for by hand as it starts by itself, a token is replaced once', async () => {
  await open(true);
  await switchOn();
  scene.world.app.startSchedule();
  scene.sandbox.faults.add({ match: { path: 'rotate' }, action: { kind: 'delay-work', ms: 300 } });
  await look(scene.world, lastsDays - daysBefore);
  await expect.poll(() => started(), { interval: 5 }).toHaveLength(1);
  const byItself = await started();
  const { jobId, runId } = await beginRotation(scene);
  expect(byItself.map(({ id }) => id)).toEqual([jobId]);
  await ended(scene.world, runId);
  expect(rotationsOf(scene)).toHaveLength(1);
});

test('one that could not be replaced is tried again after a day', async () => {
  await open(false);
  await switchOn();
  scene.world.app.startSchedule();
  scene.sandbox.faults.add({
    match: { path: 'rotate', nth: 1 },
    action: { kind: 'respond', status: 403, body: { message: '403 Forbidden' } },
  });
  await look(scene.world, lastsDays - daysBefore);
  await allEnded(scene.world);
  await look();
  expect(await started()).toMatchObject([{ status: 'failed' }]);
  await look(scene.world, 1);
  await allEnded(scene.world);
  expect(await started()).toMatchObject([{ status: 'failed' }, { status: 'succeeded' }]);
});

test.for([
  ['as an instance is added', null],
  ['once it was switched off again', daysBefore],
])('nothing is replaced by itself %s', async ([, before]) => {
  await open(true);
  if (before !== null) {
    await switchOn();
    await switchOn(null);
  }
  scene.world.app.startSchedule();
  await look(scene.world, lastsDays - 1);
  expect(await started()).toEqual([]);
});
