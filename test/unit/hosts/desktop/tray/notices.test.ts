import { describe, expect, test } from 'vitest';
import { noticeOf } from '../../../../../src-main/hosts/desktop/tray/notices.ts';
import type { Finding } from '../../../../../src-contract/archives/archive.ts';
import type { ErrorCode } from '../../../../../src-contract/errors.ts';
import type { Job, JobState } from '../../../../../src-contract/runs/job.ts';

const job = (project: string, state: JobState, kind: Job['kind'] = 'export'): Job => ({
  id: project,
  runId: 'r1',
  kind,
  instance: 'home',
  project,
  state,
  step: null,
  attempt: 0,
  createdAt: 0,
  updatedAt: 0,
  revision: 1,
  input: null,
  result: null,
  progress: null,
});
const good: JobState = { status: 'succeeded', warnings: [] };
const warned: JobState = { status: 'succeeded', warnings: [{} as Finding] };
const lessIssues = 'Older archives were kept: the new archive holds 3 issues, an earlier archive holds 40.';
const shrank: JobState = {
  status: 'succeeded',
  warnings: [{ code: 'archive-shrank', severity: 'warning', message: lessIssues, where: 'issues' }],
};
const failed = (code: ErrorCode): JobState => ({
  status: 'failed',
  error: { code, message: '', retry: 'never', details: {} },
});
const cancelled: JobState = { status: 'cancelled', by: 'me' };
const skipped: JobState = { status: 'skipped', why: '' };

const seeActivity = 'Open Activity to see the details.';
const noSpace = 'There is not enough space on the disk.';

describe('one notice is shown for a run', () => {
  test.each([
    ['of one project', [job('a/b', good)], 'a/b is backed up', ''],
    ['of many projects', [job('a', good), job('b', good)], '2 projects are backed up', ''],
    ['of an import', [job('a/b', good, 'import')], 'a/b is imported', ''],
    ['with warnings', [job('a/b', warned)], 'a/b is backed up, with warnings', seeActivity],
    [
      'with warnings for some projects',
      [job('a', warned), job('b', good)],
      '2 projects are backed up, 1 with warnings',
      seeActivity,
    ],
    [
      'with an archive that shrank',
      [job('a/b', shrank)],
      'a/b is backed up, but looks suspicious',
      lessIssues,
    ],
    [
      'with some archives that shrank',
      [job('a', shrank), job('b', good), job('c', shrank)],
      '2 of the new archives look suspicious',
      `a: ${lessIssues}`,
    ],
    ['of one project that failed', [job('a/b', failed('disk-full'))], 'a/b was not backed up', noSpace],
    [
      'in which some projects failed',
      [job('a', failed('disk-full')), job('b', good)],
      '1 of 2 projects were not backed up',
      noSpace,
    ],
    [
      'that failed for different reasons',
      [job('a', failed('disk-full')), job('b', failed('token-expired')), job('c', good)],
      '2 of 3 projects were not backed up',
      seeActivity,
    ],
    [
      'without its cancelled and skipped jobs',
      [job('a', good), job('b', cancelled), job('c', skipped)],
      'a is backed up',
      '',
    ],
  ])('%s', (_what, jobs, title, body) => {
    expect(noticeOf(jobs, 'all')).toEqual({ title, body, target: { what: 'run', id: 'r1' } });
  });

  test('of a hundred jobs', () => {
    const jobs = Array.from({ length: 100 }, (_, n) => job(`p${n}`, good));
    expect(noticeOf(jobs, 'all')).toMatchObject({ title: '100 projects are backed up', body: '' });
  });
});

describe('the notification level decides whether a run is reported', () => {
  const cases = [
    ['a successful run', [job('a', good)], { all: true, problems: false, none: false }],
    ['a run with warnings', [job('a', warned)], { all: true, problems: true, none: false }],
    ['a failed run', [job('a', failed('disk-full'))], { all: true, problems: true, none: false }],
    ['a cancelled run', [job('a', cancelled)], { all: false, problems: false, none: false }],
  ] as const;
  test.each(cases)('%s', (_what, jobs, reported) => {
    for (const level of ['all', 'problems', 'none'] as const) {
      expect(noticeOf(jobs, level) !== null, level).toBe(reported[level]);
    }
  });
});
