import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { CallReply } from '../../../../src-contract/calls.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import type { BackupStatus } from '../../../../src-contract/projects/project.ts';
import { router, type RouteParameters } from '../../../../src-renderer/data/places/router.svelte.ts';
import ProjectsView from '../../../../src-renderer/views/projects/ProjectsView.svelte';
import { exampleJob } from '../../support/examples.ts';
import { exampleInstance } from '../../support/overview-examples.ts';
import { expectAccessible, fails, pending, scriptWindow, type Script } from '../../support/window.ts';
import { showView } from '../show-view.ts';
import { pagesOf, projectRow } from './rows.ts';

const payload = '<img src=x onerror="document.title=\'ran\'">';

const started = (
  jobs: number,
  change: Partial<CallReply<'backup.start'>> = {},
): CallReply<'backup.start'> => ({
  runId: 'run-1',
  jobIds: Array.from({ length: jobs }, (_, at) => `job-${at}`),
  resumed: false,
  covers: null,
  notes: [],
  skipped: [],
  refused: [],
  ...change,
});

const script = (change: Script = {}): Script => ({
  'instance.list': { instances: [exampleInstance()] },
  'project.page': pagesOf([1, 2, 3].map((id) => projectRow(id))),
  'archive.list': { archives: [], next: null },
  'job.list': { jobs: [], next: null },
  'settings.change': fails('internal'),
  ...change,
});

const statusCounts: readonly BackupStatus[] = [
  'damaged',
  'failed',
  'never',
  'changed',
  'current',
  'not-allowed',
];

const many = (count: number): ReturnType<typeof projectRow>[] =>
  Array.from({ length: count }, (_, at) =>
    projectRow(at + 1, {
      backupStatus: statusCounts[at % statusCounts.length] ?? 'current',
      archived: at % 7 === 0,
      ...(statusCounts[at % statusCounts.length] === 'never' ? { newestArchive: null, archives: 0 } : {}),
    }),
  );

/** Shows the view in a low window, because axe checks every row. */
const show = (parameters: RouteParameters = {}): Promise<void> =>
  showView(ProjectsView, 'projects', { parameters, height: 520 });
const grid = page.getByRole('grid', { name: 'Projects' });
const panel = page.getByRole('complementary');
const dialog = page.getByRole('dialog');

test('50,000 projects are listed with their number, with fewer than 60 rows in the document', async () => {
  scriptWindow(script({ 'project.page': pagesOf(many(50_000)) }));
  await show();
  await expect.element(page.getByText('50,000 projects')).toBeVisible();
  await expect.element(grid).toHaveAttribute('aria-rowcount', '50001');
  expect(document.querySelectorAll('[role=row]').length).toBeLessThan(60);
  await expectAccessible();
});

test('a change reported by an event is shown without an action of the user', async () => {
  const bridge = scriptWindow(script());
  await show();
  await expect.element(grid).toHaveAttribute('aria-rowcount', '4');
  bridge.answer('project.page', pagesOf(many(5)));
  bridge.emit('project.changed', { instance: 'work', revision: 2 });
  await expect.element(grid).toHaveAttribute('aria-rowcount', '6');
});

test('the list shows that it is loading until the first reply', async () => {
  scriptWindow(script({ 'project.page': pending }));
  await show();
  await expect
    .element(page.getByRole('region', { name: 'Projects' }))
    .toHaveAttribute('data-state', 'loading');
});

test('a list that fails to load shows the error and can be loaded again', async () => {
  const bridge = scriptWindow(script({ 'project.page': fails('catalogue-busy') }));
  await show();
  await expect.element(page.getByRole('alert')).toBeVisible();
  await expectAccessible();
  bridge.answer('project.page', pagesOf([projectRow(1)]));
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(grid).toHaveAttribute('aria-rowcount', '2');
  expect(page.getByRole('alert').query()).toBeNull();
});

