import { beforeEach, expect, test } from 'vitest';
import { Turnstile } from '../../../../src-main/services/instances/turnstile.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';

let clock: SteppedClock;
let turnstile: Turnstile;
beforeEach(() => {
  clock = new SteppedClock();
  turnstile = new Turnstile(clock);
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
  const leave = [await turnstile.enter(), await turnstile.enter()];
  const closing = turnstile.close();
  const late = turnstile.enter();
  leave[0]?.();
  leave[0]?.();
  expect([await stateOf(closing), await stateOf(late)]).toEqual(['open', 'open']);
  leave[1]?.();
  expect([await stateOf(closing), await stateOf(late)]).toEqual(['resolved', 'open']);
  (await closing)();
  expect(await stateOf(late)).toBe('resolved');
});

test('those inside are waited for a minute at the most', async () => {
  await turnstile.enter();
  const closing = turnstile.close();
  await clock.advance(59_999);
  expect(await stateOf(closing)).toBe('open');
  await clock.advance(1);
  expect(await stateOf(closing)).toBe('resolved');
});

test('it is closed by one at a time', async () => {
  const first = await turnstile.close();
  const second = turnstile.close();
  expect(await stateOf(second)).toBe('open');
  first();
  const open = await second;
  const late = turnstile.enter();
  expect(await stateOf(late)).toBe('open');
  open();
  expect(await stateOf(late)).toBe('resolved');
});

test('whoever gives up waiting before it is not inside later', async () => {
  const open = await turnstile.close();
  const cancel = new AbortController();
  const late = turnstile.enter(cancel.signal);
  expect(await stateOf(late)).toBe('open');
  cancel.abort(new Error('enough'));
  await expect(late).rejects.toThrow('enough');
  open();
  expect(await stateOf(turnstile.close())).toBe('resolved');
});
