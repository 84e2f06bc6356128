import { beforeEach, expect, test } from 'vitest';
import { ArchiveIndex } from '../../../../src-main/catalogue/archives/archive-index.ts';
import { JobAttention } from '../../../../src-main/catalogue/runs/job-attention.ts';
import { ImportFailures } from '../../../../src-main/catalogue/migrations/import-failures.ts';
import type { Catalogue } from '../../../../src-main/catalogue/database.ts';
import { ProjectListStore } from '../../../../src-main/catalogue/projects/projects.ts';
import { JobStore } from '../../../../src-main/catalogue/runs/jobs.ts';
import type { StoredJob, JobState } from '../../../../src-contract/runs/job.ts';
import { newArchive, manifestFor, newProject } from '../../../support/catalogue/catalogue-rows.ts';
import { catalogueForTest, queuedJob } from '../../../support/catalogue/catalogue.ts';

let jobs: JobStore;
let attention: JobAttention;
let ledger: ImportFailures;
let catalogue: Catalogue;
beforeEach(() => {
  catalogue = catalogueForTest();
  jobs = new JobStore(catalogue);
  attention = new JobAttention(catalogue);
  ledger = new ImportFailures(catalogue);
});

const error = { code: 'export-failed' as const, message: 'm', retry: 'never' as const, details: { a: 1 } };
const failed: JobState = { status: 'failed', error };
const succeeded: JobState = { status: 'succeeded', warnings: [] };
const warning = { code: 'c', severity: 'warning' as const, message: 'm', where: null };
const warned: JobState = { status: 'succeeded', warnings: [warning, warning] };

function end(state: JobState, project = 'g/p', at = 100, instance = 'source'): StoredJob {
  const job = queuedJob(jobs, project, instance);
  return jobs.change(job.id, job.revision, { state, event: { type: 'end', message: '' }, at });
}
const filter = { since: 0, instances: ['source', 'target'], limit: 9 };
const failures = () =>
  attention.failedJobGroups(filter).entries.flatMap(({ jobs }) => jobs.map(({ jobId }) => jobId));
const warnings = () => attention.jobsWithWarnings(filter).entries.map(({ jobId }) => jobId);

test('a failure is reported with its error, and warnings with their number', () => {
  const failedJob = end(failed, 'g/one');
  const warnedJob = end(warned, 'g/two');
  expect(attention.failedJobGroups(filter)).toEqual({
    entries: [
      {
        jobKind: 'export',
        instance: 'source',
        error,
        total: 1,
        jobs: [{ jobId: failedJob.id, project: 'g/one' }],
        isUnprotected: true,
      },
    ],
    total: 1,
  });
  expect(attention.jobsWithWarnings(filter)).toEqual({
    entries: [
      {
        jobId: warnedJob.id,
        jobKind: 'export',
        instance: 'source',
        project: 'g/two',
        warnings: 2,
        messages: ['m', 'm'],
      },
    ],
    total: 1,
  });
});

test('only the newest of many failures of one project is reported, also after a cancelled job and while a job is queued', () => {
  end(failed);
  const newest = end(failed, 'G/P');
  expect(failures()).toEqual([newest.id]);
  end({ status: 'cancelled', by: 'me' });
  queuedJob(jobs, 'g/p');
  expect(failures()).toEqual([newest.id]);
});

test('a later success of the same project clears a failure; a success of another project or instance does not', () => {
  const job = end(failed);
  end(succeeded, 'g/other');
  end(succeeded, 'g/p', 100, 'target');
  expect(failures()).toEqual([job.id]);
  end(succeeded, 'G/p');
  expect(failures()).toEqual([]);
});

test('warnings are reported until the next backup succeeds', () => {
  const job = end(warned);
  expect(warnings()).toEqual([job.id]);
  end(succeeded);
  expect(warnings()).toEqual([]);
});

test('a later failure does not clear warnings', () => {
  const job = end(warned);
  end(failed);
  expect(warnings()).toEqual([job.id]);
});

test.each([
  ['relation-import', { relation: 'issues' }, { relation: 'milestones' }],
  ['change', { change: { kind: 'archive' } }, { change: { kind: 'star' } }],
] as const)('a failed %s is cleared only by a success of the same work', (kind, input, other) => {
  const done = (state: JobState, what: object): string => {
    const [id, runId] = [jobs.newId(1), jobs.newId(1)];
    jobs.createRun({ id: runId, kind, request: {}, at: 1 });
    const draft = { id, runId, kind, instance: 'source', project: 'g/p', firstStep: 'send', at: 1 };
    const { job } = jobs.enqueue({ ...draft, input: what });
    jobs.change(id, job.revision, { state, event: { type: 'end', message: '' }, at: 100 });
    return id;
  };
  const id = done(failed, input);
  done(succeeded, other);
  expect(failures()).toEqual([id]);
  done(succeeded, input);
  expect(failures()).toEqual([]);
});

