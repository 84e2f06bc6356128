import { beforeEach, describe, expect, test } from 'vitest';
import {
  ActivityWatch,
  idleActivity,
  type Activity,
} from '../../../../../src-main/hosts/desktop/tray/activity.ts';
import type { Client } from '../../../../../src-main/bridge/transports/in-process.ts';
import { hasEnded, type Job, type JobState, type StoredJob } from '../../../../../src-contract/runs/job.ts';
import { SteppedClock } from '../../../../support/clocks/stepped-clock.ts';

const running: JobState = { status: 'running', since: 0 };
const done: JobState = { status: 'succeeded', warnings: [] };

let clock: SteppedClock;
let jobs: Job[];
let requestCount: number;
let reported: Activity[];
let ended: string[][];
let planned: boolean[];
let watch: ActivityWatch;

/** Serves `job.list` like the bridge, newest first and in pages. */
const client: Pick<Client, 'call'> = {
  call: ((
    _name: string,
    request: { status: string | null; runId: string | null; before: string | null; limit: number },
  ) => {
    requestCount += 1;
    const matching = jobs.filter(
      ({ runId, state }) =>
        (request.runId === null || runId === request.runId) && (request.status === null || !hasEnded(state)),
    );
    const from = request.before === null ? 0 : matching.findIndex(({ id }) => id === request.before) + 1;
    const page = matching.slice(from, from + request.limit);
    const more = from + page.length < matching.length;
    return Promise.resolve({ jobs: page, next: more ? page.at(-1)?.id : null });
  }) as Client['call'],
};

function job(id: string, state: JobState, more: Partial<StoredJob> = {}): Job {
  return {
    id,
    runId: 'r1',
    kind: 'export',
    instance: 'home',
    project: `group/${id}`,
    state,
    step: null,
    attempt: 0,
    createdAt: 0,
    updatedAt: 0,
    revision: 1,
    input: null,
    result: null,
    progress: null,
    ...more,
  } as Job;
}
const progress = (done: number, total: number | null): Job['progress'] => ({
  step: 'download',
  unit: 'bytes',
  done,
  total,
});
const waiting = (ms: number, reason: Extract<JobState, { status: 'waiting' }>['reason']): JobState => ({
  status: 'waiting',
  until: clock.now() + ms,
  reason,
  text: '',
});

/** Replaces the jobs, emits a change of one of them, and waits for the poll. */
async function become(...current: Job[]): Promise<Activity> {
  jobs = current;
  watch.handleEvent('job.changed', { jobId: 'any', runId: current[0]?.runId ?? 'r1', revision: 1 });
  await clock.advance(500);
  return reported.at(-1) ?? idleActivity;
}

beforeEach(async () => {
  clock = new SteppedClock();
  jobs = [];
  requestCount = 0;
  reported = [];
  ended = [];
  planned = [];
  watch = new ActivityWatch({
    client,
    clock,
    onActivity: (activity) => reported.push(activity),
    onRunEnded(endedJobs, isPlanned) {
      ended.push(endedJobs.map(({ id }) => id));
      planned.push(isPlanned);
    },
  });
  await clock.advance(0);
});

