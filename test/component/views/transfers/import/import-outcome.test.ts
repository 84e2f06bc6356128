import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import type { ImportInput, ImportResult, Job, JobState } from '../../../../../src-contract/runs/job.ts';
import { liveJobs } from '../../../../../src-renderer/data/calls/live-jobs.svelte.ts';
import { router } from '../../../../../src-renderer/data/places/router.svelte.ts';
import type { JobFields } from '../../../support/examples.ts';
import { expectAccessible, fails, scriptWindow } from '../../../support/window.ts';
import { payload, script, show, stored } from './import-window.ts';

const at = Date.parse('2026-11-20T08:00:00.000Z');
const input: ImportInput = {
  source: { kind: 'file' },
  archivePath: stored.absolutePath,
  sha256: stored.sha256,
  sizeBytes: 10_000_000,
  namespace: 'mel',
  path: 'app',
  name: null,
  overwrite: false,
  overrideParams: {},
  archiveId: 'archive-1',
};

const job = (state: JobState, change: JobFields<'import'> = {}): Job => ({
  id: 'job-1',
  runId: 'run-1',
  kind: 'import',
  instance: 'new',
  project: 'mel/app',
  state,
  step: 'send',
  attempt: 1,
  createdAt: at,
  updatedAt: at,
  revision: 1,
  input,
  result: null,
  progress: null,
  ...change,
});

const steps = {
  steps: [
    { name: 'prepare', state: 'done' as const, attempt: 1, startedAt: at, finishedAt: at + 2000 },
    { name: 'send', state: 'running' as const, attempt: 1, startedAt: at + 2000, finishedAt: null },
    { name: 'wait', state: 'next' as const, attempt: 0, startedAt: null, finishedAt: null },
  ],
};

test('a running import shows its steps and its progress, and can be cancelled', async () => {
  const running = job(
    { status: 'running', since: at },
    { progress: { step: 'send', unit: 'bytes', done: 2_500_000, total: 10_000_000 } },
  );
  const bridge = scriptWindow(
    script({
      'job.show': running,
      'job.steps': steps,
      'job.list': { jobs: [running], next: null },
      'job.cancel': job({ status: 'cancelling', by: 'the window' }, { revision: 2 }),
    }),
  );
  onTestFinished(liveJobs.follow());
  await show({ job: 'job-1' });
  await expect
    .element(page.getByRole('list', { name: 'Steps' }).getByText('Sending the archive'))
    .toBeVisible();
  await expect.element(page.getByText('2.5 MB of 10 MB')).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the import' }).click();
  await expect.poll(() => bridge.asked('job.cancel')).toMatchObject([{ job: 'job-1' }]);
});

test('a failed import states what to do, and is retried as a new job', async () => {
  const bridge = scriptWindow(
    script({
      'job.show': job(
        {
          status: 'failed',
          error: {
            code: 'connection-lost',
            message: 'The connection was lost.',
            retry: 'later',
            details: {},
          },
        },
        { step: null },
      ),
      'job.steps': steps,
      'job.retry': { runId: 'run-2', jobId: 'job-2' },
    }),
  );
  await show({ job: 'job-1' });
  await expect.element(page.getByText('The connection was lost.')).toBeVisible();
  await expect.element(page.getByText(/^Check the network/)).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => router.parameter('job')).toBe('job-2');
  expect(bridge.asked('job.retry')).toEqual([{ job: 'job-1' }]);
});

test('an import that was already retried leads to the newer attempt and cannot be retried', async () => {
  const error = { code: 'connection-lost' as const, message: 'Lost.', retry: 'later' as const, details: {} };
  const failed = job({ status: 'failed', error }, { step: null });
  const newest = { ...failed, id: 'job-2' };
  scriptWindow(
    script({ 'job.show': failed, 'job.steps': steps, 'job.list': { jobs: [newest, failed], next: null } }),
  );
  await show({ job: 'job-1' });
  const link = page.getByRole('link', { name: 'Show the newer attempt' });
  await expect.element(link).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
  await link.click();
  await expect.poll(() => router.parameter('job')).toBe('job-2');
});

const result: ImportResult = {
  projectId: 9,
  fullPath: 'mel/app',
  webUrl: 'https://new.example.com/mel/app',
  correlationId: null,
  failures: [
    {
      failure: {
        id: 1,
        createdAt: '2026-11-20T08:01:00.000Z',
        exceptionClass: 'ActiveRecord::RecordInvalid',
        exceptionMessage: null,
        source: 'process_relation_item!',
        relation: 'milestones',
        line: 3,
      },
      record: {
        relation: 'milestones',
        line: 3,
        text: '{}',
        truncated: false,
        value: { title: null, iid: 999, description: payload },
      },
    },
  ],
  reconciliation: {
    at: '2026-11-20T08:02:00.000Z',
    depth: 'fields',
    reconciled: false,
    rows: [{ relation: 'milestones', source: 4, archive: 4, target: 3, verdict: 'lost-on-import' }],
    missing: [],
    missingCount: 0,
    settings: [],
    declared: [],
    notCompared: [],
  },
  notTaken: [],
};

test('an ended import shows what arrived, what failed and the failed record', async () => {
  scriptWindow(
    script({
      'job.show': job(
        {
          status: 'succeeded',
          warnings: [
            { code: 'relation-failed', severity: 'warning', message: 'said below', where: null },
            { code: 'other', severity: 'warning', message: 'Something else', where: null },
          ],
        },
        { step: null, result },
      ),
      'job.steps': steps,
    }),
  );
  await show({ job: 'job-1' });
  await expect.element(page.getByText('Not everything arrived')).toBeVisible();
  await expect.element(page.getByText('1 lost on import')).toBeVisible();
  await expect.element(page.getByText(payload)).toBeVisible();
  await expect.element(page.getByText('Something else')).toBeVisible();
  await expect.element(page.getByText('said below')).not.toBeInTheDocument();
  await expectAccessible();
  await page.getByRole('button', { name: 'Check again' }).click();
  expect([router.view, router.parameter('url'), router.parameter('archive')]).toEqual([
    'check',
    'https://new.example.com/mel/app',
    'archive-1',
  ]);
  expect(document.title).not.toBe('ran');
});

test('a missing job is reported', async () => {
  scriptWindow(script({ 'job.show': fails('job-missing'), 'job.steps': fails('job-missing') }));
  await show({ job: 'job-9' });
  await expect.element(page.getByRole('alert').first()).toBeVisible();
});
