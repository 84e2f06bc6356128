import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presetPaces } from '../../../../src-contract/instances/instance.ts';
import { createRateLimiter } from '../../../../src-main/jobs/running/rate-limiter.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';

const minuteMs = 60_000;
const pace = presetPaces.gitlab;
const projectsOf = (count: number): string[] => Array.from({ length: count }, (_, at) => `g/p${at}`);

interface Way {
  /** From the turn to the request. */
  readyMs: number;
  /** The time from sending a request until the server counts it, and from there to the answer. */
  thereMs: number;
  backMs: number;
}

/**
 * A server that counts in fixed minutes, the first of which ends after `offsetMs`, with one job for each network path.
 */
async function serve(ways: readonly Way[], offsetMs: number) {
  const clock = new SteppedClock();
  const keeper = createRateLimiter(() => clock.monotonic());
  const counted = new Map<number, number>();
  const asked = { turns: 0 };
  let last = 0;
  const job = async (project: string, { readyMs, thereMs, backMs }: Way): Promise<void> => {
    for (let wait: number; (wait = keeper.reserve('i', pace, 'export', project)) > 0;) {
      asked.turns += 1;
      await clock.sleep(wait);
    }
    await clock.sleep(readyMs);
    for (let wait: number; (wait = keeper.waitToSend('i', pace, 'export', project)) > 0;)
      await clock.sleep(wait);
    await clock.sleep(thereMs);
    const minute = Math.floor((clock.monotonic() + minuteMs - offsetMs) / minuteMs);
    counted.set(minute, (counted.get(minute) ?? 0) + 1);
    last = clock.monotonic();
    await clock.sleep(backMs);
    keeper.release('i', pace, 'export', project);
  };
  await clock.finish(Promise.all(ways.map((way, at) => job(`g/p${at}`, way))));
  return { most: Math.max(...counted.values()), minutes: last / minuteMs, waits: asked.turns };
}

const wayOf = fc.record({
  readyMs: fc.integer({ min: 0, max: 5_000 }),
  thereMs: fc.integer({ min: 0, max: 30_000 }),
  backMs: fc.integer({ min: 0, max: 30_000 }),
});

describe('a server that counts in fixed minutes', () => {
  it('never hears more than its limit in one of them, however long requests are in progress', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(wayOf, { minLength: 7, maxLength: 25 }),
        fc.integer({ min: 0, max: minuteMs }),
        async (ways, offsetMs) => {
          const { most } = await serve(ways, offsetMs);
          expect(most).toBeLessThanOrEqual(pace.exportsPerMinute);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is asked as fast as it allows where each request takes seconds to get ready', async () => {
    const ways = projectsOf(120).map((_, at) => ({
      readyMs: 2_000 + (at % 5) * 300,
      thereMs: 100,
      backMs: 100,
    }));
    const { minutes, most } = await serve(ways, 31_000);
    expect(most).toBeLessThanOrEqual(pace.exportsPerMinute);
    expect(minutes).toBeLessThanOrEqual(1.02 * (120 / 6 - 1));
  });

  it('makes each job wait about once, also where every answer comes late', async () => {
    const ways = projectsOf(120).map(() => ({ readyMs: 1_000, thereMs: 400, backMs: 400 }));
    const { waits } = await serve(ways, 0);
    expect(waits).toBeLessThanOrEqual(2 * 120);
  });
});

describe('a turn', () => {
  const keeperAt = () => {
    const time = { now: 0 };
    const keeper = createRateLimiter(() => time.now);
    return {
      time,
      turn: (project: string) => keeper.reserve('i', pace, 'export', project),
      sending: (project: string) => keeper.waitToSend('i', pace, 'export', project),
      answered: (project: string) => {
        keeper.release('i', pace, 'export', project);
      },
    };
  };

  it('is free a minute after the answer to its request, not after it was taken', () => {
    const { time, turn, sending, answered } = keeperAt();
    const six = projectsOf(6);
    expect(six.map(turn)).toEqual([0, 0, 0, 0, 0, 0]);
    time.now = 2_000;
    expect(six.map(sending)).toEqual([0, 0, 0, 0, 0, 0]);
    time.now = 5_000;
    six.forEach(answered);
    expect(turn('g/late')).toBe(minuteMs - 2_000);
    time.now = 5_000 + minuteMs - 2_000;
    expect(turn('g/late')).toBe(0);
    expect(sending('g/late')).toBe(2_000);
    time.now += 2_000;
    expect(sending('g/late')).toBe(0);
  });

  it('is still counted where its request is got ready for longer than a minute', () => {
    const { time, turn, sending } = keeperAt();
    expect(turn('g/slow')).toBe(0);
    time.now = 70_000;
    expect(projectsOf(6).map(turn)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(sending('g/slow')).toBe(0);
    expect(projectsOf(6).map(sending).slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
    expect(sending('g/p5')).toBeGreaterThan(0);
  });

  it('that is requested again before its request left is the same one', () => {
    const { turn } = keeperAt();
    for (let time = 0; time < 20; time += 1) expect(turn('g/again')).toBe(0);
    expect(projectsOf(5).map(turn)).toEqual([0, 0, 0, 0, 0]);
    expect(turn('g/seventh')).toBeGreaterThan(0);
  });
});
