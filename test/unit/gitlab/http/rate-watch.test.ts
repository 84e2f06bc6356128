import { expect, test } from 'vitest';
import { RateWatch } from '../../../../src-main/gitlab/http/rate-watch.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';

function watched() {
  const clock = new SteppedClock();
  let stalls = 0;
  const watch = new RateWatch(clock, { windowMs: 60_000, minBytes: 1000 }, () => (stalls += 1));
  return { clock, watch, stalls: () => stalls };
}

test('a transfer that moves too few bytes within the window is reported as stalled, once', async () => {
  const { clock, watch, stalls } = watched();
  watch.addBytes(999);
  await clock.advance(59_999);
  expect(stalls()).toBe(0);
  await clock.advance(1);
  expect(stalls()).toBe(1);
  await clock.advance(600_000);
  expect(stalls()).toBe(1);
});

test('each window counts only its own bytes', async () => {
  const { clock, watch, stalls } = watched();
  for (let window = 0; window < 10; window += 1) {
    watch.addBytes(1000);
    await clock.advance(60_000);
  }
  expect(stalls()).toBe(0);
  await clock.advance(60_000);
  expect(stalls()).toBe(1);
});

test('time during which our own side pauses the transfer does not count', async () => {
  const { clock, watch, stalls } = watched();
  await clock.advance(30_000);
  watch.pause();
  await clock.advance(3_600_000);
  watch.resume();
  await clock.advance(29_999);
  expect(stalls()).toBe(0);
  await clock.advance(60_000);
  expect(stalls()).toBe(1);
});

test('a trickle of bytes is reported as stalled despite many short pauses', async () => {
  const { clock, watch, stalls } = watched();
  for (let at = 0; at < 121; at += 1) {
    await clock.advance(500);
    watch.addBytes(1);
    watch.pause();
    watch.resume();
  }
  expect(stalls()).toBe(1);
});

test('a stopped watch has no timer and reports no stall', async () => {
  const { clock, watch, stalls } = watched();
  watch.stop();
  expect(clock.pending).toBe(0);
  await clock.advance(120_000);
  expect(stalls()).toBe(0);
});
