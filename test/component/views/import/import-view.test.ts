import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { InstanceCheck } from '../../../../src-preload/contract/instance.ts';
import { paceOf, type Instance } from '../../../../src-preload/contract/instance.ts';
import type { ImportInput, ImportResult, Job, JobState } from '../../../../src-preload/contract/job.ts';
import { liveJobs } from '../../../../src-renderer/state/live-jobs.svelte.ts';
import { router, type RouteParameters } from '../../../../src-renderer/state/router.svelte.ts';
import ImportView from '../../../../src-renderer/views/import/ImportView.svelte';
import { expectAccessible, fails, pending, scriptWindow, type Script } from '../../support/window.ts';
import { archive, archivedProject, described, inspection, projectPages } from '../archives/archives.ts';
import { showView } from '../show-view.ts';

const payload = '<img src=x onerror="document.title=\'ran\'">';

const instance = (name: string): Instance => ({
  name,
  url: `https://${name}.example.com`,
  caFile: null,
  pacePreset: 'gitlab',
  pace: paceOf.gitlab,
  username: 'mel',
  userId: 7,
  administrator: false,
  serverVersion: '18.5.0',
  tokenExpiresOn: null,
  addedAt: '2026-11-01T08:00:00.000Z',
});

const check = (name: string, change: Partial<InstanceCheck> = {}): InstanceCheck => ({
  name,
  url: `https://${name}.example.com`,
  version: '18.5.0',
  userId: 7,
  username: 'mel',
  administrator: false,
  tokenSource: 'session',
  scopes: ['api'],
  expiresOn: '2027-02-01',
  canRead: true,
  canWrite: true,
  clockSkewMs: 0,
  notes: [],
  ...change,
});

const stored = archive(1);
const script = (change: Script = {}): Script => ({
  'instance.list': { instances: [instance('work'), instance('new')] },
  'instance.check': ({ name }) => check(name),
  'archive.projects': projectPages([archivedProject(stored)]),
  'archive.list': { archives: [stored, archive(2)], next: null },
  'archive.show': ({ archive: id }) => described(id === 'archive-2' ? archive(2) : stored),
  'import.start': { runId: 'run-1', jobId: 'job-1', target: 'mel/app' },
  'job.show': pending,
  'job.steps': pending,
  'settings.change': fails('internal'),
  ...change,
});

async function show(parameters: RouteParameters = {}, size: { width?: number; height?: number } = {}) {
  await showView(ImportView, 'import', { parameters, ...size });
  onTestFinished(router.follow());
}

const start = page.getByRole('button', { name: 'Start the import' });

test('a stored archive is found by its project, and its newest is taken', async () => {
  scriptWindow(script());
  await show();
  await expect.element(start).toBeDisabled();
  await expect.element(page.getByText('Choose an archive first.')).toBeVisible();
  await expectAccessible();
  await page.getByRole('searchbox', { name: 'Search stored archives by project' }).fill('app');
  await page.getByRole('button', { name: /^group\/app work/ }).click();
  expect(router.parameter('archive')).toBe('archive-1');
  await page.getByLabelText('Stored', { exact: true }).selectOptions('archive-2');
  expect(router.parameter('archive')).toBe('archive-2');
});

test('the list of stored archives says that it loads, that it is empty, and why it failed', async () => {
  const bridge = scriptWindow(script({ 'archive.projects': pending }));
  await show();
  await expect.element(page.getByRole('status').filter({ hasText: 'Loading…' }).first()).toBeVisible();
  bridge.answer('archive.projects', { projects: [], total: 0 });
  bridge.emit('archive.changed', { archiveId: null, revision: 1 });
  router.go('archives');
  await show();
  await expect.element(page.getByText('Nothing is stored yet')).toBeVisible();
  bridge.answer('archive.projects', fails('catalogue-busy'));
  await show();
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible();
});

test('without an instance it leads to where one is added', async () => {
  scriptWindow(script({ 'instance.list': { instances: [] } }));
  await show({ archive: 'archive-1' });
  await page.getByRole('button', { name: 'Add an instance' }).click();
  expect([router.view, router.parameter('add')]).toEqual(['instances', '1']);
});

