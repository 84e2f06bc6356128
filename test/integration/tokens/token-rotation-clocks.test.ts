/** @file Rotations of tokens with wrong times: a server that acts after the timeout, and clocks that are days apart. */
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { startSandbox } from '../../../src-main/sandbox/sandbox.ts';
import {
  beginRotation,
  errorOf,
  tokenInUse,
  openScene,
  rotate,
  rotationsOf,
  waitingFor,
  type RotationScene,
} from '../../support/tokens/rotation-scene.ts';
import { ShiftedClock } from '../../support/clocks/shifted-clock.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import { ended } from '../../support/world.ts';

const dayMs = 86_400_000;
/** The time limit of a rotation follows the clock of the test; the transport's own limit is a real minute. */
const withinRealMinute = { timeout: 30_000 };
const onDay = (days: number): string => new Date(systemClock.now() + days * dayMs).toISOString().slice(0, 10);

/** Returns the tokens of that name in the sandbox, in the order of their creation. */
async function tokensCalled({ sandbox }: RotationScene, name: string) {
  const reply = await fetch(`${sandbox.url}/-/sandbox/tokens`);
  const tokens = (await reply.json()) as { id: number; name: string; revoked: boolean }[];
  return tokens.filter((token) => token.name === name).sort((a, b) => a.id - b.id);
}

/** Starts a rotation that times out on the client after a minute, and that the server performs 45 seconds later. */
async function performedLate(spare: boolean) {
  const clock = new SteppedClock();
  const sandbox = await startSandbox({ clock });
  onTestFinished(() => sandbox.close());
  const scene = await openScene({ spare, sandbox, world: { clock }, pace: 'gitlab' });
  sandbox.faults.add({
    match: { path: 'rotate', nth: 1 },
    action: { kind: 'delay-work', ms: 105_000 },
  });
  const [old] = await tokensCalled(scene, 'maintainer');
  const { jobId, runId } = await beginRotation(scene, 'main', '2027-03-01');
  await expect.poll(() => rotationsOf(scene).length, { interval: 5 }).toBe(1);
  await clock.advance(60_000);
  await waitingFor(scene.world, jobId, 'answer-lost');
  const requestCount = sandbox.requests.length;
  await clock.advance(45_000);
  await expect.poll(async () => (await tokensCalled(scene, 'maintainer')).length, { interval: 5 }).toBe(2);
  await clock.advance(15_000);
  // A minute after the timeout no check has been sent yet.
  expect(sandbox.requests).toHaveLength(requestCount);
  await clock.advance(5_000);
  const [job] = await ended(scene.world, runId);
  const [, orphan] = await tokensCalled(scene, 'maintainer');
  if (job === undefined || old === undefined || orphan === undefined)
    throw new Error('Something is missing.');
  return { scene, job, old, orphan };
}

test(
  'a token that the server rotates after the timeout is found, and is rotated again with the spare token',
  withinRealMinute,
  async () => {
    const { scene, job, old, orphan } = await performedLate(true);
    expect(job).toMatchObject({ state: { status: 'succeeded' }, result: { oldId: old.id } });
    expect(rotationsOf(scene).map(({ path }) => path)).toEqual(
      [old, orphan].map(({ id }) => `/api/v4/personal_access_tokens/${id}/rotate`),
    );
    expect(orphan.revoked).toBe(true);
    expect(await tokenInUse(scene)).toMatchObject({ name: 'maintainer', expires_at: '2027-03-01' });
  },
);

test(
  'without a spare token the new token is reported as lost, and the instance is blocked until another token finds it',
  withinRealMinute,
  async () => {
    const { scene, job, old, orphan } = await performedLate(false);
    expect(errorOf(job)).toMatchObject({
      code: 'rotation-lost',
      details: { oldId: old.id, name: 'maintainer', expiresOn: '2027-03-01' },
    });
    expect(rotationsOf(scene)).toHaveLength(1);
    const { instances } = await scene.world.client.call('instance.list', {});
    expect(instances).toMatchObject([{ rotationLost: { oldId: old.id, expiresOn: '2027-03-01' } }]);
    await expect(scene.world.client.call('instance.check', { name: 'source' })).rejects.toMatchObject({
      code: 'rotation-lost',
    });
    // The instance can report which token was lost once it has a token again.
    const token = scene.sandbox.tokens.spare;
    const request = { name: 'source', token, keep: 'keychain' } as const;
    expect(await scene.world.client.call('instance.setToken', request)).toMatchObject({
      lost: { id: orphan.id, expiresOn: '2027-03-01' },
    });
    expect(await scene.world.client.call('instance.setToken', request)).toEqual({});
  },
);

/** Opens a scene in which the local clock is that many days ahead of the server's. */
const openAhead = (days: number, spare = false): Promise<RotationScene> =>
  openScene({ spare, world: { clock: new ShiftedClock(systemClock.now() + days * dayMs) } });

test.for([-400, -5, 5, 400])(
  'with a clock that is %i days ahead, the day of expiry follows from the day of the server',
  async (days) => {
    const scene = await openAhead(days);
    expect(await rotate(scene)).toMatchObject({ state: { status: 'succeeded' } });
    expect(await tokenInUse(scene)).toMatchObject({ expires_at: onDay(364) });
  },
);

test('a day that has begun on the server is rejected before any rotation request, whatever the local clock shows', async () => {
  const scene = await openAhead(-5);
  expect(errorOf(await rotate(scene, 'main', onDay(0)))).toMatchObject({ code: 'invalid-input' });
  expect(rotationsOf(scene)).toEqual([]);
  expect(await rotate(scene, 'main', onDay(1))).toMatchObject({ state: { status: 'succeeded' } });
});

test.for([-5, 5])('with a clock that is %i days ahead, a lost token is still found', async (days) => {
  const scene = await openAhead(days, true);
  scene.sandbox.faults.add({ match: { path: 'rotate', nth: 1 }, action: { kind: 'lose-reply' } });
  expect(await rotate(scene)).toMatchObject({ state: { status: 'succeeded' } });
  expect(rotationsOf(scene)).toHaveLength(2);
});
