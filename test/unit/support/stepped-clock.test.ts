import { expect, test } from 'vitest';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';

test('a chain of sleeps completes within one step', async () => {
  const clock = new SteppedClock(0);
  const woke: number[] = [];
  void (async () => {
    for (let i = 0; i < 3; i++) {
      await clock.sleep(100);
      woke.push(clock.now());
    }
  })();
  await clock.advance(250);
  expect(woke).toEqual([100, 200]);
  await clock.advance(50);
  expect(woke).toEqual([100, 200, 300]);
});

test('timers fire in the order of their due times, and equal ones in the order in which they were set', async () => {
  const clock = new SteppedClock();
  const fired: string[] = [];
  clock.timer(20, () => fired.push('late'));
  clock.timer(10, () => fired.push('first'));
  clock.timer(10, () => fired.push('second'));
  clock.timer(5, () => fired.push('cancelled'))();
  await clock.advance(20);
  expect(fired).toEqual(['first', 'second', 'late']);
});

test("an aborted sleep rejects with the signal's reason and leaves no timer", async () => {
  const clock = new SteppedClock();
  const controller = new AbortController();
  const slept = clock.sleep(1000, controller.signal);
  controller.abort(new Error('enough'));
  await expect(slept).rejects.toThrow('enough');
  await expect(clock.sleep(1, controller.signal)).rejects.toThrow('enough');
  expect(clock.pending).toBe(0);
});

test('finish steps the clock until the work settles, and rejects after its limit', async () => {
  const clock = new SteppedClock(0);
  await clock.finish(clock.sleep(3_600_000));
  expect(clock.now()).toBe(3_600_000);
  await expect(clock.finish(clock.sleep(2000), 1000)).rejects.toThrow('not settled');
});

test('setting the wall clock does not change durations', async () => {
  const clock = new SteppedClock(1000);
  clock.jump(-500);
  await clock.advance(10);
  expect([clock.now(), clock.monotonic()]).toEqual([510, 10]);
});
