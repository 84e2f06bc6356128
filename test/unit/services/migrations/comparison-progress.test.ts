import { describe, expect, it } from 'vitest';
import {
  ComparisonProgress,
  countingRequests,
  requestCounter,
} from '../../../../src-main/services/migrations/comparing/comparison-progress.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';

describe('a comparison', () => {
  it('reports the number of its requests at most once in a second', async () => {
    const clock = new SteppedClock();
    const reports: object[] = [];
    const count = requestCounter(clock, 4, (report) => reports.push(report));
    for (const ms of [300, 300, 400, 10, 990, 1000]) {
      await clock.advance(ms);
      count();
    }
    expect(reports).toEqual([
      { done: 3, total: 4 },
      { done: 5, total: 5 },
      { done: 6, total: 6 },
    ]);
  });

  it('counts answered and failed requests of an instance, and passes them on', async () => {
    let answered = 0;
    const remote = {
      name: 'source',
      list: async (id: number) => Promise.resolve([id]),
      refuse: async () => Promise.reject(new Error('403')),
    };
    const counted = countingRequests(remote, () => (answered += 1));
    expect(counted.name).toBe('source');
    expect(await counted.list(7)).toEqual([7]);
    await expect(counted.refuse()).rejects.toThrow('403');
    expect(answered).toBe(2);
  });

  it('shows its progress and the time that is left until it ends, also if it fails', async () => {
    const clock = new SteppedClock();
    const changed: string[] = [];
    const progress = new ComparisonProgress(clock, (id) => changed.push(id));
    const comparing = progress.follow('m1', 7, async (report) => {
      expect(progress.of('m1', 7)).toBeNull();
      await clock.advance(2000);
      report({ done: 10, total: 40 });
      expect(progress.of('m1', 7)).toEqual({ done: 10, total: 40, msLeft: 6000 });
      expect(progress.of('m1', 8)).toBeNull();
      return Promise.reject(new Error('no connection'));
    });
    await expect(comparing).rejects.toThrow('no connection');
    expect(progress.of('m1', 7)).toBeNull();
    expect(changed).toEqual(['m1']);
  });
});