test('a backup that was skipped because nothing has changed clears a failure but no warnings', () => {
  const skipped: JobState = { status: 'skipped', why: 'Nothing has changed.' };
  const job = end(failed, 'g/p');
  const suspicious = end(warned, 'g/q');
  expect(failures()).toEqual([job.id]);
  end(skipped, 'g/p');
  end(skipped, 'g/q');
  expect(failures()).toEqual([]);
  expect(warnings()).toEqual([suspicious.id]);
});

test('an import is reported until its failures are settled and account for everything that it lost', () => {
  const relationFailed = {
    code: 'relation-failed',
    severity: 'warning' as const,
    message: 'm',
    where: 'issues:3',
  };
  const lost = { ...relationFailed, code: 'lost-at-import', where: 'issues' };
  const imported = (serverId: number, project: string, lostRelation: string): string => {
    const at = 100;
    const runId = jobs.newId(at);
    jobs.createRun({ id: runId, kind: 'import', request: {}, at });
    const work = { kind: 'import' as const, instance: 'target', project, input: {}, firstStep: 'prepare' };
    const { id, revision } = jobs.enqueue({ ...work, id: jobs.newId(at), runId, at }).job;
    const state: JobState = {
      status: 'succeeded',
      warnings: [relationFailed, { ...lost, where: lostRelation }],
    };
    jobs.change(id, revision, { state, event: { type: 'end', message: '' }, at });
    const from = {
      importJob: id,
      instance: 'target',
      project,
      projectId: 1,
      archiveId: null,
      archivePath: null,
    };
    const relation = { relation: 'issues', line: 3, source: 's', createdAt: '2026-11-20T12:00:00Z' };
    ledger.addListed(from, [{ ...relation, id: serverId, exceptionClass: 'E', exceptionMessage: null }], at);
    return id;
  };
  const explained = imported(1, 'g/one', 'issues');
  const unexplained = imported(2, 'g/other', 'labels');
  expect(warnings()).toEqual([unexplained, explained]);
  for (const job of [explained, unexplained]) {
    const refs = ledger.findByImport(job).map(({ ref }) => ref);
    ledger.setState(refs, 'accepted', null, 101);
  }
  expect(warnings()).toEqual([unexplained]);
});

test('an import whose losses were all accepted is neither reported nor counted', () => {
  const [acceptedImport, reportedImport] = [end(warned, 'g/one'), end(warned, 'g/other')];
  expect(attention.jobsWithWarnings(filter, [acceptedImport.id])).toMatchObject({
    entries: [{ jobId: reportedImport.id }],
    total: 1,
  });
  expect(attention.jobsWithWarnings(filter, [])).toMatchObject({ total: 2 });
});

test('old jobs and jobs of removed instances are left out', () => {
  end(failed, 'g/old', 50);
  end(warned, 'g/old-too', 50);
  const job = end(failed, 'g/new', 51);
  end(failed, 'g/p', 60, 'gone');
  expect(attention.failedJobGroups({ ...filter, since: 50 })).toMatchObject({
    entries: [{ jobs: [{ jobId: job.id }] }],
    total: 1,
  });
  expect(attention.jobsWithWarnings({ ...filter, since: 50 })).toEqual({ entries: [], total: 0 });
});

test('failures of one instance with the same code are one entry, with the error of the newest', () => {
  const first = end(failed, 'g/a');
  const other = end({ status: 'failed', error: { ...error, code: 'forbidden' } }, 'g/b');
  const elsewhere = end(failed, 'g/a', 100, 'target');
  const newest = end({ status: 'failed', error: { ...error, message: 'newer' } }, 'g/c');
  expect(attention.failedJobGroups(filter)).toMatchObject({
    entries: [
      {
        instance: 'source',
        error: { code: 'export-failed', message: 'newer' },
        total: 2,
        jobs: [
          { jobId: newest.id, project: 'g/c' },
          { jobId: first.id, project: 'g/a' },
        ],
      },
      { instance: 'target', total: 1, jobs: [{ jobId: elsewhere.id }] },
      { instance: 'source', error: { code: 'forbidden' }, total: 1, jobs: [{ jobId: other.id }] },
    ],
    total: 3,
  });
});

test('an entry names at most 100 jobs and counts all of them', () => {
  for (let number = 1; number <= 102; number += 1) end(failed, `g/p${number}`);
  const [entry] = attention.failedJobGroups(filter).entries;
  expect(entry?.total).toBe(102);
  expect(entry?.jobs).toHaveLength(100);
  expect(entry?.jobs[0]?.project).toBe('g/p102');
});

