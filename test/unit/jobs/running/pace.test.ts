import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presetPaces } from '../../../../src-contract/instances/instance.ts';
import { createRateLimiter } from '../../../../src-main/jobs/running/rate-limiter.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';

const minuteMs = 60_000;
const pace = presetPaces.gitlab;
const projectsOf = (count: number): string[] => Array.from({ length: count }, (_, at) => `g/p${at}`);

interface NetworkPath {
  /** The time from the turn to the request. */
  readyMs: number;
  /** The time from sending a request until the server counts it, and from then until the reply. */
  thereMs: number;
  backMs: number;
}

/**
 * Runs one job for each network path against a server that counts in fixed minutes. The first minute ends after
 * `offsetMs`.
 */
async function serve(paths: readonly NetworkPath[], offsetMs: number) {
  const clock = new SteppedClock();
  const limiter = createRateLimiter(() => clock.monotonic());
  const counted = new Map<number, number>();
  const counters = { turns: 0 };
  let last = 0;
  const job = async (project: string, { readyMs, thereMs, backMs }: NetworkPath): Promise<void> => {
    for (let wait: number; (wait = limiter.reserve('i', pace, 'export', project)) > 0;) {
      counters.turns += 1;
      await clock.sleep(wait);
    }
    await clock.sleep(readyMs);
    for (let wait: number; (wait = limiter.trySend('i', pace, 'export', project)) > 0;)
      await clock.sleep(wait);
    await clock.sleep(thereMs);
    const minute = Math.floor((clock.monotonic() + minuteMs - offsetMs) / minuteMs);
    counted.set(minute, (counted.get(minute) ?? 0) + 1);
    last = clock.monotonic();
    await clock.sleep(backMs);
    limiter.release('i', pace, 'export', project);
  };
  await clock.finish(Promise.all(paths.map((path, at) => job(`g/p${at}`, path))));
  return { maxPerMinute: Math.max(...counted.values()), minutes: last / minuteMs, waits: counters.turns };
}

const networkPath = fc.record({
  readyMs: fc.integer({ min: 0, max: 5_000 }),
  thereMs: fc.integer({ min: 0, max: 30_000 }),
  backMs: fc.integer({ min: 0, max: 30_000 }),
});

describe('a server that counts in fixed minutes', () => {
  it('never receives more requests than its limit in one of them, however long requests are in progress', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(networkPath, { minLength: 7, maxLength: 25 }),
        fc.integer({ min: 0, max: minuteMs }),
        async (paths, offsetMs) => {
          const { maxPerMinute } = await serve(paths, offsetMs);
          expect(maxPerMinute).toBeLessThanOrEqual(pace.exportsPerMinute);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('receives requests as fast as it allows, even if each request takes seconds to prepare', async () => {
    const paths = projectsOf(120).map((_, at) => ({
      readyMs: 2_000 + (at % 5) * 300,
      thereMs: 100,
      backMs: 100,
    }));
    const { minutes, maxPerMinute } = await serve(paths, 31_000);
    expect(maxPerMinute).toBeLessThanOrEqual(pace.exportsPerMinute);
    expect(minutes).toBeLessThanOrEqual(1.02 * (120 / 6 - 1));
  });

  it('makes jobs wait at most twice on average, even if every reply is late', async () => {
    const paths = projectsOf(120).map(() => ({ readyMs: 1_000, thereMs: 400, backMs: 400 }));
    const { waits } = await serve(paths, 0);
    expect(waits).toBeLessThanOrEqual(2 * 120);
  });
});

describe('a turn', () => {
  const limiterAt = () => {
    const time = { now: 0 };
    const limiter = createRateLimiter(() => time.now);
    return {
      time,
      reserve: (project: string) => limiter.reserve('i', pace, 'export', project),
      waitToSend: (project: string) => limiter.trySend('i', pace, 'export', project),
      release: (project: string) => {
        limiter.release('i', pace, 'export', project);
      },
    };
  };

  it('becomes free a minute after the reply to its request, not after it was taken', () => {
    const { time, reserve, waitToSend, release } = limiterAt();
    const six = projectsOf(6);
    expect(six.map(reserve)).toEqual([0, 0, 0, 0, 0, 0]);
    time.now = 2_000;
    expect(six.map(waitToSend)).toEqual([0, 0, 0, 0, 0, 0]);
    time.now = 5_000;
    six.forEach(release);
    expect(reserve('g/late')).toBe(minuteMs - 2_000);
    time.now = 5_000 + minuteMs - 2_000;
    expect(reserve('g/late')).toBe(0);
    expect(waitToSend('g/late')).toBe(2_000);
    time.now += 2_000;
    expect(waitToSend('g/late')).toBe(0);
  });

  it('still counts if its request takes longer than a minute to prepare', () => {
    const { time, reserve, waitToSend } = limiterAt();
    expect(reserve('g/slow')).toBe(0);
    time.now = 70_000;
    expect(projectsOf(6).map(reserve)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(waitToSend('g/slow')).toBe(0);
    expect(projectsOf(6).map(waitToSend).slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
    expect(waitToSend('g/p5')).toBeGreaterThan(0);
  });

  it('that is reserved again before its request is sent is the same turn', () => {
    const { reserve } = limiterAt();
    for (let time = 0; time < 20; time += 1) expect(reserve('g/again')).toBe(0);
    expect(projectsOf(5).map(reserve)).toEqual([0, 0, 0, 0, 0]);
    expect(reserve('g/seventh')).toBeGreaterThan(0);
  });
});
