import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { liveJobs } from '../../../src-renderer/state/asking/live-jobs.svelte.ts';
import { exampleJob } from '../support/examples.ts';
import { fails, scriptWindow } from '../support/window.ts';

let end: (() => void) | null = null;
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  end?.();
  end = null;
  liveJobs.jobs = null;
});
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

const waiting = exampleJob({
  state: { status: 'waiting', until: Date.UTC(2026, 10, 20), reason: 'pace', text: '' },
});

test('open jobs are loaded, and asked for again once a second only while one runs', async () => {
  const bridge = scriptWindow({ 'job.list': { jobs: [exampleJob()], next: null } });
  end = liveJobs.follow();
  await pass(0);
  expect(liveJobs.jobs).toHaveLength(1);
  expect(bridge.asked('job.list')[0]).toMatchObject({ status: 'open' });
  await pass(5000);
  expect(bridge.asked('job.list')).toHaveLength(6);
  bridge.answer('job.list', { jobs: [waiting], next: null });
  await pass(60_000);
  expect(bridge.asked('job.list')).toHaveLength(7);
  expect(liveJobs.running).toEqual([]);
});

test('however many events arrive, they are followed by four looks a second at most', async () => {
  const bridge = scriptWindow({ 'job.list': { jobs: [waiting], next: null } });
  end = liveJobs.follow();
  for (let tenth = 0; tenth < 20; tenth += 1) {
    for (let revision = 0; revision < 100; revision += 1) {
      bridge.emit('job.changed', { jobId: '1', runId: '1', revision });
    }
    await pass(100);
  }
  // The first look, the first event, then two seconds of four.
  expect(bridge.asked('job.list').length).toBeLessThanOrEqual(2 + 2 * 4);
  const during = bridge.asked('job.list').length;
  await pass(60_000);
  expect(bridge.asked('job.list').length - during).toBeLessThanOrEqual(1);
});

test('a failure leaves what was known', async () => {
  const bridge = scriptWindow({ 'job.list': { jobs: [waiting], next: 'more' } });
  end = liveJobs.follow();
  await pass(0);
  expect([liveJobs.count, liveJobs.more]).toEqual([1, true]);
  bridge.answer('job.list', fails('catalogue-busy'));
  bridge.emit('job.changed', { jobId: '1', runId: '1', revision: 2 });
  await pass(300);
  expect([liveJobs.error?.code, liveJobs.count]).toEqual(['catalogue-busy', 1]);
});

test('after it ended nothing is asked any more', async () => {
  const bridge = scriptWindow({ 'job.list': { jobs: [exampleJob()], next: null } });
  const stop = liveJobs.follow();
  await pass(0);
  stop();
  bridge.emit('job.changed', { jobId: '1', runId: '1', revision: 2 });
  await pass(10_000);
  expect(bridge.asked('job.list')).toHaveLength(1);
});