test('an import is started as filled in, into another instance than the source unless that is chosen', async () => {
  const bridge = scriptWindow(script());
  await show({ archive: 'archive-1' });
  await expect.element(page.getByLabelText('Instance', { exact: true })).toHaveValue('new');
  await expect
    .element(page.getByText(/Connected as mel, GitLab 18\.5\.0\. The token expires on 1 Feb 2027/))
    .toBeVisible();
  await expect.element(page.getByText('mel/app')).toBeVisible();
  await page.getByLabelText('Group', { exact: true }).fill('/moved/here/');
  await page.getByLabelText('Path', { exact: true }).fill('app-2');
  await page.getByLabelText('Name', { exact: true }).fill('App two');
  await page.getByRole('button', { name: 'Add a setting' }).click();
  await expect.element(page.getByLabelText('Attribute 1')).toHaveFocus();
  await userEvent.keyboard('visibility');
  await page.getByLabelText('Value 1').fill('private');
  await expectAccessible();
  await page.getByText('Equivalent command').click();
  await expect
    .element(
      page.getByText(
        `packhorse import file ${stored.absolutePath} --override visibility=private --instance new --namespace moved/here --path app-2 --name 'App two'`,
      ),
    )
    .toBeVisible();
  await start.click();
  await expect.poll(() => router.parameter('job')).toBe('job-1');
  expect(bridge.asked('import.start')).toEqual([
    {
      instance: 'new',
      archive: 'archive-1',
      namespace: 'moved/here',
      path: 'app-2',
      name: 'App two',
      overwrite: false,
      allowSuspicious: false,
      overrideParams: { visibility: 'private' },
      confirmation: null,
    },
  ]);
});

test('Enter in a field of the target starts the import, without a pointer', async () => {
  const bridge = scriptWindow(script());
  await show({ archive: 'archive-1' });
  await expect.element(start).toBeEnabled();
  page.getByLabelText('Path', { exact: true }).element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => bridge.asked('import.start').length).toBe(1);
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus();
});

test('what is in the way is said, and nothing is started', async () => {
  const bridge = scriptWindow(script());
  await show({ archive: 'archive-1' });
  await page.getByLabelText('Path', { exact: true }).fill('a/b');
  await expect.element(start).toBeDisabled();
  await expect.element(page.getByText(/begin with a letter/).first()).toBeVisible();
  await page.getByLabelText('Path', { exact: true }).fill('ok');
  await page.getByRole('button', { name: 'Add a setting' }).click();
  await page.getByRole('button', { name: 'Add a setting' }).click();
  await page.getByLabelText('Attribute 1').fill('visibility');
  await page.getByLabelText('Attribute 2').fill('visibility');
  await expect.element(page.getByText('Each attribute can be set once.').first()).toBeVisible();
  await expect.element(start).toBeDisabled();
  await page.getByRole('button', { name: 'Remove visibility' }).last().click();
  await expect.element(start).toBeEnabled();
  expect(bridge.asked('import.start')).toEqual([]);
});

test('a token that may only read is refused before anything is sent', async () => {
  scriptWindow(script({ 'instance.check': ({ name }) => check(name, { canWrite: false }) }));
  await show({ archive: 'archive-1' });
  await expect.element(start).toBeDisabled();
  await expect.element(page.getByRole('link', { name: 'Replace the token' })).toBeVisible();
  await expectAccessible();
});

test('a suspicious file is read first, and goes only after an explicit yes', async () => {
  const bridge = scriptWindow(
    script({
      'archive.show': fails('archive-missing'),
      'archive.inspect': inspection({
        verdict: 'suspicious',
        findings: [{ code: 'link', severity: 'warning', message: payload, where: 'x' }],
      }),
    }),
  );
  await show({ archive: '/downloads/2026-11-20_08-00-000_group_app_export.tar.gz' });
  await expect.element(page.getByLabelText('Path', { exact: true })).toHaveValue('group_app');
  await expect.element(page.getByText(payload)).toBeVisible();
  await expect.element(start).toBeDisabled();
  await page.getByLabelText('Import it although it holds odd things').click();
  await expectAccessible();
  await start.click();
  await expect.poll(() => bridge.asked('import.start')).toMatchObject([{ allowSuspicious: true }]);
  expect(document.title).not.toBe('ran');
});

