import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Catalogue } from '../../../../src-main/catalogue/database.ts';
import { JobStore, type NewJob } from '../../../../src-main/catalogue/runs/jobs.ts';
import { PlanFailures } from '../../../../src-main/catalogue/plans/plan-failures.ts';
import { RunStore, type NewRun } from '../../../../src-main/catalogue/runs/runs.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import type { JobState } from '../../../../src-contract/runs/job.ts';
import type { RunOutcome } from '../../../../src-contract/runs/run.ts';
import { catalogueForTest, queuedJob } from '../../../support/catalogue/catalogue.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const at = Date.UTC(2026, 10, 20);
const dueAt = Date.UTC(2026, 10, 20, 2, 30);
const event = { type: 'changed', message: 'for a test' };
const failure = new AppError('connection-refused', 'Nobody listens.', { retry: 'later' }).toData();
const warning = { code: 'prune-failed', severity: 'warning', message: 'm', where: null } as const;
const lack = { code: 'export-incomplete', severity: 'error', message: 'm', where: null } as const;

const states = {
  queued: { status: 'queued' },
  running: { status: 'running', since: at },
  waiting: { status: 'waiting', until: at, reason: 'pace', text: 'a while' },
  succeeded: { status: 'succeeded', warnings: [] },
  warned: { status: 'succeeded', warnings: [warning] },
  lacking: { status: 'succeeded', warnings: [warning, lack] },
  withoutLfs: { status: 'succeeded', warnings: [{ ...lack, code: 'lfs-missing' }] },
  failed: { status: 'failed', error: failure },
  cancelled: { status: 'cancelled', by: 'somebody' },
  skipped: { status: 'skipped', why: 'no need' },
} satisfies Record<string, JobState>;

let catalogue: Catalogue;
let jobs: JobStore;
let runs: RunStore;
beforeEach(() => {
  catalogue = catalogueForTest();
  jobs = new JobStore(catalogue);
  runs = new RunStore(catalogue, jobs);
});

const newRun = (): NewRun => ({ id: jobs.newId(at), kind: 'export', request: { instance: 'source' }, at });
const firing = (planId = 'plan', due = dueAt) => ({ ...newRun(), planId, dueAt: due });

function newJob(project: string, input: unknown = { projectId: 1 }): NewJob {
  return { id: jobs.newId(at), kind: 'export', instance: 'source', project, input, firstStep: 'request' };
}

/** Returns every row that enqueueing writes. */
function stored(): unknown[] {
  return ['runs', 'jobs', 'run_jobs', 'job_events'].map((table) => catalogue.all(`SELECT * FROM ${table}`));
}

describe('enqueueing a run', () => {
  test('joins an open job with the same input, whatever the order of its fields', () => {
    const [first] = runs.enqueueAll(newRun(), [newJob('g/p', { a: 1, b: { c: 2, d: undefined, e: [3] } })]);
    const [again] = runs.enqueueAll(newRun(), [newJob('g/p', { b: { e: [3], c: 2 }, a: 1 })]);
    expect(again).toEqual({ ...first, joined: true });
  });

  test('refuses a job if an open job does the same work with another input, reports that job, and writes nothing', () => {
    const first = queuedJob(jobs);
    const run = newRun();
    const before = stored();
    expect(runs.enqueueAll(run, [newJob(first.project, { projectId: 1, keepExisting: true })])).toEqual([
      {
        refused: expect.objectContaining({
          code: 'job-busy',
          details: { jobId: first.id, project: first.project },
        }) as unknown,
      },
    ]);
    expect(stored()).toEqual(before);
  });

  test.for<[string, Record<string, unknown>, Record<string, unknown>, Record<string, unknown>?]>([
    [
      'of a plan for a user, whose request it stores',
      { planId: 'nightly' },
      { planId: null },
      { asked: true },
    ],
    ['of a user for a plan', { planId: null }, { planId: 'nightly' }],
    ['of an older version for a plan', {}, { planId: 'nightly' }],
    ['of a version that stored a limit for a user', { keepLast: 3 }, { planId: null }],
  ])('joins an open backup %s, and keeps its input', ([_what, first, second, added = {}]) => {
    const input = { projectId: 1, fullPath: 'g/p', keepExisting: false };
    const [created] = runs.enqueueAll(newRun(), [newJob('g/p', { ...input, ...first })]);
    const [joined] = runs.enqueueAll(newRun(), [newJob('g/p', { ...input, ...second })]);
    const after = { ...input, ...first, ...added };
    expect(joined).toMatchObject({ joined: true, job: { input: after } });
    expect(created).toMatchObject({ joined: false, job: { id: jobs.openJobs()[0]?.id } });
    expect(jobs.openJobs().map((job) => job.input)).toEqual([after]);
    const other = newJob('g/p', { ...input, ...second, keepExisting: true });
    expect(runs.enqueueAll(newRun(), [other])).toMatchObject([{ refused: { code: 'job-busy' } }]);
  });

  test('creates a run with many jobs at once, and a refused job does not stop the others', () => {
    const open = queuedJob(jobs, 'g/other-input');
    const same = queuedJob(jobs, 'g/same');
    const run = newRun();
    const enqueued = runs.enqueueAll(run, [
      newJob('g/new'),
      newJob('g/other-input', { projectId: 2 }),
      newJob('g/same'),
      newJob('g/new'),
    ]);
    const created = jobs.jobsOfRun(run.id).find(({ project }) => project === 'g/new');
    expect(enqueued).toEqual([
      { job: created, joined: false },
      { refused: expect.objectContaining({ code: 'job-busy' }) as unknown },
      { job: same, joined: true },
      { job: created, joined: true },
    ]);
    expect(jobs.jobsOfRun(run.id)).toHaveLength(2);
    expect(jobs.events({ jobId: open.id, limit: 10 })).toHaveLength(1);
  });

  test('does not write a run at all if it cannot write all its jobs', () => {
    const before = stored();
    const [first, second] = [newJob('g/a'), newJob('g/b')];
    expect(() => runs.enqueueAll(newRun(), [first, { ...second, id: first.id }])).toThrow(
      expect.objectContaining({ code: 'already-exists' }),
    );
    expect(stored()).toEqual(before);
  });
});

