import { beforeEach, expect, test } from 'vitest';
import type { Catalogue } from '../../../../src-main/catalogue/database.ts';
import { JobStore } from '../../../../src-main/catalogue/runs/jobs.ts';
import type { NewJob } from '../../../../src-main/catalogue/runs/jobs.ts';
import { RunStore } from '../../../../src-main/catalogue/runs/runs.ts';
import { endedStatuses, jobStatuses } from '../../../../src-contract/runs/job.ts';
import type { JobState, JobStatus } from '../../../../src-contract/runs/job.ts';
import { catalogueForTest, queuedJob } from '../../../support/catalogue/catalogue.ts';

const at = Date.UTC(2026, 10, 20);
const event = { type: 'changed', message: 'for a test' };
const stateOf: Record<JobStatus, JobState> = {
  queued: { status: 'queued' },
  running: { status: 'running', since: at },
  waiting: { status: 'waiting', until: at, reason: 'pace', text: 'a while' },
  cancelling: { status: 'cancelling', by: 'somebody' },
  succeeded: { status: 'succeeded', warnings: [] },
  failed: {
    status: 'failed',
    error: { code: 'internal', message: 'm', retry: { afterMs: 5 }, details: { a: 1 } },
  },
  cancelled: { status: 'cancelled', by: 'somebody' },
  skipped: { status: 'skipped', why: 'no need' },
};

let catalogue: Catalogue;
let jobs: JobStore;
beforeEach(() => {
  catalogue = catalogueForTest();
  jobs = new JobStore(catalogue);
});

function newJob(project: string, input: unknown = { projectId: 1 }): NewJob {
  return { id: jobs.newId(at), kind: 'export', instance: 'source', project, input, firstStep: 'request' };
}

test.for(jobStatuses)('a job is read back in the state %s as it was stored', (status) => {
  const job = queuedJob(jobs);
  const changed = jobs.change(job.id, 1, {
    state: stateOf[status],
    result: { path: 'x' },
    event,
    at: at + 1,
  });
  const ended = (endedStatuses as readonly string[]).includes(status);
  expect(changed).toEqual({
    ...job,
    state: stateOf[status],
    step: ended ? null : 'request',
    result: { path: 'x' },
    updatedAt: at + 1,
    revision: 2,
  });
  expect(jobs.get(job.id)).toEqual(changed);
  expect(jobs.openJobs()).toEqual(ended ? [] : [changed]);
});

test('a change of state appends exactly one event', () => {
  const job = queuedJob(jobs);
  const before = jobs.events({ limit: 100 });
  jobs.change(job.id, 1, { state: stateOf.running, event, at });
  const after = jobs.events({ limit: 100 });
  expect(after.slice(0, -1)).toEqual(before);
  expect(after.at(-1)).toMatchObject({ jobId: job.id, at, ...event });
});

test('a change of an outdated revision is refused and stores nothing', () => {
  const job = queuedJob(jobs);
  const current = jobs.change(job.id, 1, { state: stateOf.running, event, at });
  const events = jobs.events({ limit: 100 });
  expect(() => jobs.change(job.id, 1, { state: stateOf.cancelled, event, at })).toThrow(
    expect.objectContaining({ code: 'job-busy' }),
  );
  expect(jobs.get(job.id)).toEqual(current);
  expect(jobs.events({ limit: 100 })).toEqual(events);
});

test('an event can neither be changed nor removed', () => {
  queuedJob(jobs);
  const events = jobs.events({ limit: 100 });
  expect(() => catalogue.run("UPDATE job_events SET message = 'other'")).toThrow('append-only');
  expect(() => catalogue.run('DELETE FROM job_events')).toThrow('append-only');
  expect(jobs.events({ limit: 100 })).toEqual(events);
});

test('enqueueing the same work joins the open job, whatever the case of its path, and the new run waits for it', () => {
  const first = queuedJob(jobs, 'Group/Project');
  const runId = jobs.newId(at);
  jobs.createRun({ id: runId, kind: 'backup', request: {}, at });
  const joined = jobs.enqueue({ ...newJob('group/project'), runId, at });
  expect(joined).toEqual({ job: first, joined: true });
  expect(jobs.jobsOfRun(runId)).toEqual([first]);
  expect(jobs.events({ jobId: first.id, limit: 10 }).map(({ type }) => type)).toEqual(['queued', 'joined']);
  const runs = new RunStore(catalogue, jobs);
  expect(runs.hasOpenJobs(runId)).toBe(true);
  jobs.change(first.id, 1, { state: stateOf.succeeded, event, at });
  expect(runs.hasOpenJobs(runId)).toBe(false);
});

test('abandoned open jobs end as failed with the reason, each with an event; ended jobs stay unchanged', () => {
  const done = queuedJob(jobs, 'g/done');
  jobs.change(done.id, 1, { state: stateOf.succeeded, event, at });
  const running = queuedJob(jobs, 'g/running');
  jobs.change(running.id, 1, { state: stateOf.running, event, at });
  const queued = queuedJob(jobs, 'g/queued');
  const error = { code: 'interrupted', message: 'restored', retry: 'never', details: {} } as const;
  const abandoned = jobs.failOpenJobs(error, at + 1);
  expect(abandoned.map(({ id, state }) => [id, state])).toEqual([
    [running.id, { status: 'failed', error }],
    [queued.id, { status: 'failed', error }],
  ]);
  expect(jobs.openJobs()).toEqual([]);
  expect(jobs.get(done.id)?.state.status).toBe('succeeded');
  for (const { id } of abandoned) {
    expect(jobs.events({ jobId: id, limit: 10 }).at(-1)).toMatchObject({ type: 'fail', message: 'restored' });
  }
  expect(jobs.failOpenJobs(error, at + 2)).toEqual([]);
});

