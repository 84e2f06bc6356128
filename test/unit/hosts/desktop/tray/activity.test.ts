import { beforeEach, describe, expect, test } from 'vitest';
import { ActivityWatch, idle, type Activity } from '../../../../../src-main/hosts/desktop/tray/activity.ts';
import type { Client } from '../../../../../src-main/bridge/transports/in-process.ts';
import { hasEnded, type Job, type JobState, type StoredJob } from '../../../../../src-contract/runs/job.ts';
import { SteppedClock } from '../../../../support/clocks/stepped-clock.ts';

const running: JobState = { status: 'running', since: 0 };
const done: JobState = { status: 'succeeded', warnings: [] };

let clock: SteppedClock;
let jobs: Job[];
let asked: number;
let told: Activity[];
let ended: string[][];
let planned: boolean[];
let watch: ActivityWatch;

/** Serves `job.list` like the bridge, newest first and in pages. */
const client: Pick<Client, 'call'> = {
  call: ((
    _name: string,
    request: { status: string | null; runId: string | null; before: string | null; limit: number },
  ) => {
    asked += 1;
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
async function become(...now: Job[]): Promise<Activity> {
  jobs = now;
  watch.handleEvent('job.changed', { jobId: 'any', runId: now[0]?.runId ?? 'r1', revision: 1 });
  await clock.advance(500);
  return told.at(-1) ?? idle;
}

beforeEach(async () => {
  clock = new SteppedClock();
  jobs = [];
  asked = 0;
  told = [];
  ended = [];
  planned = [];
  watch = new ActivityWatch({
    client,
    clock,
    onActivity: (activity) => told.push(activity),
    onRunEnded(of, isPlanned) {
      ended.push(of.map(({ id }) => id));
      planned.push(isPlanned);
    },
  });
  await clock.advance(0);
});

describe('the reports', () => {
  test('nothing open: idle', async () => {
    expect(told).toEqual([idle]);
    expect(await become()).toEqual(idle);
  });

  test('one job: its project and how far it is', async () => {
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

  test('several: how many of those that came together are done, until nothing is open', async () => {
    const queued: JobState = { status: 'queued' };
    await become(job('a', running), job('b', queued), job('c', queued), job('d', queued));
    expect(told.at(-1)).toMatchObject({ progress: 0, text: '0 of 4 jobs done' });
    await become(
      job('a', done),
      job('b', running, { progress: progress(1, 2) }),
      job('c', queued),
      job('d', queued),
    );
    expect(told.at(-1)).toMatchObject({ progress: 1.5 / 4, text: '1 of 4 jobs done' });
    expect(await become(job('a', done), job('b', done), job('c', done), job('d', done))).toEqual(idle);
    expect(await become(job('e', running, { progress: progress(1, 2) }))).toMatchObject({ progress: 0.5 });
  });

  test('more than a page of jobs: all of them', async () => {
    const many = Array.from({ length: 1201 }, (_, n) => job(`j${n}`, running));
    expect(await become(...many)).toMatchObject({ text: '0 of 1201 jobs done' });
  });

  test.each([
    ['running', () => running, true],
    ['cancelling', () => ({ status: 'cancelling', by: 'me' }) as const, true],
    ['queued', () => ({ status: 'queued' }) as const, false],
    ['a short wait for the server', () => waiting(60_000, 'server-working'), true],
    ['a short wait for our own limits', () => waiting(60_000, 'pace'), true],
    ['a long wait for the server', () => waiting(3_600_000, 'rate-limited'), false],
    ['a wait for the network', () => waiting(1_000, 'network'), false],
    ['a wait for a token', () => waiting(1_000, 'token-missing'), false],
  ])('%s keeps the machine awake: %s', async (_what, state, busy) => {
    expect((await become(job('a', state()))).isBusy).toBe(busy);
  });

  test('jobs that only wait: that they do', async () => {
    const wait = waiting(3_600_000, 'token-missing');
    expect((await become(job('a', wait))).text).toBe('1 job is waiting');
    expect((await become(job('a', wait), job('b', wait))).text).toBe('2 jobs are waiting');
  });
});

describe('polling', () => {
  test('a thousand changes cost one poll', async () => {
    asked = 0;
    jobs = [job('a', { status: 'queued' })];
    for (let n = 0; n < 1000; n += 1)
      watch.handleEvent('job.changed', { jobId: 'a', runId: 'r1', revision: n });
    await clock.advance(400);
    expect(asked).toBe(0);
    await clock.advance(10_000);
    expect(asked).toBe(1);
  });

  test('while a job runs its progress is polled each second, and not after', async () => {
    await become(job('a', running));
    asked = 0;
    await clock.advance(5_000);
    expect(asked).toBe(5);
    await become(job('a', done));
    asked = 0;
    await clock.advance(60_000);
    expect(asked).toBe(0);
    expect(clock.pending).toBe(0);
  });

  test('other events are none of its business', async () => {
    asked = 0;
    watch.handleEvent('settings.changed', { revision: 1 });
    await clock.advance(60_000);
    expect(asked).toBe(0);
  });

  test('ends when it is stopped', async () => {
    await become(job('a', running));
    watch.stop();
    told = [];
    await become(job('a', done));
    expect(told).toEqual([]);
    expect(ended).toEqual([]);
  });
});

describe('a run has ended', () => {
  test('when its last job has, once, with all its jobs', async () => {
    await become(job('a', done), job('b', running));
    expect(ended).toEqual([]);
    await become(job('a', done), job('b', done));
    expect(ended).toEqual([['a', 'b']]);
    await clock.advance(60_000);
    expect(ended).toHaveLength(1);
  });

  test('and whether a plan made it', async () => {
    const input = { projectId: 1, fullPath: 'group/a', keepExisting: false, planId: null };
    await become(job('a', done, { input }));
    await become(job('b', done, { runId: 'r2', input: { ...input, planId: 'p1' } }));
    expect(planned).toEqual([false, true]);
  });

  test('though news of it come late, and again when it was taken up again', async () => {
    await become(job('a', done));
    await become(job('a', done));
    expect(ended).toEqual([['a']]);
    await become(job('a', running));
    await become(job('a', done));
    expect(ended).toEqual([['a'], ['a']]);
  });

  test('also when it began and ended between two polls', async () => {
    await become(job('a', done));
    expect(ended).toEqual([['a']]);
  });

  test('each of several by itself', async () => {
    await become(job('a', running, { runId: 'r1' }), job('b', running, { runId: 'r2' }));
    watch.handleEvent('job.changed', { jobId: 'b', runId: 'r2', revision: 1 });
    await become(job('a', done, { runId: 'r1' }), job('b', running, { runId: 'r2' }));
    expect(ended).toEqual([['a']]);
    await become(job('a', done, { runId: 'r1' }), job('b', done, { runId: 'r2' }));
    expect(ended).toEqual([['a'], ['b']]);
  });
});
