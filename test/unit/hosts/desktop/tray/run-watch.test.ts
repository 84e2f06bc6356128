import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Client } from '../../../../../src-main/bridge/transports/in-process.ts';
import { planNoticeOf, type Notice } from '../../../../../src-main/hosts/desktop/tray/notices.ts';
import { RunWatch } from '../../../../../src-main/hosts/desktop/tray/run-watch.ts';
import type { ErrorCode } from '../../../../../src-contract/errors.ts';
import type { Job, JobState } from '../../../../../src-contract/runs/job.ts';
import type { Run, RunNote } from '../../../../../src-contract/runs/run.ts';
import type { Preferences } from '../../../../../src-contract/settings.ts';
import { storedPlan } from '../../../../support/jobs/plan-draft.ts';
import { SteppedClock } from '../../../../support/clocks/stepped-clock.ts';

const before = '2026-11-20T01:30:00.000Z';
const after = '2026-11-20T02:30:00.000Z';
const start = Date.parse('2026-11-20T02:00:00.000Z');

let clock: SteppedClock;
let watch: RunWatch;
/** The runs, newest first. */
let runs: Run[];
let states: JobState[];
let notices: Notice[];
let level: Preferences['notifications'];

function run(change: Partial<Run> = {}): Run {
  return {
    id: 'r1',
    kind: 'export',
    planId: 'p1',
    dueAt: after,
    manual: false,
    createdAt: after,
    endedAt: after,
    bytes: 0,
    outcome: 'succeeded',
    instances: ['work'],
    jobs: { succeeded: 1 },
    project: null,
    deed: null,
    leftOut: { count: 0, projects: [] },
    skippedWhy: null,
    notes: [],
    ...change,
  };
}
const good: JobState = { status: 'succeeded', warnings: [] };
const failed: JobState = {
  status: 'failed',
  error: { code: 'disk-full', message: '', retry: 'never', details: {} },
};
const warning = (message: string): RunNote => ({ severity: 'warning', message });
const refused = (code: ErrorCode): Run =>
  run({
    outcome: 'failed',
    jobs: {},
    notes: [
      {
        ...warning('The program before the run failed.'),
        error: { code, message: '', retry: 'never', details: {} },
      },
    ],
  });

/** Serves pages of the requested length, like the bridge. */
const client: Pick<Client, 'call'> = {
  call: ((name: string, { before: last, limit }: { before: string | null; limit: number }) => {
    if (name === 'plan.list')
      return Promise.resolve({ plans: [{ plan: storedPlan({ id: 'p1', name: 'nightly' }) }] });
    if (name === 'job.list') {
      const jobs = states.map((state, at) => ({
        id: `j${at}`,
        runId: 'r1',
        kind: 'export',
        project: `group/${at}`,
        state,
      }));
      return Promise.resolve({ jobs: jobs as Job[], next: null });
    }
    const from = last === null ? 0 : runs.findIndex(({ id }) => id === last) + 1;
    const page = runs.slice(from, from + limit);
    return Promise.resolve({ runs: page, next: from + limit < runs.length ? page.at(-1)?.id : null });
  }) as Client['call'],
};

beforeEach(() => {
  clock = new SteppedClock(start);
  runs = [];
  states = [good];
  notices = [];
  level = 'problems';
  watch = new RunWatch(client, clock, start, (news) => {
    const notice = planNoticeOf(news, level);
    if (notice !== null) notices.push(notice);
  });
});
afterEach(() => {
  watch.stop();
});

/** Replaces the runs, and emits a change of a plan. */
async function become(...current: Run[]): Promise<string[]> {
  runs = current;
  await watch.handleEvent('plan.changed');
  return notices.map(({ title }) => title);
}

test('a failed run is reported once, with its plan and the reason, and a click on the notice opens the run', async () => {
  states = [failed, good];
  await become(run({ outcome: 'running', jobs: { running: 2 } }));
  expect(notices).toEqual([]);
  const ended = run({ outcome: 'partly-failed', jobs: { failed: 1, succeeded: 1 } });
  await become(ended);
  await become(ended);
  expect(notices).toEqual([
    {
      title: 'nightly: 1 of 2 projects were not backed up',
      body: 'There is not enough space on the disk.',
      target: { what: 'run', id: 'r1' },
    },
  ]);
});

test('a run that fails before it has a job is reported too', async () => {
  await become(refused('hook-failed'));
  expect(notices).toMatchObject([
    { title: 'nightly: nothing was backed up', body: 'The program before the run failed.' },
  ]);
});

test('no notice is shown for a run whose program was cancelled, a skipped run, and a run without a plan', async () => {
  expect(await become(refused('cancelled'))).toEqual([]);
  expect(await become(run({ id: 'r2', skippedWhy: 'The plan was paused.', jobs: {} }))).toEqual([]);
  expect(await become(run({ id: 'r3', planId: null, outcome: 'failed' }))).toEqual([]);
});

test('a note that is added after the end is reported then, and nothing is reported twice', async () => {
  const chosen = warning('Not backed up: group/old.');
  await become(
    run({ outcome: 'warnings', notes: [chosen, { severity: 'info', message: '', awaits: 'end' }] }),
  );
  await become(run({ outcome: 'warnings', notes: [chosen, warning('The heartbeat was not sent.')] }));
  expect(notices).toMatchObject([
    { title: 'nightly: a run ended with a warning', body: 'Not backed up: group/old.' },
    { title: 'nightly: a run ended with a warning', body: 'The heartbeat was not sent.' },
  ]);
});

test('a successful run is reported only at the level "all"', async () => {
  expect(await become(run())).toEqual([]);
  level = 'all';
  expect(await become(run({ id: 'r2' }))).toEqual(['nightly: group/0 is backed up']);
  level = 'none';
  expect(await become(refused('hook-failed'))).toHaveLength(1);
});

test('a run that ended before the program started is not reported, one that was still running then is', async () => {
  states = [failed];
  const open = run({ id: 'open', createdAt: before, outcome: 'running' });
  const old = run({ id: 'old', createdAt: before, outcome: 'failed' });
  expect(await become(open, old)).toEqual([]);
  expect(await become({ ...open, outcome: 'failed' }, old)).toHaveLength(1);
});

test('the end of a run is found behind any number of newer runs, and without an event', async () => {
  states = [failed];
  const open = run({ id: 'open', outcome: 'running' });
  await become(open);
  const newer = Array.from({ length: 250 }, (_, at) => run({ id: `n${at}`, planId: null }));
  runs = [...newer, { ...open, outcome: 'failed' }];
  await clock.advance(30_000);
  expect(notices).toHaveLength(1);
});