describe('the activity', () => {
  test('is idle if no job is open', async () => {
    expect(reported).toEqual([idleActivity]);
    expect(await become()).toEqual(idleActivity);
  });

  test('of one job contains its project and its progress', async () => {
    expect(await become(job('a', running, { progress: progress(30, 120) }))).toEqual({
      isBusy: true,
      progress: 0.25,
      text: 'Backing up group/a',
    });
    expect(await become(job('a', running, { kind: 'import', progress: progress(30, null) }))).toEqual({
      isBusy: true,
      progress: 0,
      text: 'Importing group/a',
    });
  });

  test('of several jobs counts the finished ones of the batch, until no job is open', async () => {
    const queued: JobState = { status: 'queued' };
    await become(job('a', running), job('b', queued), job('c', queued), job('d', queued));
    expect(reported.at(-1)).toMatchObject({ progress: 0, text: '0 of 4 jobs done' });
    await become(
      job('a', done),
      job('b', running, { progress: progress(1, 2) }),
      job('c', queued),
      job('d', queued),
    );
    expect(reported.at(-1)).toMatchObject({ progress: 1.5 / 4, text: '1 of 4 jobs done' });
    expect(await become(job('a', done), job('b', done), job('c', done), job('d', done))).toEqual(
      idleActivity,
    );
    expect(await become(job('e', running, { progress: progress(1, 2) }))).toMatchObject({ progress: 0.5 });
  });

  test('of more than a page of jobs counts all of them', async () => {
    const many = Array.from({ length: 1201 }, (_, n) => job(`j${n}`, running));
    expect(await become(...many)).toMatchObject({ text: '0 of 1201 jobs done' });
  });

  test.each([
    ['a running job', () => running, true],
    ['a job that is being cancelled', () => ({ status: 'cancelling', by: 'me' }) as const, true],
    ['a queued job', () => ({ status: 'queued' }) as const, false],
    ['a short wait for the server', () => waiting(60_000, 'server-working'), true],
    ['a short wait for our own limits', () => waiting(60_000, 'pace'), true],
    ['a long wait for the server', () => waiting(3_600_000, 'rate-limited'), false],
    ['a wait for the network', () => waiting(1_000, 'network'), false],
    ['a wait for a token', () => waiting(1_000, 'token-missing'), false],
  ])('with %s keeps the machine awake: %s', async (_what, state, busy) => {
    expect((await become(job('a', state()))).isBusy).toBe(busy);
  });

  test('of jobs that only wait reports that they wait', async () => {
    const wait = waiting(3_600_000, 'token-missing');
    expect((await become(job('a', wait))).text).toBe('1 job is waiting');
    expect((await become(job('a', wait), job('b', wait))).text).toBe('2 jobs are waiting');
  });
});

describe('polling', () => {
  test('happens once for a thousand changes', async () => {
    requestCount = 0;
    jobs = [job('a', { status: 'queued' })];
    for (let n = 0; n < 1000; n += 1)
      watch.handleEvent('job.changed', { jobId: 'a', runId: 'r1', revision: n });
    await clock.advance(400);
    expect(requestCount).toBe(0);
    await clock.advance(10_000);
    expect(requestCount).toBe(1);
  });

  test('happens each second while a job runs, and not afterwards', async () => {
    await become(job('a', running));
    requestCount = 0;
    await clock.advance(5_000);
    expect(requestCount).toBe(5);
    await become(job('a', done));
    requestCount = 0;
    await clock.advance(60_000);
    expect(requestCount).toBe(0);
    expect(clock.pending).toBe(0);
  });

  test('is not triggered by other events', async () => {
    requestCount = 0;
    watch.handleEvent('settings.changed', { revision: 1 });
    await clock.advance(60_000);
    expect(requestCount).toBe(0);
  });

  test('ends when the watch is stopped', async () => {
    await become(job('a', running));
    watch.stop();
    reported = [];
    await become(job('a', done));
    expect(reported).toEqual([]);
    expect(ended).toEqual([]);
  });
});

describe('the end of a run', () => {
  test('is reported once, with all its jobs, when its last job has ended', async () => {
    await become(job('a', done), job('b', running));
    expect(ended).toEqual([]);
    await become(job('a', done), job('b', done));
    expect(ended).toEqual([['a', 'b']]);
    await clock.advance(60_000);
    expect(ended).toHaveLength(1);
  });

  test('is reported with whether a plan started the run', async () => {
    const input = { projectId: 1, fullPath: 'group/a', keepExisting: false, planId: null };
    await become(job('a', done, { input }));
    await become(job('b', done, { runId: 'r2', input: { ...input, planId: 'p1' } }));
    expect(planned).toEqual([false, true]);
  });

  test('is reported once despite late events, and again after the run was resumed', async () => {
    await become(job('a', done));
    await become(job('a', done));
    expect(ended).toEqual([['a']]);
    await become(job('a', running));
    await become(job('a', done));
    expect(ended).toEqual([['a'], ['a']]);
  });

  test('is reported even if the run began and ended between two polls', async () => {
    await become(job('a', done));
    expect(ended).toEqual([['a']]);
  });

  test('is reported separately for each of several runs', async () => {
    await become(job('a', running, { runId: 'r1' }), job('b', running, { runId: 'r2' }));
    watch.handleEvent('job.changed', { jobId: 'b', runId: 'r2', revision: 1 });
    await become(job('a', done, { runId: 'r1' }), job('b', running, { runId: 'r2' }));
    expect(ended).toEqual([['a']]);
    await become(job('a', done, { runId: 'r1' }), job('b', done, { runId: 'r2' }));
    expect(ended).toEqual([['a'], ['b']]);
  });
});
