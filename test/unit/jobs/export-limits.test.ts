import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import { countsOf, inTurn } from '../../support/jobs/fake-instance.ts';
import { ExportHarness, minute } from './export-harness.ts';

describe('rate limits of an instance', () => {
  it('twenty projects cause at most six export requests in any minute and one download each', async () => {
    const bench = new ExportHarness();
    const requested = new Set<number>();
    bench.instance.onRequest = (project) => requested.add(project);
    bench.instance.onState = (project) => (requested.has(project) ? 'finished' : 'none');
    const jobs = Array.from({ length: 20 }, (_, at) =>
      bench.enqueue({ projectId: at, fullPath: `group/project-${at}` }),
    );
    const startedAt = bench.clock.now();
    for (const { id } of jobs) expect((await bench.bench.ended(id)).state.status).toBe('succeeded');
    const requests = bench.instance.times('request');
    expect(requests).toHaveLength(20);
    for (const at of requests) {
      expect(requests.filter((other) => other >= at && other - at < minute).length).toBeLessThanOrEqual(6);
    }
    expect((requests.at(-1) ?? 0) - startedAt).toBeLessThan(4 * minute);
    for (const at of requested) expect(bench.instance.times('download', at)).toHaveLength(1);
  });

  it('the project reads of 150 jobs that are due together are spread over time, and no job loses its turn', async () => {
    const bench = new ExportHarness({ exportsPerMinute: 6 });
    const requested = new Set<number>();
    bench.instance.onRequest = (project) => requested.add(project);
    bench.instance.onState = (project) => (requested.has(project) ? 'finished' : 'none');
    const jobs = Array.from({ length: 150 }, (_, at) =>
      bench.enqueue({ projectId: at, fullPath: `group/project-${at}` }),
    );
    const startedAt = bench.clock.now();
    for (const { id } of jobs) expect((await bench.bench.ended(id)).state.status).toBe('succeeded');
    const reads = bench.instance.times('project');
    for (const at of reads) {
      // In addition to the 120 reads, each of the six exports of a minute counts its project before and after.
      expect(reads.filter((other) => other >= at && other - at < minute).length).toBeLessThanOrEqual(
        120 + 2 * 6,
      );
    }
    const requests = bench.instance.times('request');
    expect((requests.at(-1) ?? 0) - startedAt).toBeLessThanOrEqual(1.01 * 24 * minute);
  });

  it('a second download of a project waits until a minute has passed', async () => {
    const bench = new ExportHarness().states('finished', 'started', 'finished');
    await bench.run({ keepExisting: true });
    const [first = 0, second = 0] = bench.instance.times('download');
    expect(second - first).toBeGreaterThanOrEqual(minute);
  });

  it('after a 429 all exports wait as long as the server asks, without occupying a slot', async () => {
    const bench = new ExportHarness({}, 1).states('none', 'finished');
    const slow = new AppError('rate-limited', '429', { retry: { afterMs: 5 * minute } });
    bench.instance.onRequest = inTurn<undefined>(slow, undefined);
    const first = bench.enqueue();
    const limited = await bench.bench.until(first.id, (job) => job.state.status === 'waiting');
    expect(limited.state).toMatchObject({ reason: 'rate-limited' });
    const other = bench.enqueue({ projectId: 8, fullPath: 'group/other' });
    const waits = await bench.bench.until(other.id, (job) => job.state.status === 'waiting');
    expect(waits.state).toMatchObject({ reason: 'pace' });
    expect((await bench.bench.ended(first.id)).state.status).toBe('succeeded');
    const [refused = 0, again = 0, third] = bench.instance.times('request', 7);
    expect(again - refused).toBeGreaterThanOrEqual(5 * minute);
    expect(third).toBeUndefined();
    expect((await bench.bench.ended(other.id)).state.status).toBe('succeeded');
    expect((bench.instance.times('request', 8)[0] ?? 0) - refused).toBeGreaterThanOrEqual(5 * minute);
  });

  it('a 429 for a count does not delay the exports of other projects', async () => {
    const bench = new ExportHarness().states('none', 'finished');
    const slow = new AppError('rate-limited', '429', { retry: { afterMs: 5 * minute } });
    bench.instance.onCounts = inTurn(slow, countsOf(2));
    const first = bench.enqueue();
    await bench.bench.until(first.id, (job) => job.state.status === 'waiting');
    const other = bench.enqueue({ projectId: 8, fullPath: 'group/other' });
    expect((await bench.bench.ended(other.id, 2 * minute)).state.status).toBe('succeeded');
    expect((await bench.bench.ended(first.id)).state.status).toBe('succeeded');
  });

  it('a job whose source cannot be counted fails after the usual six attempts even if it waits for turns in between', async () => {
    const bench = new ExportHarness({}, 1);
    bench.instance.onCounts = () => {
      throw new AppError('unexpected-response', 'No JSON.', { retry: 'later' });
    };
    const jobs = Array.from({ length: 4 }, (_, at) =>
      bench.enqueue({ projectId: at, fullPath: `group/project-${at}` }),
    );
    for (const { id } of jobs) expect((await bench.bench.ended(id)).state.status).toBe('failed');
    expect(bench.instance.times('counts')).toHaveLength(4 * 6);
  });

  it('a job that gets a 429 ten times waits as long as the server asks before each retry', async () => {
    const bench = new ExportHarness().states('none', 'finished');
    const slow = new AppError('rate-limited', '429', { retry: { afterMs: minute } });
    bench.instance.onDownload = inTurn<object>(...Array<AppError>(10).fill(slow), {});
    expect((await bench.run()).state.status).toBe('succeeded');
    const times = bench.instance.times('download');
    expect(times).toHaveLength(11);
    for (const [at, time] of times.entries()) {
      expect(time - (times[at - 1] ?? -Infinity)).toBeGreaterThanOrEqual(minute);
    }
  });
});
