import { beforeEach, expect, test } from 'vitest';
import { JobSearch } from '../../../../src-main/catalogue/runs/job-search.ts';
import { JobStore, type NewJob } from '../../../../src-main/catalogue/runs/jobs.ts';
import type { JobState } from '../../../../src-contract/runs/job.ts';
import { catalogueForTest, queuedJob } from '../../../support/catalogue/catalogue.ts';

const at = Date.UTC(2026, 10, 20);
const event = { type: 'changed', message: 'for a test' };
const running: JobState = { status: 'running', since: at };
const failed: JobState = {
  status: 'failed',
  error: { code: 'internal', message: 'm', retry: 'never', details: {} },
};

let jobs: JobStore;
let search: JobSearch;
beforeEach(() => {
  const catalogue = catalogueForTest();
  jobs = new JobStore(catalogue);
  search = new JobSearch(catalogue);
});

function newJob(project: string, input: unknown = { projectId: 1 }): NewJob {
  return { id: jobs.newId(at), kind: 'export', instance: 'source', project, input, firstStep: 'request' };
}

test('jobs are found newest first, page by page, by run, status, instance and project', () => {
  const all = ['a', 'b', 'c', 'd', 'e'].map((name) => queuedJob(jobs, name, name < 'c' ? 'left' : 'right'));
  const newest = all.toReversed();
  const [, b, , d] = all;
  expect(search.find({ limit: 2 })).toEqual(newest.slice(0, 2));
  expect(search.find({ limit: 2, before: d?.id })).toEqual(newest.slice(2, 4));
  expect(search.find({ limit: 9, instance: 'left' })).toEqual(newest.slice(3));
  expect(search.find({ limit: 9, runId: b?.runId })).toEqual([b]);
  const changed = jobs.change(b?.id ?? '', 1, { state: running, event, at });
  expect(search.find({ limit: 9, status: 'running', before: null })).toEqual([changed]);
  expect(search.find({ limit: 9, status: 'open', project: 'B' })).toEqual([changed]);
  const ended = jobs.change(changed.id, 2, { state: failed, event, at });
  expect(search.find({ limit: 9, status: 'open' })).toEqual(newest.filter(({ id }) => id !== ended.id));
  expect(search.find({ limit: 9, status: 'ended' })).toEqual([ended]);
  expect(search.find({ limit: 9, status: 'ended', instance: 'right' })).toEqual([]);
  const again = queuedJob(jobs, 'b', 'left');
  expect(search.find({ limit: 9, instance: 'left', project: 'B' })).toEqual([again, ended]);
});

test('a unique prefix of an id is sufficient; an ambiguous, empty or unknown prefix is refused', () => {
  const [early, late] = ['2aaaa', '2bbbb'];
  const first = queuedJob(jobs);
  for (const [project, id] of [
    ['x', early],
    ['y', late],
  ] as const) {
    jobs.enqueue({ ...newJob(project), id, runId: first.runId, at });
  }
  expect(search.resolveId('2b')).toBe(late);
  expect(search.resolveId(late)).toBe(late);
  expect(() => search.resolveId('2')).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  for (const prefix of ['', 'zzz', '%', "'"]) {
    expect(() => search.resolveId(prefix)).toThrow(expect.objectContaining({ code: 'job-missing' }));
  }
});

test('an archive is in use until the import of it has ended', () => {
  const enqueue = (project: string, kind: 'import' | 'export', input: unknown) => {
    const runId = jobs.newId(at);
    jobs.createRun({ id: runId, kind, request: {}, at });
    return jobs.enqueue({ ...newJob(project, input), kind, runId, at }).job;
  };
  const imported = enqueue('g/a', 'import', { archiveId: 'a1' });
  enqueue('g/b', 'import', { archiveId: 'a2' });
  enqueue('g/c', 'import', { archiveId: null });
  enqueue('g/d', 'export', { archiveId: 'a3' });
  expect(search.archivesInUse()).toEqual(new Set(['a1', 'a2']));
  jobs.change(imported.id, 1, { state: failed, event, at });
  expect(search.archivesInUse()).toEqual(new Set(['a2']));
});

test('a path counts as used if an import reads the archive there, even after the import has ended; an export does not count', () => {
  const { runId } = queuedJob(jobs);
  const enqueue = (project: string, kind: 'import' | 'export', archivePath: string | null) =>
    jobs.enqueue({ ...newJob(project, { archivePath }), kind, runId, at }).job;
  const imported = enqueue('g/a', 'import', '/a_export.tar.gz');
  jobs.change(imported.id, 1, { state: failed, event, at });
  enqueue('g/b', 'export', '/b_export.tar.gz');
  enqueue('g/c', 'import', null);
  expect(search.hasJobFor('/a_export.tar.gz')).toBe(true);
  expect(search.hasJobFor('/b_export.tar.gz')).toBe(false);
});
