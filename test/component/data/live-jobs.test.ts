import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Job } from '../../../src-contract/runs/job.ts';
import { liveJobs } from '../../../src-renderer/data/calls/live-jobs.svelte.ts';
import { exampleJob } from '../support/examples.ts';
import { exampleOverview } from '../support/overview-examples.ts';
import { fails, scriptWindow } from '../support/window.ts';

let end: (() => void) | null = null;
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  end?.();
  end = null;
});
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

const waiting = exampleJob({
  state: { status: 'waiting', until: Date.UTC(2026, 10, 20), reason: 'pace', text: '' },
});

test('open jobs are loaded, and are polled once a second only while one of them runs', async () => {
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

test('any number of events causes at most four polls a second', async () => {
  const bridge = scriptWindow({ 'job.list': { jobs: [waiting], next: null } });
  end = liveJobs.follow();
  for (let tenth = 0; tenth < 20; tenth += 1) {
    for (let revision = 0; revision < 100; revision += 1) {
      bridge.emit('job.changed', { jobId: '1', runId: '1', revision });
    }
    await pass(100);
  }
  // The first poll, the first event, then two seconds of four polls each.
  expect(bridge.asked('job.list').length).toBeLessThanOrEqual(2 + 2 * 4);
  const during = bridge.asked('job.list').length;
  await pass(60_000);
  expect(bridge.asked('job.list').length - during).toBeLessThanOrEqual(1);
});

test('a failed poll keeps the known jobs', async () => {
  const bridge = scriptWindow({
    'job.list': { jobs: [waiting], next: 'more' },
    'overview.show': { ...exampleOverview(), openJobs: { waiting: 1 } },
  });
  end = liveJobs.follow();
  await pass(0);
  expect([liveJobs.count, liveJobs.hasMore]).toEqual([1, true]);
  bridge.answer('job.list', fails('catalogue-busy'));
  bridge.emit('job.changed', { jobId: '1', runId: '1', revision: 2 });
  await pass(300);
  expect([liveJobs.error?.code, liveJobs.count]).toEqual(['catalogue-busy', 1]);
});

test('nothing is requested after the polling has stopped', async () => {
  const bridge = scriptWindow({ 'job.list': { jobs: [exampleJob()], next: null } });
  const stop = liveJobs.follow();
  await pass(0);
  stop();
  bridge.emit('job.changed', { jobId: '1', runId: '1', revision: 2 });
  await pass(10_000);
  expect(bridge.asked('job.list')).toHaveLength(1);
});

test('if more jobs are open than are loaded, the running and waiting ones are included and all are counted', async () => {
  const job = (id: string, state: Job['state']) => exampleJob({ id, state });
  const queued = Array.from({ length: 200 }, (_, at) => job(`q${at}`, { status: 'queued' }));
  const until = Date.UTC(2026, 10, 20);
  const oldest: Record<string, Job[]> = {
    running: [job('r', { status: 'running', since: 1 })],
    waiting: [job('w', { status: 'waiting', until, reason: 'pace', text: '' })],
    cancelling: [],
  };
  const openJobs = { running: 4, waiting: 5, queued: 4823 };
  scriptWindow({
    'job.list': ({ status }: { status: string | null }) =>
      status === 'open' ? { jobs: queued, next: 'q199' } : { jobs: oldest[status ?? ''] ?? [], next: null },
    'overview.show': { ...exampleOverview(), openJobs },
  });
  end = liveJobs.follow();
  await pass(0);
  expect(liveJobs.running.map(({ id }) => id)).toEqual(['r']);
  expect(liveJobs.jobs).toHaveLength(202);
  expect([liveJobs.count, liveJobs.countOf('running'), liveJobs.countOf('queued')]).toEqual([4832, 4, 4823]);
});
