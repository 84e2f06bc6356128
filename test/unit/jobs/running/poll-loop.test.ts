import { describe, expect, it, onTestFinished } from 'vitest';
import { PollLoop, type PollLoopOptions } from '../../../../src-main/jobs/running/poll-loop.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';

function looking(options: Partial<PollLoopOptions> = {}) {
  const clock = new SteppedClock();
  const looks: number[] = [];
  const loop: PollLoop = new PollLoop({
    clock,
    onPollError: () => 1_000,
    ...options,
    poll: () => {
      looks.push(clock.monotonic());
      return options.poll?.() ?? 60_000;
    },
  });
  const began = clock.monotonic();
  onTestFinished(() => loop.stop());
  loop.start();
  return { clock, loop, looks: () => looks.map((at) => at - began) };
}

describe('a polling loop', () => {
  it('polls again when the poll said so, or at once when it is woken', async () => {
    const { clock, loop, looks } = looking();
    await clock.advance(60_000);
    expect(looks()).toEqual([0, 60_000]);
    await clock.advance(10_000);
    loop.wake();
    await clock.advance(0);
    expect(looks()).toEqual([0, 60_000, 70_000]);
  });

  it('loses no wake that came during a poll', async () => {
    let wakes = false;
    const scene = looking({
      poll() {
        if (wakes) scene.loop.wake();
        wakes = false;
        return 60_000;
      },
    });
    await scene.clock.advance(0);
    wakes = true;
    await scene.clock.advance(60_000);
    expect(scene.looks()).toEqual([0, 60_000, 60_000]);
  });

  it('answers many wakes with one poll while it waits for others', async () => {
    const { clock, loop, looks } = looking({ debounceMs: () => 50 });
    await clock.advance(1_000);
    for (let wake = 0; wake < 5; wake += 1) {
      loop.wake();
      await clock.advance(10);
    }
    await clock.advance(1_000);
    expect(looks()).toEqual([0, 1_050]);
  });

  it('continues after a failed poll', async () => {
    let fails = true;
    const { clock, looks } = looking({
      poll() {
        if (fails) throw new Error('Not now.');
        return 60_000;
      },
      onPollError() {
        fails = false;
        return 1_000;
      },
    });
    await clock.advance(1_000);
    expect(looks()).toEqual([0, 1_000]);
  });

  it('polls no more once it is stopped, and again when it is started', async () => {
    const { clock, loop, looks } = looking();
    await loop.stop();
    loop.wake();
    await clock.advance(120_000);
    expect(looks()).toEqual([0]);
    loop.start();
    await clock.advance(0);
    expect(looks()).toEqual([0, 120_000]);
  });
});
