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
  test('wall clock and durations go forward together', async () => {
    const { clock, pass } = make();
    const [wall, start] = [clock.now(), clock.monotonic()];
    await pass(20);
    expect(clock.monotonic() - start).toBeGreaterThanOrEqual(19);
    expect(clock.now() - wall).toBeGreaterThanOrEqual(18);
  });

  test('a sleep ends after its time, not before', async () => {
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

  test("an aborted sleep rejects with the signal's own reason, whether aborted before or meanwhile", async () => {
    const { clock } = make();
    const reason = new Error('enough');
    await expect(clock.sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const sleep = clock.sleep(60_000, controller.signal);
    controller.abort(reason);
    await expect(sleep).rejects.toBe(reason);
  });

  test('a timer calls back once; a cancelled one never', async () => {
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
