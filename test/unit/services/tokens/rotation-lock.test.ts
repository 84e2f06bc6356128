import { beforeEach, expect, test } from 'vitest';
import { RotationLock } from '../../../../src-main/services/tokens/rotation-lock.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';

let clock: SteppedClock;
let rotationLock: RotationLock;
beforeEach(() => {
  clock = new SteppedClock();
  rotationLock = new RotationLock(clock);
});

/** What a promise has come to by now. */
async function stateOf(promise: Promise<unknown>): Promise<'open' | 'resolved' | 'rejected'> {
  let state: 'open' | 'resolved' | 'rejected' = 'open';
  promise.then(
    () => (state = 'resolved'),
    () => (state = 'rejected'),
  );
  await clock.advance(0);
  return state;
}

test('whoever closes it waits for those inside, and nobody comes in meanwhile', async () => {
  const leave = [await rotationLock.acquireShared(), await rotationLock.acquireShared()];
  const closing = rotationLock.acquireExclusive();
  const late = rotationLock.acquireShared();
  leave[0]?.();
  leave[0]?.();
  expect([await stateOf(closing), await stateOf(late)]).toEqual(['open', 'open']);
  leave[1]?.();
  expect([await stateOf(closing), await stateOf(late)]).toEqual(['resolved', 'open']);
  (await closing)();
  expect(await stateOf(late)).toBe('resolved');
});

test('those inside are waited for a minute at the most', async () => {
  await rotationLock.acquireShared();
  const closing = rotationLock.acquireExclusive();
  await clock.advance(59_999);
  expect(await stateOf(closing)).toBe('open');
  await clock.advance(1);
  expect(await stateOf(closing)).toBe('resolved');
});

test('it is closed by one at a time', async () => {
  const first = await rotationLock.acquireExclusive();
  const second = rotationLock.acquireExclusive();
  expect(await stateOf(second)).toBe('open');
  first();
  const open = await second;
  const late = rotationLock.acquireShared();
  expect(await stateOf(late)).toBe('open');
  open();
  expect(await stateOf(late)).toBe('resolved');
});

test('whoever gives up waiting before it is not inside later', async () => {
  const open = await rotationLock.acquireExclusive();
  const cancel = new AbortController();
  const late = rotationLock.acquireShared(cancel.signal);
  expect(await stateOf(late)).toBe('open');
  cancel.abort(new Error('enough'));
  await expect(late).rejects.toThrow('enough');
  open();
  expect(await stateOf(rotationLock.acquireExclusive())).toBe('resolved');
});