test('the messages of the first three warnings of a job are reported, and all warnings are counted', () => {
  const four = [1, 2, 3, 4].map((number) => ({ ...warning, message: `m${number}` }));
  end({ status: 'succeeded', warnings: four });
  expect(attention.jobsWithWarnings(filter).entries).toMatchObject([
    { warnings: 4, messages: ['m1', 'm2', 'm3'] },
  ]);
});

test('entries beyond the limit are counted', () => {
  for (const project of ['g/a', 'g/b', 'g/c']) end(warned, project);
  expect(attention.jobsWithWarnings({ ...filter, limit: 2 })).toMatchObject({
    entries: { length: 2 },
    total: 3,
  });
  const codes = ['export-failed', 'forbidden', 'disk-full'] as const;
  for (const code of codes) end({ status: 'failed', error: { ...error, code } }, code);
  expect(attention.failedJobGroups({ ...filter, limit: 2 })).toMatchObject({
    entries: { length: 2 },
    total: 3,
  });
});

test('open jobs are counted by status, for all instances or for one', () => {
  queuedJob(jobs, 'g/a');
  queuedJob(jobs, 'g/b', 'target');
  const job = queuedJob(jobs, 'g/c');
  jobs.change(job.id, job.revision, {
    state: { status: 'running', since: 1 },
    event: { type: 'claim', message: '' },
    at: 1,
  });
  end(failed, 'g/d');
  expect(attention.countOpenByStatus()).toEqual({ queued: 2, running: 1 });
  expect(attention.countOpenByStatus('source')).toEqual({ queued: 1, running: 1 });
});

test('a failed revocation of a missing token is not reported; a revocation that was forbidden is', () => {
  const revoke = (code: 'not-found' | 'forbidden'): string => {
    const [id, run] = [jobs.newId(1), jobs.newId(1)];
    jobs.createRun({ id: run, kind: 'token', request: {}, at: 1 });
    const draft = { id, runId: run, kind: 'token' as const, instance: 'source', project: `token ${id}` };
    const { job } = jobs.enqueue({ ...draft, input: { action: 'revoke', id: 9 }, firstStep: 'send', at: 1 });
    const state: JobState = { status: 'failed', error: { ...error, code } };
    jobs.change(id, job.revision, { state, event: { type: 'end', message: '' }, at: 100 });
    return id;
  };
  revoke('not-found');
  const denied = revoke('forbidden');
  expect(failures()).toEqual([denied]);
});

test('a single change that was refused for its input is not reported; any other failure is, also of a change in a larger run', () => {
  const change = (code: string, runId?: string): string => {
    const id = jobs.newId(1);
    const run = runId ?? jobs.newId(1);
    if (runId === undefined) jobs.createRun({ id: run, kind: 'change', request: {}, at: 1 });
    const project = `g/${id}`;
    const draft = { id, runId: run, kind: 'change' as const, instance: 'source', project };
    const { job } = jobs.enqueue({ ...draft, input: {}, firstStep: 'send', at: 1 });
    const refused = { ...error, code: code as typeof error.code };
    const state: JobState = { status: 'failed', error: refused };
    jobs.change(id, job.revision, { state, event: { type: 'end', message: '' }, at: 100 });
    return id;
  };
  for (const code of ['request-refused', 'invalid-input', 'path-taken']) change(code);
  const denied = change('forbidden');
  expect(failures()).toEqual([denied]);
  const run = jobs.newId(1);
  jobs.createRun({ id: run, kind: 'change', request: {}, at: 1 });
  const several = [change('request-refused', run), change('request-refused', run)];
  expect(failures().toSorted()).toEqual([denied, ...several].toSorted());
});

test('a failed backup of a listed project without an archive is reported, however old it is and even if it was dismissed', async () => {
  const instance = { name: 'source', url: 'https://gitlab.example.com' };
  const project = newProject(7, 'group/project');
  await new ProjectListStore(catalogue).replace(instance, [[project]], 1);
  const job = end(failed, project.fullPath);
  const later = { ...filter, since: 1_000 };
  const reported = () =>
    attention.failedJobGroups(later).entries.flatMap(({ jobs }) => jobs.map(({ jobId }) => jobId));
  expect(reported()).toEqual([job.id]);
  catalogue.run('INSERT INTO dismissals (subject, item, at) VALUES (?, ?, ?)', `job ${job.id}`, 'item', 1);
  expect(reported()).toEqual([job.id]);
  const archive = newArchive(1, { instanceUrl: instance.url, projectId: 7, fullPath: project.fullPath });
  new ArchiveIndex(catalogue, { pathOf: () => '/archives', isAbsent: () => false }).insert(
    archive,
    manifestFor(archive),
  );
  expect(reported()).toEqual([]);
});