test('the view offers to add an instance if there is none', async () => {
  scriptWindow(script({ 'instance.list': { instances: [] }, 'project.page': pagesOf([], []) }));
  await show();
  await page.getByRole('button', { name: 'Add an instance' }).click();
  expect(window.location.hash).toMatch(/^#\/instances/);
});

test('a list that was never fetched can be fetched here, and the fetch can be cancelled', async () => {
  let cancelled = false;
  const bridge = scriptWindow(
    script({
      'project.page': pagesOf([], [{ instance: 'work', refreshedAt: null }]),
      'instance.refresh': (_request, { progress, signal }) => {
        progress({ step: 'list', unit: 'records', done: 1200, total: 5000 });
        signal.addEventListener('abort', () => (cancelled = true));
        return pending;
      },
    }),
  );
  await show();
  await expect.element(page.getByText('The project list was not fetched yet')).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Refresh the list of work' }).first().click();
  await expect.element(page.getByText('24%').first()).toBeVisible();
  expect(bridge.asked('instance.refresh')).toEqual([{ name: 'work', visible: false }]);
  await page.getByRole('button', { name: 'Stop fetching the list of work' }).first().click();
  await expect.element(page.getByRole('button', { name: 'Refresh the list of work' }).first()).toBeVisible();
  expect(cancelled).toBe(true);
});

test('a new copy has its own filter and badge, apart from projects that were never backed up', async () => {
  const copy = { backupStatus: 'never', newestArchive: null, archives: 0, newCopy: true } as const;
  const rows = [projectRow(1), projectRow(2, copy), projectRow(3, { ...copy, newCopy: false })];
  const bridge = scriptWindow(script({ 'project.page': pagesOf(rows) }));
  await show();
  const filter = page.getByLabelText('Backup status');
  await filter.selectOptions('New copy');
  await expect.element(page.getByText('1 matching project', { exact: true })).toBeVisible();
  expect(bridge.asked('project.page').at(-1)).toMatchObject({ backupStatus: 'new-copy' });
  await expect.element(grid.getByText('New copy')).toBeVisible();
  await filter.selectOptions('Never backed up');
  await expect.element(grid.getByText('Never backed up')).toBeVisible();
  expect(grid.getByText('New copy').query()).toBeNull();
});

test('search and filters request the matching projects, and the list states when there are none', async () => {
  const bridge = scriptWindow(script({ 'project.page': pagesOf(many(300)) }));
  await show();
  await page.getByRole('searchbox').fill('project-0001');
  await expect.element(page.getByText('10 matching projects')).toBeVisible();
  await page.getByLabelText('Backup status').selectOptions('Damaged');
  await page.getByLabelText('Archived on GitLab').selectOptions('Not archived on GitLab');
  await expect.element(page.getByText('2 matching projects')).toBeVisible();
  expect(bridge.asked('project.page').at(-1)).toMatchObject({
    search: 'project-0001',
    backupStatus: 'damaged',
    archived: false,
    offset: 0,
  });
  await page.getByRole('searchbox').fill('nothing is called so');
  await expect.element(page.getByText('No project matches')).toBeVisible();
  await page.getByRole('button', { name: 'Show all projects' }).click();
  await expect.element(page.getByText('300 projects')).toBeVisible();
  await expect.element(page.getByRole('searchbox')).toHaveValue('');
});

test('a column header makes the app sort the list', async () => {
  const bridge = scriptWindow(script());
  await show();
  await expect.element(grid).toHaveAttribute('aria-rowcount', '4');
  await page.getByRole('columnheader', { name: 'Last activity' }).click();
  await expect
    .poll(() => bridge.asked('project.page').at(-1))
    .toMatchObject({ sort: 'activity', descending: false, offset: 0 });
  await page.getByRole('columnheader', { name: 'Last activity' }).click();
  await expect
    .poll(() => bridge.asked('project.page').at(-1))
    .toMatchObject({ sort: 'activity', descending: true });
});

test('the panel follows the arrow keys, and Escape closes it', async () => {
  scriptWindow(script());
  await show();
  await expect.element(grid).toHaveAttribute('aria-rowcount', '4');
  (grid.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(panel.getByRole('heading', { name: 'group/project-00002' })).toBeVisible();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(panel.getByRole('heading', { name: 'group/project-00003' })).toBeVisible();
  expect(router.parameter('project')).toBe('group/project-00003');
  await userEvent.keyboard('{Escape}');
  expect(panel.query()).toBeNull();
});

test('a key that is held down requests details only for the row at which it stops', async () => {
  const bridge = scriptWindow(script({ 'project.page': pagesOf(many(90)) }));
  await show();
  await expect.element(grid).toHaveAttribute('aria-rowcount', '91');
  (grid.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowDown>40/}');
  await expect.element(panel.getByRole('heading', { name: 'group/project-00041' })).toBeVisible();
  await expect.element(panel.getByText('No archive of this project is stored.')).toBeVisible();
  const requestedProjects = bridge.asked('archive.list').map(({ project }) => project);
  expect(requestedProjects.at(-1)).toBe('41');
  expect(requestedProjects.length).toBeLessThan(10);
});

test('a project is backed up from its panel, which shows why a backup was refused', async () => {
  const refused = new AppError('project-missing', 'gone').toData();
  const bridge = scriptWindow(
    script({
      'backup.start': started(0, { refused: [{ project: '2', error: refused }] }),
      'archive.list': {
        archives: [
          {
            id: 'archive-2',
            path: 'a/b.tar.gz',
            absolutePath: '/archives/a/b.tar.gz',
            absent: false,
            instanceName: 'work',
            instanceUrl: 'https://gitlab.example.com',
            projectId: 2,
            fullPath: 'group/project-00002',
            sha256: 'a'.repeat(64),
            sizeBytes: 2_500_000,
            storedAt: '2026-11-19T09:00:00.000Z',
            verdict: 'sound',
            condition: 'complete',
            proof: { level: 'L2', at: '2026-11-19T09:00:01.000Z', detail: null },
            damaged: null,
            findings: 0,
            pinned: false,
          },
        ],
        next: null,
      },
    }),
  );
  await show({ project: 'group/project-00002', instance: 'work' });
  await expect.element(panel.getByText('Readable')).toBeVisible();
  await expectAccessible();
  await panel.getByRole('button', { name: 'Back up now' }).click();
  await expect.element(panel.getByText('The project was not backed up')).toBeVisible();
  expect(bridge.asked('backup.start')).toEqual([{ instance: 'work', projects: ['2'], keepExisting: false }]);
});

const twoInstances = (change: Script = {}): Script =>
  script({
    'instance.list': { instances: [exampleInstance(), exampleInstance({ name: 'mirror' })] },
    'project.page': pagesOf([
      ...many(1800),
      ...[1, 2, 3].map((id) => projectRow(id, { instance: 'mirror', fullPath: `other/project-${id}` })),
    ]),
    ...change,
  });

/** Selects all rows except the first and opens the dialog for their backup. */
async function selectAllButOne(): Promise<void> {
  await show();
  await expect.element(grid).toHaveAttribute('aria-rowcount', '1804');
  (grid.element() as HTMLElement).focus();
  await userEvent.keyboard('{Control>}a{/Control} ');
  await page.getByRole('button', { name: 'Back up 1,802 projects…' }).click();
}

test('a backup of many projects first shows how many, on which instances, and how many mails it causes', async () => {
  const bridge = scriptWindow(twoInstances());
  await selectAllButOne();
  await expect.element(dialog.getByText('work: 1,499 projects')).toBeVisible();
  await expect.element(dialog.getByText('mirror: 3 projects')).toBeVisible();
  await expect.element(dialog.getByText(/1,502 mails/)).toBeVisible();
  await expect.element(dialog.getByText(/300 selected projects are left out/)).toBeVisible();
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(dialog.query()).toBeNull();
  expect(bridge.asked('backup.start')).toEqual([]);
});

test('a backup of all matching projects collects them page by page and sends one request per instance', async () => {
  const refused = [{ project: '2', error: new AppError('project-missing', 'gone').toData() }];
  const bridge = scriptWindow(
    twoInstances({
      'backup.start': ({ instance: name, projects }) =>
        name === 'mirror' ? fails('token-missing') : started(projects.length - 1, { refused }),
    }),
  );
  await selectAllButOne();
  await dialog.getByRole('button', { name: 'Back up 1,502 projects' }).click();
  await expect.element(dialog.getByText('work: 1,498 backups started')).toBeVisible();
  await expect.element(dialog.getByText('group/project-00002')).toBeVisible();
  const [first, second] = bridge.asked('backup.start');
  expect(first?.instance).toBe('work');
  expect(first?.projects).toHaveLength(1499);
  expect(first?.projects).not.toContain('1');
  expect(second).toEqual({ instance: 'mirror', projects: ['1', '2', '3'], keepExisting: false });

  // Only failed requests are repeated.
  bridge.answer('backup.start', started(3));
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect.element(dialog.getByText('mirror: 3 backups started')).toBeVisible();
  expect(bridge.asked('backup.start')).toHaveLength(3);
});

test('selected rows stay selected while the list shows other rows', async () => {
  const bridge = scriptWindow(
    script({
      'project.page': pagesOf(many(300)),
      'backup.start': ({ projects }) => started(projects.length),
    }),
  );
  await show();
  await expect.element(grid).toHaveAttribute('aria-rowcount', '301');
  (grid.element() as HTMLElement).focus();
  await userEvent.keyboard(' ');
  await page.getByRole('searchbox').fill('project-00200');
  await expect.element(page.getByText('1 matching project', { exact: true })).toBeVisible();
  (grid.element() as HTMLElement).focus();
  await userEvent.keyboard(' ');
  await page.getByRole('button', { name: 'Back up 2 projects…' }).click();
  await dialog.getByRole('button', { name: 'Back up 2 projects' }).click();
  await expect
    .poll(() => bridge.asked('backup.start').map(({ projects }) => projects))
    .toEqual([['1', '200']]);
  await expect.element(dialog.getByText('work: 2 backups started')).toBeVisible();
  await expectAccessible();
});

test('the dialog follows the started backups while it is open', async () => {
  const job = (at: number, status: 'running' | 'succeeded' | 'failed') =>
    exampleJob({
      id: `job-${at}`,
      runId: 'run-1',
      state:
        status === 'running'
          ? { status, since: 0 }
          : status === 'failed'
            ? { status, error: new AppError('export-failed', 'no').toData() }
            : { status, warnings: [] },
    });
  const bridge = scriptWindow(script({ 'backup.start': ({ projects }) => started(projects.length) }));
  await show();
  await expect.element(grid).toHaveAttribute('aria-rowcount', '4');
  (grid.element() as HTMLElement).focus();
  await userEvent.keyboard('{Control>}a{/Control}');
  await page.getByRole('button', { name: 'Back up 3 projects…' }).click();
  await dialog.getByRole('button', { name: 'Back up 3 projects' }).click();
  await expect.element(dialog.getByText('work: 3 backups started')).toBeVisible();
  const ended = (...jobs: ReturnType<typeof job>[]) => {
    bridge.answer('job.list', { jobs, next: null });
    bridge.emit('job.changed', { jobId: 'job-0', runId: 'run-1', revision: 2 });
  };
  ended(job(0, 'succeeded'));
  await expect.element(dialog.getByText('work: 3 backups started, 1 done')).toBeVisible();
  ended(job(0, 'succeeded'), job(1, 'succeeded'), job(2, 'failed'));
  await expect.element(dialog.getByText('work: 2 of 3 backups done')).toBeVisible();
  ended(job(0, 'succeeded'), job(1, 'succeeded'), job(2, 'succeeded'));
  await expect.element(dialog.getByText('work: 3 backups done')).toBeVisible();
  expect(bridge.asked('job.list').at(-1)).toMatchObject({ runId: 'run-1', status: 'ended' });
});

test('in a small window the table keeps its height, and a row shows its instance beside the details', async () => {
  scriptWindow(
    script({
      'instance.list': { instances: [exampleInstance(), exampleInstance({ name: 'mirror' })] },
      'project.page': pagesOf([projectRow(1), projectRow(2, { instance: 'mirror' })]),
    }),
  );
  await showView(ProjectsView, 'projects', {
    parameters: { project: 'group/project-00001', of: 'work' },
    width: 692,
    height: 560,
  });
  const row = page.getByRole('row', { name: /project-00002/ });
  await expect.element(row.getByText('mirror', { exact: true })).toBeVisible();
  const box = (element: Element) => element.getBoundingClientRect();
  await expect.element(panel).toBeVisible();
  expect(box(row.getByText('mirror', { exact: true }).element()).left).toBeLessThan(
    box(panel.element()).left,
  );
  expect(page.getByRole('columnheader', { name: 'Instance' }).query()).toBeNull();
  expect(box(grid.element()).top).toBeLessThanOrEqual(135);
  await expectAccessible();
});

test('names are shown as text, never as markup', async () => {
  const evil = projectRow(1, {
    fullPath: `group/${payload}`,
    name: payload,
    description: payload,
    importType: payload,
    defaultBranch: payload,
  });
  scriptWindow(script({ 'project.page': pagesOf([evil]) }));
  await show({ instance: 'work', project: evil.fullPath });
  await expect.element(panel.getByRole('heading', { name: evil.fullPath })).toBeVisible();
  await expect.element(panel.getByText(payload, { exact: true }).first()).toBeVisible();
  expect(document.title).not.toBe('ran');
  expect(document.querySelectorAll('img')).toHaveLength(0);
});