test('a file is read with progress, and that can be stopped', async () => {
  scriptWindow(
    script({
      'archive.show': fails('archive-missing'),
      'archive.inspect': async (_request, { progress, signal }) => {
        progress({ step: 'read', unit: 'bytes', done: 1_000_000, total: 2_000_000 });
        await new Promise((given) => {
          signal.addEventListener('abort', given);
        });
        return fails('cancelled');
      },
    }),
  );
  await show({ archive: '/downloads/app_export.tar.gz' });
  await expect.element(page.getByText('1 MB of 2 MB')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(page.getByText('The reading was stopped.')).toBeVisible();
});

test('a dropped file and a typed path are taken', async () => {
  scriptWindow(script({ 'archive.show': fails('archive-missing'), 'archive.inspect': inspection() }));
  await show();
  await page.getByLabelText('Or type its path').fill('/backups/x_export.tar.gz');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => router.parameter('archive')).toBe('/backups/x_export.tar.gz');
  await page.getByRole('button', { name: 'Choose another archive' }).click();
  const dropped = new DataTransfer();
  dropped.items.add(new File(['x'], 'y_export.tar.gz'));
  page
    .getByRole('group', { name: 'Drop an export archive here' })
    .element()
    .dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }));
  await expect.poll(() => router.parameter('archive')).toBe('/dropped/y_export.tar.gz');
});

test('replacing a project names what is destroyed and needs its path typed', async () => {
  const bridge = scriptWindow(
    script({
      'host.confirm': {
        confirmation: 'word-1',
        destroys: [
          { what: 'project', name: 'mel/app', count: null },
          { what: 'records', name: 'issues', count: 24 },
        ],
      },
    }),
  );
  await show({ archive: 'archive-1' });
  await page.getByLabelText('Replace a project that is already there').click();
  await start.click();
  const dialog = page.getByRole('dialog', { name: 'Replace mel/app?' });
  await expect.element(dialog.getByText(/The project mel\/app on the instance/)).toBeVisible();
  await expect.element(dialog.getByText('24 records of issues')).toBeVisible();
  const confirm = dialog.getByRole('button', { name: 'Replace the project' });
  await expect.element(confirm).toBeDisabled();
  expect(bridge.asked('import.start')).toEqual([]);
  await dialog.getByRole('textbox').fill('app');
  await confirm.click();
  await expect.poll(() => router.parameter('job')).toBe('job-1');
  expect(bridge.asked('host.confirm')).toEqual([
    { action: 'import.overwrite', instance: 'new', project: 'mel/app' },
  ]);
  expect(bridge.asked('import.start')).toMatchObject([{ overwrite: true, confirmation: 'word-1' }]);
});

test('where nothing is there to replace, nothing is asked', async () => {
  const bridge = scriptWindow(script({ 'host.confirm': { confirmation: 'word-2', destroys: [] } }));
  await show({ archive: 'archive-1' });
  await page.getByLabelText('Replace a project that is already there').click();
  await start.click();
  await expect.poll(() => router.parameter('job')).toBe('job-1');
  expect(bridge.asked('import.start')).toMatchObject([{ overwrite: true, confirmation: 'word-2' }]);
});

test('a refused start says why and leaves everything as it was filled in', async () => {
  scriptWindow(script({ 'import.start': fails('namespace-missing') }));
  await show({ archive: 'archive-1' });
  await page.getByLabelText('Group', { exact: true }).fill('nowhere');
  await start.click();
  await expect.element(page.getByRole('alert')).toBeVisible();
  await expect.element(page.getByLabelText('Group', { exact: true })).toHaveValue('nowhere');
});

const at = Date.parse('2026-11-20T08:00:00.000Z');
const input: ImportInput = {
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

const job = (state: JobState, change: Partial<Job> = {}): Job => ({
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

test('an import under way shows its steps and how far it is, and can be cancelled', async () => {
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

test('an import that failed says what to do, and is tried again as a new job', async () => {
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
  await expect.element(page.getByRole('alert')).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => router.parameter('job')).toBe('job-2');
  expect(bridge.asked('job.retry')).toEqual([{ job: 'job-1' }]);
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
    reconciled: false,
    rows: [{ relation: 'milestones', source: 4, archive: 4, target: 3, verdict: 'lost-on-import' }],
  },
};

test('an import that ended shows what arrived, what failed and the record behind it', async () => {
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

test('a job that is not there is said', async () => {
  scriptWindow(script({ 'job.show': fails('job-missing'), 'job.steps': fails('job-missing') }));
  await show({ job: 'job-9' });
  await expect.element(page.getByRole('alert').first()).toBeVisible();
});

// As much as a window of 900 × 600 leaves beside the navigation, and one of 1280 × 800 at 200 %.
test.each([
  [692, 600],
  [584, 400],
])('nothing is cut in a place of %d × %d', async (width, height) => {
  scriptWindow(script());
  await show({ archive: 'archive-1' }, { width, height });
  await expect.element(start).toBeEnabled();
  const main = document.querySelector('main');
  expect(main?.scrollWidth).toBeLessThanOrEqual(main?.clientWidth ?? 0);
});
