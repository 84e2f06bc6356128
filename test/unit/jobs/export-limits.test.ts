import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import { countsOf, sequence } from '../../support/jobs/fake-instance.ts';
import { ExportHarness, minute } from './export-harness.ts';

describe('rate limits of an instance', () => {
  it('twenty projects cause at most six export requests in any minute and one download each', async () => {
    const harness = new ExportHarness();
    const requested = new Set<number>();
    harness.instance.onRequest = (project) => requested.add(project);
    harness.instance.onState = (project) => (requested.has(project) ? 'finished' : 'none');
    const jobs = Array.from({ length: 20 }, (_, at) =>
      harness.enqueue({ projectId: at, fullPath: `group/project-${at}` }),
    );
    const startedAt = harness.clock.now();
    for (const { id } of jobs) expect((await harness.bench.ended(id)).state.status).toBe('succeeded');
    const requests = harness.instance.times('request');
    expect(requests).toHaveLength(20);
    for (const at of requests) {
      expect(requests.filter((other) => other >= at && other - at < minute).length).toBeLessThanOrEqual(6);
    }
    expect((requests.at(-1) ?? 0) - startedAt).toBeLessThan(4 * minute);
    for (const at of requested) expect(harness.instance.times('download', at)).toHaveLength(1);
  });

  it('the project reads of 150 jobs that are due together are spread over time, and no job loses its turn', async () => {
    const harness = new ExportHarness({ exportsPerMinute: 6 });
    const requested = new Set<number>();
    harness.instance.onRequest = (project) => requested.add(project);
    harness.instance.onState = (project) => (requested.has(project) ? 'finished' : 'none');
    const jobs = Array.from({ length: 150 }, (_, at) =>
      harness.enqueue({ projectId: at, fullPath: `group/project-${at}` }),
    );
    const startedAt = harness.clock.now();
    for (const { id } of jobs) expect((await harness.bench.ended(id)).state.status).toBe('succeeded');
    const reads = harness.instance.times('project');
    for (const at of reads) {
      // In addition to the 120 reads, each of the six exports of a minute counts its project before and after.
      expect(reads.filter((other) => other >= at && other - at < minute).length).toBeLessThanOrEqual(
        120 + 2 * 6,
      );
    }
    const requests = harness.instance.times('request');
    expect((requests.at(-1) ?? 0) - startedAt).toBeLessThanOrEqual(1.01 * 24 * minute);
  });

  it('a second download of a project waits until a minute has passed', async () => {
    const harness = new ExportHarness().states('finished', 'started', 'finished');
    await harness.run({ keepExisting: true });
    const [first = 0, second = 0] = harness.instance.times('download');
    expect(second - first).toBeGreaterThanOrEqual(minute);
  });

  it('after a 429 all exports wait as long as the server asks, without occupying a slot', async () => {
    const harness = new ExportHarness({}, 1).states('none', 'finished');
    const slow = new AppError('rate-limited', '429', { retry: { afterMs: 5 * minute } });
    harness.instance.onRequest = sequence<undefined>(slow, undefined);
    const first = harness.enqueue();
    const limited = await harness.bench.until(first.id, (job) => job.state.status === 'waiting');
    expect(limited.state).toMatchObject({ reason: 'rate-limited' });
    const other = harness.enqueue({ projectId: 8, fullPath: 'group/other' });
    const waits = await harness.bench.until(other.id, (job) => job.state.status === 'waiting');
    expect(waits.state).toMatchObject({ reason: 'pace' });
    expect((await harness.bench.ended(first.id)).state.status).toBe('succeeded');
    const [refused = 0, again = 0, third] = harness.instance.times('request', 7);
    expect(again - refused).toBeGreaterThanOrEqual(5 * minute);
    expect(third).toBeUndefined();
    expect((await harness.bench.ended(other.id)).state.status).toBe('succeeded');
    expect((harness.instance.times('request', 8)[0] ?? 0) - refused).toBeGreaterThanOrEqual(5 * minute);
  });

  it('a 429 for a count does not delay the exports of other projects', async () => {
    const harness = new ExportHarness().states('none', 'finished');
    const slow = new AppError('rate-limited', '429', { retry: { afterMs: 5 * minute } });
    harness.instance.onCounts = sequence(slow, countsOf(2));
    const first = harness.enqueue();
    await harness.bench.until(first.id, (job) => job.state.status === 'waiting');
    const other = harness.enqueue({ projectId: 8, fullPath: 'group/other' });
    expect((await harness.bench.ended(other.id, 2 * minute)).state.status).toBe('succeeded');
    expect((await harness.bench.ended(first.id)).state.status).toBe('succeeded');
  });

  it('a job whose source cannot be counted fails after the usual six attempts even if it waits for turns in between', async () => {
    const harness = new ExportHarness({}, 1);
    harness.instance.onCounts = () => {
      throw new AppError('unexpected-response', 'No JSON.', { retry: 'later' });
    };
    const jobs = Array.from({ length: 4 }, (_, at) =>
      harness.enqueue({ projectId: at, fullPath: `group/project-${at}` }),
    );
    for (const { id } of jobs) expect((await harness.bench.ended(id)).state.status).toBe('failed');
    expect(harness.instance.times('counts')).toHaveLength(4 * 6);
  });

  it('a job that gets a 429 ten times waits as long as the server asks before each retry', async () => {
    const harness = new ExportHarness().states('none', 'finished');
    const slow = new AppError('rate-limited', '429', { retry: { afterMs: minute } });
    harness.instance.onDownload = sequence<object>(...Array<AppError>(10).fill(slow), {});
    expect((await harness.run()).state.status).toBe('succeeded');
    const times = harness.instance.times('download');
    expect(times).toHaveLength(11);
    for (const [at, time] of times.entries()) {
      expect(time - (times[at - 1] ?? -Infinity)).toBeGreaterThanOrEqual(minute);
    }
  });
});