describe('a scheduled run of a plan', () => {
  test('is created with its jobs, once for each due time of the plan', () => {
    const run = firing();
    expect(runs.fire(run, [newJob('g/a'), newJob('g/b')])?.jobs.map(({ project }) => project)).toEqual([
      'g/a',
      'g/b',
    ]);
    const before = stored();
    expect(runs.fire(firing(), [newJob('g/c')])).toBeNull();
    expect(stored()).toEqual(before);
    expect(runs.fire(firing('plan', dueAt + 1), [newJob('g/c')])).not.toBeNull();
    expect(runs.fire(firing('other'), [newJob('g/d')])).not.toBeNull();
  });

  test('is refused by the catalogue itself if its due time already has a run, whatever code writes it', () => {
    runs.fire(firing(), []);
    const again = `INSERT INTO runs (id, kind, request, created_at, plan_id, due_at) VALUES ('x', 'export', '{}', 1, 'plan', ${dueAt})`;
    expect(() => catalogue.run(again)).toThrow(expect.objectContaining({ code: 'already-exists' }));
  });

  test('is not written at all if its jobs cannot all be written, and is still due', () => {
    runs.fire(firing('other'), [newJob('g/x')]);
    const before = stored();
    const [first, second] = [newJob('g/a'), newJob('g/b')];
    expect(() => runs.fire(firing(), [first, { ...second, id: first.id }])).toThrow();
    expect(stored()).toEqual(before);
    expect(runs.hasFired('plan', dueAt)).toBe(false);
  });

  test('joins an open job with the same input, and leaves out a project whose open job has another input', () => {
    const same = queuedJob(jobs, 'g/same');
    queuedJob(jobs, 'g/other-input');
    const run = firing();
    const fired = runs.fire(run, [newJob('g/same'), newJob('g/other-input', { projectId: 2 })]);
    expect(fired).toEqual({ jobs: [same], leftOut: ['g/other-input'] });
    expect(runs.list({ before: null, limit: 1 })).toMatchObject([
      { id: run.id, leftOut: { count: 1, projects: ['g/other-input'] }, project: 'g/same' },
    ]);
  });

  test('without any job is stored as a run that had nothing to do', () => {
    const run = firing();
    expect(runs.fire(run, [])).toEqual({ jobs: [], leftOut: [] });
    expect(runs.list({ before: null, limit: 1 })).toMatchObject([
      {
        id: run.id,
        outcome: 'nothing',
        planId: 'plan',
        dueAt: '2026-11-20T02:30:00.000Z',
        createdAt: '2026-11-20T00:00:00.000Z',
        instances: ['source'],
        jobs: {},
      },
    ]);
  });

  test('is found as the last run of its plan up to a time', () => {
    expect(runs.lastFiring('plan', Infinity)).toBeNull();
    const [early, late] = [firing(), firing('plan', dueAt + 86_400_000)];
    runs.fire(late, [newJob('g/b')]);
    runs.fire(early, []);
    runs.fire(firing('other', dueAt + 3), []);
    expect(runs.lastFiring('plan', Infinity)).toEqual({
      runId: late.id,
      dueAt: late.dueAt,
      startedAt: at,
      outcome: 'running',
    });
    expect(runs.lastFiring('plan', dueAt)).toMatchObject({ runId: early.id, outcome: 'nothing' });
    expect(runs.lastFiring('plan', dueAt - 1)).toBeNull();
  });

  test('clears the stored failure of its plan, and of no other plan', () => {
    const failures = new PlanFailures(catalogue);
    for (const plan of ['plan', 'other']) failures.record(plan, failure, at);
    runs.fire(firing(), []);
    expect(failures.find('plan')).toBeNull();
    expect(failures.find('other')).toEqual(failure);
    failures.forget('other');
    expect(failures.find('other')).toBeNull();
  });
});

