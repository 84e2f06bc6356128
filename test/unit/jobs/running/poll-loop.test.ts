import { describe, expect, it, onTestFinished } from 'vitest';
import { PollLoop, type PollLoopOptions } from '../../../../src-main/jobs/running/poll-loop.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';

function startLoop(options: Partial<PollLoopOptions> = {}) {
  const clock = new SteppedClock();
  const pollTimes: number[] = [];
  const loop: PollLoop = new PollLoop({
    clock,
    onPollError: () => 1_000,
    ...options,
    poll: () => {
      pollTimes.push(clock.monotonic());
      return options.poll?.() ?? 60_000;
    },
  });
  const startedAt = clock.monotonic();
  onTestFinished(() => loop.stop());
  loop.start();
  return { clock, loop, pollTimes: () => pollTimes.map((at) => at - startedAt) };
}

describe('a polling loop', () => {
  it('polls again after the time that the poll returned, or immediately when it is woken', async () => {
    const { clock, loop, pollTimes } = startLoop();
    await clock.advance(60_000);
    expect(pollTimes()).toEqual([0, 60_000]);
    await clock.advance(10_000);
    loop.wake();
    await clock.advance(0);
    expect(pollTimes()).toEqual([0, 60_000, 70_000]);
  });

  it('loses no wake during a poll', async () => {
    let wakes = false;
    const world = startLoop({
      poll() {
        if (wakes) world.loop.wake();
        wakes = false;
        return 60_000;
      },
    });
    await world.clock.advance(0);
    wakes = true;
    await world.clock.advance(60_000);
    expect(world.pollTimes()).toEqual([0, 60_000, 60_000]);
  });

  it('combines many wakes within the debounce time into one poll', async () => {
    const { clock, loop, pollTimes } = startLoop({ debounceMs: () => 50 });
    await clock.advance(1_000);
    for (let wake = 0; wake < 5; wake += 1) {
      loop.wake();
      await clock.advance(10);
    }
    await clock.advance(1_000);
    expect(pollTimes()).toEqual([0, 1_050]);
  });

  it('continues after a failed poll', async () => {
    let fails = true;
    const { clock, pollTimes } = startLoop({
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
    expect(pollTimes()).toEqual([0, 1_000]);
  });

  it('does not poll after it is stopped, and polls again after it is started', async () => {
    const { clock, loop, pollTimes } = startLoop();
    await loop.stop();
    loop.wake();
    await clock.advance(120_000);
    expect(pollTimes()).toEqual([0]);
    loop.start();
    await clock.advance(0);
    expect(pollTimes()).toEqual([0, 120_000]);
  });
});
