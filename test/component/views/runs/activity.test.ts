import { afterEach, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { ParsedRequest } from '../../../../src-contract/calls.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import type { Job } from '../../../../src-contract/runs/job.ts';
import { liveJobs } from '../../../../src-renderer/data/calls/live-jobs.svelte.ts';
import { toasts } from '../../../../src-renderer/data/toasts.svelte.ts';
import { router, type RouteParameters } from '../../../../src-renderer/data/places/router.svelte.ts';
import ActivityView from '../../../../src-renderer/views/runs/ActivityView.svelte';
import { examplePlan } from '../../support/overview-examples.ts';
import { expectAccessible, fails, scriptWindow, type Script } from '../../support/window.ts';
import { showView } from '../show-view.ts';
import { job, run, steps } from './jobs.ts';

const payload = '<img src=x onerror="document.title=\'ran\'">';
const soon = Date.now() + 120_000;

const running = job(
  1,
  { status: 'running', since: Date.now() - 5000 },
  {
    step: 'store',
    progress: { step: 'store', unit: 'bytes', done: 25_000_000, total: 100_000_000 },
  },
);
const waiting = job(2, { status: 'waiting', until: soon, reason: 'rate-limited', text: '' });
const failed = job(4, { status: 'failed', error: new AppError('disk-full', 'no space').toData() });

/** Returns `job.list` replies from all jobs, as the app does. */
function listOf(all: readonly Job[]) {
  return ({ runId, status, before, limit }: ParsedRequest<'job.list'>) => {
    const open = ['queued', 'running', 'waiting', 'cancelling'];
    const matching = all.filter(
      (entry) =>
        (runId === null || entry.runId === runId) &&
        (status === null ||
          (status === 'open' ? open.includes(entry.state.status) : entry.state.status === status)),
    );
    const from = before === null ? 0 : matching.findIndex(({ id }) => id === before) + 1;
    const jobs = matching.slice(from, from + limit);
    return { jobs, next: from + limit < matching.length ? (jobs.at(-1)?.id ?? null) : null };
  };
}

const script = (all: readonly Job[], change: Script = {}): Script => ({
  'job.list': listOf(all),
  'job.show': ({ job: id }) => all.find((entry) => entry.id === id) ?? fails('job-missing'),
  'job.steps': { steps },
  'job.log': { events: [] },
  'run.list': { runs: [], next: null },
  'plan.list': { plans: [] },
  ...change,
});

let unfollow = (): void => undefined;
/** Shows the view and follows the open jobs, as the frame does. */
async function show(parameters: RouteParameters = {}): Promise<void> {
  await showView(ActivityView, 'activity', { parameters });
  unfollow = liveJobs.follow();
}
afterEach(() => {
  unfollow();
});

const panel = page.getByRole('complementary');
const dialog = page.getByRole('dialog');

test('the queue shows the running jobs, why and until when others wait, and the queued jobs', async () => {
  scriptWindow(script([job(3, { status: 'queued' }), waiting, running]));
  await show();
  await expect
    .element(page.getByRole('list', { name: 'Running' }).getByText('25 MB of 100 MB'))
    .toBeVisible();
  await expect.element(page.getByRole('list', { name: 'Running' }).getByText('step 6 of 7')).toBeVisible();
  const waits = page.getByRole('list', { name: 'Waiting' });
  await expect.element(waits.getByText(/GitLab limits the rate of requests/)).toBeVisible();
  await expect.element(waits.getByText(/in 1 minute|in 2 minutes/)).toBeVisible();
  await expect.element(page.getByRole('list', { name: 'Queued' }).getByText('group/project-3')).toBeVisible();
  await expectAccessible();
});

test('the queue shows that it is loading, or the error', async () => {
  const answer = Promise.withResolvers<ReturnType<typeof fails>>();
  scriptWindow(script([], { 'job.list': () => answer.promise }));
  await show();
  const queue = page.getByRole('region', { name: 'Running and waiting jobs' });
  await expect.element(queue).toHaveAttribute('data-state', 'loading');
  answer.resolve(fails('page-disconnected'));
  await expect.element(page.getByRole('alert')).toBeVisible();
  await expectAccessible();
});

test('an empty queue leads to the projects that can be backed up', async () => {
  scriptWindow(script([]));
  await show();
  await expect.element(page.getByText('Nothing is running')).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Choose projects to back up' }).click();
  expect(window.location.hash).toMatch(/^#\/projects/);
});

test('the dialog states what continues on the server before a job is cancelled', async () => {
  const cancelled = { ...running, state: { status: 'cancelling' as const, by: 'the window' } };
  const bridge = scriptWindow(script([running], { 'job.cancel': cancelled }));
  await show();
  await page.getByRole('list', { name: 'Running' }).getByRole('button', { name: 'Cancel' }).click();
  await expect
    .element(dialog.getByText(/Incomplete files are removed.*GitLab may still finish the export/))
    .toBeVisible();
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Keep it running' }).click();
  expect(bridge.asked('job.cancel')).toEqual([]);

  await page.getByRole('list', { name: 'Running' }).getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByRole('button', { name: 'Cancel the backup' }).click();
  await expect.poll(() => bridge.asked('job.cancel')).toEqual([{ job: 'job-1', by: 'the window' }]);
  await expect.poll(() => dialog.query()).toBeNull();
});

test('a job shows its steps with attempts and durations, and its log', async () => {
  scriptWindow(
    script([running], {
      'job.log': ({ afterId }) => ({
        events:
          afterId >= 2
            ? []
            : [
                { id: 1, jobId: 'job-1', at: 1_795_161_600_000, type: 'claim', message: 'Began.' },
                {
                  id: 2,
                  jobId: 'job-1',
                  at: 1_795_161_601_000,
                  type: 'step-done',
                  message: `Counted ${payload}`,
                },
              ],
      }),
    }),
  );
  await show({ job: 'job-1' });
  await expect.element(panel.getByRole('heading', { name: 'Backup of group/project-1' })).toBeVisible();
  await expect.element(panel.getByText(/^done · 1 min, 3 secs? · 3 attempts$/)).toBeVisible();
  await expect.element(panel.getByText(`Counted ${payload}`)).toBeVisible();
  await expect.element(panel.getByText('Step done')).toBeVisible();
  await expect.element(panel.getByText('step-done')).not.toBeInTheDocument();
  // Dates have the same format as everywhere in the window.
  const log = panel.getByRole('list', { name: 'Lines of the log, oldest first' });
  expect(log.getByRole('time').first().element().textContent).toMatch(/^20 Nov 2026, /);
  await expectAccessible();
  await panel.getByRole('searchbox').fill('began');
  await expect.element(panel.getByText('Began.')).toBeVisible();
  await expect.poll(() => panel.getByText(`Counted ${payload}`).query()).toBeNull();
  expect(document.title).not.toBe('ran');
});

test('a long log is read to its end and shown in portions', async () => {
  const all = Array.from({ length: 1200 }, (_, at) => ({
    id: at + 1,
    jobId: 'job-1',
    at: 1_795_161_600_000 + at,
    type: 'step',
    message: `line ${at + 1}`,
  }));
  const bridge = scriptWindow(
    script([running], {
      'job.log': ({ afterId, limit }) => ({
        events: all.filter(({ id }) => id > afterId).slice(0, limit),
      }),
    }),
  );
  await show({ job: 'job-1' });
  await expect.element(panel.getByText('line 1200', { exact: true })).toBeVisible();
  expect(bridge.asked('job.log').map(({ afterId }) => afterId)).toEqual([0, 500, 1000]);
  const lines = panel.getByRole('list', { name: 'Lines of the log, oldest first' });
  expect(lines.element().children).toHaveLength(200);
  await panel.getByRole('button', { name: 'Show 200 earlier lines' }).click();
  expect(lines.element().children).toHaveLength(400);

  // New lines are requested when the job changes.
  all.push({ id: 1201, jobId: 'job-1', at: 1_795_161_700_000, type: 'step', message: 'line 1201' });
  bridge.emit('job.changed', { jobId: 'job-1', runId: 'run-1', revision: 2 });
  await expect.element(panel.getByText('line 1201', { exact: true })).toBeVisible();
  expect(bridge.asked('job.log').at(-1)?.afterId).toBe(1200);
});

test('a failed job states why and what to do, and can be run again', async () => {
  const again = job(9, { status: 'queued' });
  const bridge = scriptWindow(script([failed, again], { 'job.retry': { runId: 'run-2', jobId: 'job-9' } }));
  await show({ run: 'run-1', job: 'job-4' });
  await expect.element(panel.getByText('There is not enough space on the disk.')).toBeVisible();
  await expect.element(panel.getByText(/^Free some space or choose another archive folder/)).toBeVisible();
  await expectAccessible();
  await panel.getByRole('button', { name: 'Run again' }).click();
  await expect.element(panel.getByRole('heading', { name: 'Backup of group/project-9' })).toBeVisible();
  expect(bridge.asked('job.retry')).toEqual([{ job: 'job-4' }]);
});

test('a job that was already retried leads to the newer attempt and cannot be run again', async () => {
  const again = { ...job(9, { status: 'queued' }), project: failed.project };
  const other = job(8, { status: 'queued' }, { kind: 'import', project: failed.project });
  scriptWindow(script([again, other, failed]));
  await show({ job: 'job-4' });
  await panel.getByRole('button', { name: 'Show the newer attempt' }).click();
  await expect.poll(() => router.parameter('job')).toBe('job-9');
  await expect.element(panel.getByRole('button', { name: 'Run again' })).not.toBeInTheDocument();
});

test('a finished import states whether everything arrived, and compares it on request', async () => {
  const result = {
    projectId: 7,
    fullPath: `mel/${payload}`,
    webUrl: 'https://gitlab.example.com/mel/app',
    correlationId: null,
    failures: [],
    reconciliation: {
      at: '2026-11-20T08:05:00.000Z',
      depth: 'fields' as const,
      reconciled: false,
      rows: [{ relation: 'issues', source: 5, archive: 5, target: 4, verdict: 'lost-on-import' as const }],
      ...{ missing: [], missingCount: 0, settings: [], declared: [], notCompared: [] },
    },
    notTaken: [],
  };
  const input = {
    source: { kind: 'file' as const },
    archivePath: '/archives/a.tar.gz',
    sha256: 'a'.repeat(64),
    sizeBytes: 5,
    namespace: 'mel',
    path: 'app',
    name: null,
    overwrite: false,
    overrideParams: {},
    archiveId: 'archive-1',
  };
  scriptWindow(script([job(6, { status: 'succeeded', warnings: [] }, { kind: 'import', result, input })]));
  await show({ job: 'job-6' });
  await expect.element(panel.getByText('Not everything arrived')).toBeVisible();
  await expect
    .element(panel.getByRole('link', { name: 'Check this import again' }))
    .toHaveAttribute('href', '#/check?url=https%3A%2F%2Fgitlab.example.com%2Fmel%2Fapp&archive=archive-1');
  await panel.getByRole('button', { name: 'Compare source, archive and target…' }).click();
  await expect.element(dialog.getByRole('row', { name: /Issues 5 5 4/ })).toBeVisible();
  await expectAccessible();
  expect(document.title).not.toBe('ran');
});

test('a run shows its jobs, and each job leads to its details and back', async () => {
  const done = job(5, { status: 'succeeded', warnings: [] });
  const runs = [
    run(1, {
      outcome: 'partly-failed',
      jobs: { failed: 1, succeeded: 1 },
      leftOut: { count: 3, projects: [`left/${payload}`] },
    }),
  ];
  const bridge = scriptWindow(script([failed, done], { 'run.list': { runs, next: null } }));
  await show({ part: 'history' });
  const grid = page.getByRole('grid', { name: 'Runs' });
  await expect.element(grid.getByText('Backup of 2 projects')).toBeVisible();
  await expect.element(grid.getByText('1 failed · 1 done')).toBeVisible();
  (grid.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(panel.getByText(/3 projects left out/)).toBeVisible();
  await expect.element(panel.getByText(`left/${payload}`)).toBeVisible();
  await expectAccessible();

  await panel.getByLabelText('Which jobs').selectOptions('Failed (1)');
  await expect
    .poll(() => bridge.asked('job.list').at(-1))
    .toMatchObject({ runId: 'run-1', status: 'failed' });
  const link = panel.getByRole('link', { name: 'group/project-4' });
  await expect.element(link).toHaveAttribute('href', '#/activity?run=run-1&job=job-4');
  onTestFinished(router.follow());
  await link.click();
  await expect.element(panel.getByRole('heading', { name: 'Backup of group/project-4' })).toBeVisible();
  await panel.getByRole('button', { name: 'Back to the run' }).click();
  await expect.element(panel.getByText(/3 projects left out/)).toBeVisible();
});

test('a run in progress shows its progress, and is cancelled as a whole after a confirmation', async () => {
  const open = run(1, {
    planId: 'p1',
    outcome: 'running',
    endedAt: null,
    bytes: 3_200_000,
    jobs: { succeeded: 9, failed: 1, running: 4, queued: 26 },
    createdAt: new Date(Date.now() - 125_000).toISOString(),
  });
  const bridge = scriptWindow(
    script([running], {
      'run.list': { runs: [open], next: null },
      'run.forecast': { forecast: null },
      'plan.list': { plans: [examplePlan({ name: 'nightly' })] },
      'run.cancel': {
        runId: 'run-1',
        cancelled: 26,
        stopping: 3,
        refused: [
          {
            project: 'token',
            error: new AppError('job-busy', 'The request was already sent to GitLab.').toData(),
          },
        ],
      },
    }),
  );
  await show({ run: 'run-1' });
  await expect.element(panel.getByText('10 of 40 ended')).toBeVisible();
  await expect.element(panel.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25');
  await expect.element(panel.getByText('3.2 MB')).toBeVisible();
  await expect.element(panel.getByText(/^2 mins?, \d+ secs?$/)).toBeVisible();
  await expect.element(panel.getByText('plan nightly')).toBeVisible();
  await expect.element(panel.getByText(/step 6 of 7/)).toBeVisible();
  await expectAccessible();

  await panel.getByRole('button', { name: 'Cancel all…' }).click();
  await expect.element(dialog.getByRole('heading', { name: 'Cancel 30 jobs?' })).toBeVisible();
  await expect.element(dialog.getByText(/Jobs that have ended keep their results/)).toBeVisible();
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Keep it running' }).click();
  expect(bridge.asked('run.cancel')).toEqual([]);
  await panel.getByRole('button', { name: 'Cancel all…' }).click();
  await dialog.getByRole('button', { name: 'Cancel all', exact: true }).click();
  await expect.poll(() => bridge.asked('run.cancel')).toEqual([{ run: 'run-1', by: 'the window' }]);
  await expect.poll(() => dialog.query()).toBeNull();
  expect(toasts.list.at(-1)?.text).toBe('1 job not cancelled: The request was already sent to GitLab.');
});

test('an ended run shows when it ended and how long it took, and cannot be cancelled', async () => {
  scriptWindow(script([failed], { 'run.list': { runs: [run(1, { bytes: 700 })], next: null } }));
  await show({ run: 'run-1' });
  await expect.element(panel.getByText('2 mins, 5 secs')).toBeVisible();
  await expect.element(panel.getByText('700 B')).toBeVisible();
  await expect.element(panel.getByText('Ended')).toBeVisible();
  expect(panel.getByRole('button', { name: 'Cancel all…' }).query()).toBeNull();
  expect(panel.getByRole('progressbar').query()).toBeNull();
});

test('a run of one job is shown as that job', async () => {
  const runs = [run(1, { jobs: { failed: 1 }, outcome: 'failed', project: 'group/project-4' })];
  scriptWindow(script([failed], { 'run.list': { runs, next: null } }));
  await show({ part: 'history' });
  await page.getByText('Backup of group/project-4').click();
  await expect.element(panel.getByRole('heading', { name: 'Steps' })).toBeVisible();
  expect(panel.getByRole('button', { name: 'Back to the run' }).query()).toBeNull();
});

test('the history grows as it is scrolled down, and events request only its newest runs', async () => {
  const all = Array.from({ length: 1000 }, (_, at) => run(1000 - at));
  const bridge = scriptWindow(
    script([], {
      'run.list': ({ before, limit }) => {
        const from = before === null ? 0 : all.findIndex(({ id }) => id === before) + 1;
        const runs = all.slice(from, from + limit);
        return { runs, next: from + limit < all.length ? (runs.at(-1)?.id ?? null) : null };
      },
    }),
  );
  await show({ part: 'history' });
  const grid = page.getByRole('grid', { name: 'Runs' });
  await expect.element(grid).toHaveAttribute('aria-rowcount', '102');
  (grid.element() as HTMLElement).focus();
  await userEvent.keyboard('{End}');
  await expect.element(grid).toHaveAttribute('aria-rowcount', '202');
  const before = bridge.asked('run.list').length;
  for (let revision = 1; revision <= 2000; revision += 1) {
    bridge.emit('job.changed', { jobId: 'job-1', runId: 'run-1', revision });
  }
  await expect.poll(() => bridge.asked('run.list').length).toBeGreaterThan(before);
  expect(bridge.asked('run.list').length - before).toBeLessThanOrEqual(2);
  expect(bridge.asked('run.list').at(-1)).toEqual({ before: null, limit: 200 });
});

test('an empty history states that there are no runs yet', async () => {
  scriptWindow(script([]));
  await show({ part: 'history' });
  await expect.element(page.getByText('No runs yet')).toBeVisible();
});

test('a user who has checked the target can mark an import whose reply was lost as undelivered', async () => {
  const error = new AppError('import-ambiguous', 'The answer was lost.', {
    details: { project: 'group/app', lostJob: 'job-3' },
  });
  const lost = job(5, { status: 'failed', error: error.toData() }, { kind: 'import', project: 'group/app' });
  const bridge = scriptWindow(script([lost, failed], { 'import.markUndelivered': { target: 'group/app' } }));
  await show({ job: 'job-5' });
  await page.getByRole('button', { name: 'The import did not arrive…' }).click();
  await expect.element(page.getByText('packhorse import not-arrived job-3')).toBeInTheDocument();
  await expectAccessible();
  expect(bridge.asked('import.markUndelivered')).toEqual([]);
  await page.getByRole('button', { name: 'The import did not arrive', exact: true }).click();
  await expect
    .poll(() => bridge.asked('import.markUndelivered'))
    .toEqual([{ job: 'job-3', by: 'the window' }]);
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});

test('a job that failed for another reason cannot be marked as undelivered', async () => {
  scriptWindow(script([failed]));
  await show({ job: 'job-4' });
  await expect
    .element(page.getByRole('button', { name: /log/i }).or(page.getByText('Log')).first())
    .toBeVisible();
  expect(page.getByRole('button', { name: 'The import did not arrive…' }).query()).toBeNull();
});