describe('the outcome of a run', () => {
  test.for<[RunOutcome, (keyof typeof states)[]]>([
    ['running', ['succeeded', 'queued']],
    ['running', ['failed', 'waiting']],
    ['running', ['running', 'cancelled']],
    ['succeeded', ['succeeded', 'succeeded']],
    ['succeeded', ['succeeded', 'skipped']],
    ['warnings', ['succeeded', 'warned']],
    ['incomplete', ['succeeded', 'warned', 'lacking']],
    ['incomplete', ['succeeded', 'withoutLfs']],
    ['partly-failed', ['lacking', 'failed']],
    ['partly-failed', ['succeeded', 'failed']],
    ['partly-failed', ['failed', 'cancelled']],
    ['failed', ['failed', 'failed']],
    ['cancelled', ['cancelled', 'succeeded']],
    ['cancelled', ['cancelled', 'skipped']],
    ['skipped', ['skipped', 'skipped']],
  ])('is %s if its jobs are %s', ([outcome, statuses]) => {
    const run = newRun();
    const created = runs.enqueueAll(
      run,
      statuses.map((_, number) => newJob(`g/p${number}`)),
    );
    for (const [number, result] of created.entries()) {
      if ('refused' in result) throw result.refused;
      jobs.change(result.job.id, 1, { state: states[statuses[number] ?? 'queued'], event, at });
    }
    const [listed] = runs.list({ before: null, limit: 5 });
    expect(listed?.outcome).toBe(outcome);
    expect(Object.values(listed?.jobs ?? {}).reduce((sum, count) => sum + count, 0)).toBe(statuses.length);
  });

  test('is warnings if the run left out all projects, or skipped the other ones', () => {
    queuedJob(jobs, 'g/busy');
    const busy = (): NewJob => newJob('g/busy', { projectId: 2 });
    const outcome = (): RunOutcome | undefined => runs.list({ before: null, limit: 1 })[0]?.outcome;
    runs.fire(firing('all'), [busy()]);
    expect(outcome()).toBe('warnings');
    expect(runs.lastFiring('all', Infinity)?.outcome).toBe('warnings');
    const fired = runs.fire(firing('rest'), [newJob('g/a'), busy()]);
    jobs.change(fired?.jobs[0]?.id ?? '', 1, { state: states.skipped, event, at });
    expect(outcome()).toBe('warnings');
  });

  test('is warnings if the run left out a project', () => {
    queuedJob(jobs, 'g/busy');
    const fired = runs.fire(firing(), [newJob('g/a'), newJob('g/busy', { projectId: 2 })]);
    jobs.change(fired?.jobs[0]?.id ?? '', 1, { state: states.succeeded, event, at });
    expect(runs.list({ before: null, limit: 1 })).toMatchObject([{ outcome: 'warnings' }]);
  });
});

test('runs are listed newest first, page by page, each with its instances and the number of its jobs by status', () => {
  const created = Array.from({ length: 5 }, (_, number) => {
    const run = newRun();
    runs.enqueueAll(run, [newJob(`g/a${number}`), { ...newJob(`g/b${number}`), instance: 'target' }]);
    return run.id;
  }).reverse();
  const first = runs.list({ before: null, limit: 3 });
  const rest = runs.list({ before: first.at(-1)?.id ?? '', limit: 3 });
  expect([...first, ...rest].map(({ id }) => id)).toEqual(created);
  expect(first[0]).toEqual({
    id: created[0],
    kind: 'export',
    planId: null,
    dueAt: null,
    manual: false,
    createdAt: '2026-11-20T00:00:00.000Z',
    endedAt: null,
    bytes: 0,
    outcome: 'running',
    instances: ['source', 'target'],
    jobs: { queued: 2 },
    project: null,
    deed: null,
    leftOut: { count: 0, projects: [] },
    skippedWhy: null,
    notes: [],
  });
});

