import { beforeEach, expect, test } from 'vitest';
import { RotationLock } from '../../../../src-main/services/tokens/rotation-lock.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';

let clock: SteppedClock;
let rotationLock: RotationLock;
beforeEach(() => {
  clock = new SteppedClock();
  rotationLock = new RotationLock(clock);
});

/** Returns the current state of a promise. */
async function stateOf(promise: Promise<unknown>): Promise<'open' | 'resolved' | 'rejected'> {
  let state: 'open' | 'resolved' | 'rejected' = 'open';
  promise.then(
    () => (state = 'resolved'),
    () => (state = 'rejected'),
  );
  await clock.advance(0);
  return state;
}

test('an exclusive holder waits for all shared holders, and no shared holder is admitted meanwhile', async () => {
  const releaseShared = [await rotationLock.acquireShared(), await rotationLock.acquireShared()];
  const exclusive = rotationLock.acquireExclusive();
  const late = rotationLock.acquireShared();
  releaseShared[0]?.();
  releaseShared[0]?.();
  expect([await stateOf(exclusive), await stateOf(late)]).toEqual(['open', 'open']);
  releaseShared[1]?.();
  expect([await stateOf(exclusive), await stateOf(late)]).toEqual(['resolved', 'open']);
  (await exclusive)();
  expect(await stateOf(late)).toBe('resolved');
});

test('an exclusive holder waits at most a minute for shared holders', async () => {
  await rotationLock.acquireShared();
  const exclusive = rotationLock.acquireExclusive();
  await clock.advance(59_999);
  expect(await stateOf(exclusive)).toBe('open');
  await clock.advance(1);
  expect(await stateOf(exclusive)).toBe('resolved');
});

test('only one exclusive holder is admitted at a time', async () => {
  const releaseFirst = await rotationLock.acquireExclusive();
  const second = rotationLock.acquireExclusive();
  expect(await stateOf(second)).toBe('open');
  releaseFirst();
  const releaseSecond = await second;
  const late = rotationLock.acquireShared();
  expect(await stateOf(late)).toBe('open');
  releaseSecond();
  expect(await stateOf(late)).toBe('resolved');
});

test('a shared holder that stops waiting is not admitted later', async () => {
  const release = await rotationLock.acquireExclusive();
  const cancel = new AbortController();
  const late = rotationLock.acquireShared(cancel.signal);
  expect(await stateOf(late)).toBe('open');
  cancel.abort(new Error('enough'));
  await expect(late).rejects.toThrow('enough');
  release();
  expect(await stateOf(rotationLock.acquireExclusive())).toBe('resolved');
});