test.for([
  ['another kind', { kind: 'import' as const }],
  ['another instance', { instance: 'target' }],
  ['another project', { project: 'group/other' }],
])('%s makes it a separate job', ([, difference]) => {
  const { runId } = queuedJob(jobs);
  const other = jobs.enqueue({ ...newJob('group/project'), ...(difference as object), runId, at });
  expect(other.joined).toBe(false);
  expect(jobs.openJobs()).toHaveLength(2);
});

test.for(endedStatuses)('a job that ended as %s is not joined: the same work is a new job', (status) => {
  const first = queuedJob(jobs);
  jobs.change(first.id, 1, { state: stateOf[status], event, at });
  expect(queuedJob(jobs).id).not.toBe(first.id);
});

test('an ended job cannot be opened again while another job for the same work is open', () => {
  const first = queuedJob(jobs);
  const ended = jobs.change(first.id, 1, { state: stateOf.failed, event, at });
  queuedJob(jobs);
  expect(() => jobs.change(first.id, 2, { state: stateOf.queued, event, at })).toThrow(
    expect.objectContaining({ code: 'already-exists' }),
  );
  expect(jobs.get(first.id)).toEqual(ended);
});

test('beginning a step counts the attempt and keeps the memo of the attempt before', () => {
  const { id } = queuedJob(jobs);
  expect(jobs.beginStep(id, 'request', at)).toEqual({ attempt: 1, memo: null });
  jobs.saveMemo(id, 'request', { watermark: 42 });
  expect(jobs.beginStep(id, 'request', at)).toEqual({ attempt: 2, memo: { watermark: 42 } });
  expect(jobs.get(id)).toMatchObject({ step: 'request', attempt: 2, revision: 1 });
});

test('a finished step stores its output, sets the next step and appends an event', () => {
  const { id } = queuedJob(jobs);
  jobs.beginStep(id, 'request', at);
  const after = jobs.finishStep(id, 'request', { sent: true }, 'download', event, at + 5);
  expect(after).toMatchObject({ step: 'download', attempt: 0, updatedAt: at + 5, revision: 1 });
  jobs.beginStep(id, 'download', at);
  jobs.finishStep(id, 'download', undefined, null, event, at);
  jobs.beginStep(id, 'unfinished', at);
  expect(jobs.outputs(id)).toEqual({ request: { sent: true }, download: null });
  expect(jobs.events({ jobId: id, limit: 10 }).map(({ type }) => type)).toEqual([
    'queued',
    'changed',
    'changed',
  ]);
});

test('a step that was not begun can neither finish nor store a memo', () => {
  const { id } = queuedJob(jobs);
  expect(() => jobs.finishStep(id, 'request', null, null, event, at)).toThrow('never begun');
  expect(() => {
    jobs.saveMemo(id, 'request', {});
  }).toThrow('never begun');
  expect(jobs.events({ jobId: id, limit: 10 })).toHaveLength(1);
});

test('reading a missing job returns null, and changing it throws', () => {
  expect(jobs.get('nothing')).toBeNull();
  expect(() => jobs.change('nothing', 1, { state: stateOf.running, event, at })).toThrow(
    expect.objectContaining({ code: 'job-missing' }),
  );
  expect(() => jobs.beginStep('nothing', 'x', at)).toThrow(expect.objectContaining({ code: 'internal' }));
});

test('a job with an unknown status is reported as a damaged catalogue', () => {
  const { id } = queuedJob(jobs);
  catalogue.run('PRAGMA ignore_check_constraints = ON');
  catalogue.run(`UPDATE jobs SET state = '{"status":"paused"}', status = 'paused'`);
  expect(() => jobs.get(id)).toThrow(expect.objectContaining({ code: 'catalogue-damaged' }));
  expect(() => jobs.openJobs()).toThrow(expect.objectContaining({ code: 'catalogue-damaged' }));
});

test('the database itself refuses an unknown status, and a status that contradicts the state', () => {
  queuedJob(jobs);
  expect(() => catalogue.run(`UPDATE jobs SET state = '{"status":"paused"}', status = 'paused'`)).toThrow(
    'CHECK',
  );
  expect(() => catalogue.run(`UPDATE jobs SET status = 'running'`)).toThrow('CHECK');
});

test('reading events after the last id that was read misses none and repeats none', () => {
  const { id } = queuedJob(jobs);
  for (let number = 0; number < 10; number++) jobs.appendEvent(id, 'progress', String(number), at);
  const seen: string[] = [];
  let afterId = 0;
  for (
    let page = jobs.events({ afterId, limit: 3 });
    page.length > 0;
    page = jobs.events({ afterId, limit: 3 })
  ) {
    seen.push(...page.map(({ message }) => message));
    afterId = page.at(-1)?.id ?? 0;
  }
  expect(seen.slice(1)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
});