test('a run ends with its last job, and counts the bytes that were stored or sent', () => {
  const run = newRun();
  const jobOf = (project: string, kind: 'export' | 'import', sizeBytes: number) => ({
    ...newJob(project, { sizeBytes }),
    kind,
  });
  const created = runs.enqueueAll(run, [
    jobOf('g/a', 'export', 1),
    jobOf('g/b', 'export', 2),
    jobOf('g/c', 'import', 40),
  ]);
  const [stored = '', failed = '', sent = ''] = created.map((result) =>
    'job' in result ? result.job.id : '',
  );
  const only = () => runs.list({ before: null, limit: 1 })[0];
  jobs.change(stored, 1, { state: states.succeeded, result: { sizeBytes: 700 }, event, at: at + 3000 });
  jobs.change(failed, 1, { state: states.failed, event, at: at + 5000 });
  expect(only()).toMatchObject({ endedAt: null, bytes: 700 });
  jobs.change(sent, 1, { state: states.succeeded, event, at: at + 4000 });
  expect(only()).toMatchObject({ endedAt: '2026-11-20T00:00:05.000Z', bytes: 740 });
});

test('the outcome of a run is computed again until its last job has ended, whichever process ends that job', () => {
  const fired = runs.fire(firing(), [newJob('g/a'), newJob('g/b')]);
  const elsewhere = new JobStore(catalogue);
  const outcomes = () => [
    runs.list({ before: null, limit: 1 })[0]?.outcome,
    runs.lastFiring('plan', dueAt)?.outcome,
  ];
  expect(outcomes()).toEqual(['running', 'running']);
  for (const [number, { id }] of (fired?.jobs ?? []).entries()) {
    expect(outcomes()).toEqual(['running', 'running']);
    elsewhere.change(id, 1, { state: number === 0 ? states.failed : states.succeeded, event, at });
  }
  expect(outcomes()).toEqual(['partly-failed', 'partly-failed']);
  expect(new RunStore(catalogue, jobs).list({ before: null, limit: 1 })).toEqual(
    runs.list({ before: null, limit: 1 }),
  );
});

test('an ended run to which a job is added is running again, and ends with the job', () => {
  const run = newRun();
  jobs.createRun(run);
  const first = jobs.enqueue({ ...newJob('g/a'), runId: run.id, at });
  jobs.change(first.job.id, 1, { state: states.succeeded, event, at });
  const listed = () => runs.list({ before: null, limit: 1 })[0];
  expect(listed()).toMatchObject({ outcome: 'succeeded', jobs: { succeeded: 1 } });
  const { job } = jobs.enqueue({ ...newJob('g/b'), runId: run.id, at });
  expect(listed()).toMatchObject({ outcome: 'running', jobs: { succeeded: 1, queued: 1 } });
  jobs.change(job.id, 1, { state: states.failed, event, at });
  expect(listed()).toMatchObject({ outcome: 'partly-failed', jobs: { succeeded: 1, failed: 1 } });
});

test('an ended run is reported as failed once another process has marked its job as failed', () => {
  const path = join(temporaryFolder(), 'catalogue.sqlite');
  const [here, there] = [catalogueForTest(path), catalogueForTest(path)];
  const ours = new JobStore(here);
  const read = new RunStore(here, ours);
  const run = { ...newRun(), id: ours.newId(at) };
  const [created] = read.enqueueAll(run, [newJob('g/a')]);
  const id = created !== undefined && 'job' in created ? created.job.id : '';
  ours.change(id, 1, { state: states.succeeded, event, at });
  const outcome = () => read.list({ before: null, limit: 1 })[0]?.outcome;
  expect(outcome()).toBe('succeeded');
  new JobStore(there).change(id, 2, { state: states.failed, event, at });
  expect(outcome()).toBe('failed');
});

test('a page lists ended and open runs together, newest first', () => {
  const created = Array.from({ length: 4 }, (_, number) => {
    const run = newRun();
    const [result] = runs.enqueueAll(run, [newJob(`g/p${number}`)]);
    if (number % 2 === 0 && result !== undefined && 'job' in result) {
      jobs.change(result.job.id, 1, { state: states.succeeded, event, at });
    }
    return run.id;
  }).reverse();
  for (let time = 0; time < 2; time++) {
    const listed = runs.list({ before: null, limit: 9 });
    expect(listed.map(({ id }) => id)).toEqual(created);
    expect(listed.map(({ outcome }) => outcome)).toEqual(['running', 'succeeded', 'running', 'succeeded']);
  }
});

test.each([
  [{ kind: 'delete', permanently: true }, 'delete-permanently'],
  [{ kind: 'star' }, 'star'],
  [{ kind: 'paint' }, null],
])('a run of one change reports what the change does: %j', (change, deed) => {
  const run = { ...newRun(), kind: 'change' as const };
  runs.enqueueAll(run, [{ ...newJob('g/a', { change, projectId: 1, secret: null }), kind: 'change' }]);
  expect(runs.list({ before: null, limit: 1 })[0]).toMatchObject({ project: 'g/a', deed });
});

test('a new id is greater than the ids that another process created while its clock was ahead', () => {
  const store = new JobStore(catalogue);
  const ahead = '2000000000000000';
  store.createRun({ id: ahead, kind: 'export', request: {}, at });
  expect(store.newId(at) > ahead).toBe(true);
});
