import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src-main/platform/clock.ts';
import type { Clock } from '../../src-main/platform/clock.ts';
import { SteppedClock } from '../support/clocks/stepped-clock.ts';

const implementations: [string, () => { clock: Clock; pass: (ms: number) => Promise<void> }][] = [
  ['system', () => ({ clock: systemClock, pass: (ms) => systemClock.sleep(ms) })],
  [
    'stepped',
    () => {
      const clock = new SteppedClock();
      return { clock, pass: (ms) => clock.advance(ms) };
    },
  ],
];

describe.for(implementations)('the %s clock', ([, make]) => {
  test('advances wall time and monotonic time together', async () => {
    const { clock, pass } = make();
    const [wall, start] = [clock.now(), clock.monotonic()];
    await pass(20);
    expect(clock.monotonic() - start).toBeGreaterThanOrEqual(19);
    expect(clock.now() - wall).toBeGreaterThanOrEqual(18);
  });

  test('ends a sleep after its duration, not before', async () => {
    const { clock, pass } = make();
    const start = clock.monotonic();
    let slept = 0;
    const sleep = clock.sleep(15).then(() => {
      slept = clock.monotonic() - start;
    });
    await pass(60);
    await sleep;
    expect(slept).toBeGreaterThanOrEqual(14);
  });

  test("rejects an aborted sleep with the signal's reason, whether the abort comes before or during the sleep", async () => {
    const { clock } = make();
    const reason = new Error('enough');
    await expect(clock.sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const sleep = clock.sleep(60_000, controller.signal);
    controller.abort(reason);
    await expect(sleep).rejects.toBe(reason);
  });

  test('calls the callback of a timer once, and never after the timer is cancelled', async () => {
    const { clock, pass } = make();
    const called: string[] = [];
    clock.timer(5, () => called.push('kept'));
    const cancel = clock.timer(5, () => called.push('cancelled'));
    cancel();
    await pass(40);
    cancel();
    expect(called).toEqual(['kept']);
  });
});
