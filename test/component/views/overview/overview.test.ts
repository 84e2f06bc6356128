import { onTestFinished, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import type { Attention } from '../../../../src-preload/contract/overview.ts';
import { liveJobs } from '../../../../src-renderer/state/live-jobs.svelte.ts';
import { router } from '../../../../src-renderer/state/router.svelte.ts';
import OverviewView from '../../../../src-renderer/views/overview/OverviewView.svelte';
import { exampleJob } from '../../support/examples.ts';
import {
  exampleInstanceOverview,
  exampleOverview,
  examplePlan,
  exampleStandings,
} from '../../support/overview-examples.ts';
import { expectAccessible, fails, pending, scriptWindow, type Script } from '../../support/window.ts';

const noJobs = { jobs: [], next: null };
const payload = '<img src=x onerror="document.title=\'ran\'">';

/** The view as it stands in the frame, which follows jobs and address. */
async function open(script: Script) {
  const bridge = scriptWindow({ 'job.list': noJobs, ...script });
  const ends = [router.follow(), liveJobs.follow()];
  onTestFinished(() => {
    for (const end of ends) end();
  });
  return { bridge, screen: await render(OverviewView) };
}

test('while nothing is known, it says that it loads', async () => {
  const { screen } = await open({ 'overview.show': pending });
  await expect.element(screen.getByText('Loading…')).toBeVisible();
  await expectAccessible();
});

test('an error says what happened and what to do, and can be tried again', async () => {
  const { bridge, screen } = await open({ 'overview.show': fails('catalogue-busy') });
  await expect.element(screen.getByText('Another process keeps the catalogue busy.')).toBeVisible();
  await expectAccessible();
  bridge.answer('overview.show', exampleOverview());
  await screen.getByRole('button', { name: 'Try again' }).click();
  await expect.element(screen.getByText('All 212 projects are backed up.')).toBeVisible();
});

test('what was shown stays when it cannot be renewed', async () => {
  const { bridge, screen } = await open({ 'overview.show': exampleOverview() });
  await expect.element(screen.getByText('All 212 projects are backed up.')).toBeVisible();
  bridge.answer('overview.show', fails('catalogue-busy'));
  bridge.emit('project.changed', { instance: 'work', revision: 2 });
  await expect.element(screen.getByText('Another process keeps the catalogue busy.')).toBeVisible();
  await expect.element(screen.getByText('All 212 projects are backed up.')).toBeVisible();
});

test('without an instance and without an archive there are three ways to begin', async () => {
  const { screen } = await open({
    'overview.show': exampleOverview({
      instances: [],
      archives: { count: 0, bytes: 0, freeBytes: null },
    }),
  });
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Welcome to Packhorse' })).toBeVisible();
  const choices = ['Add an instance', 'Try the built-in sandbox', 'Open an archive'];
  for (const name of choices) {
    await expect.element(screen.getByRole('heading', { level: 2, name })).toBeVisible();
  }
  await expectAccessible();
});

test('without an instance, archives that are held are not forgotten', async () => {
  const { screen } = await open({ 'overview.show': exampleOverview({ instances: [] }) });
  await expect.element(screen.getByText('No instance is added, so nothing is backed up.')).toBeVisible();
  await expect.element(screen.getByRole('link', { name: '412 archives' })).toBeVisible();
  await screen.getByRole('button', { name: 'Add an instance…' }).click();
  expect(window.location.hash).toBe('#/instances?add=instance');
});

test('one sentence counts what needs attention; each figure leads to those projects', async () => {
  const standings = exampleStandings({ current: 180, changed: 12, never: 3, failed: 2, damaged: 1 });
  const { screen } = await open({
    'overview.show': exampleOverview({
      instances: [exampleInstanceOverview({ name: 'work', standings: { ...standings, 'not-allowed': 14 } })],
    }),
  });
  await expect.element(screen.getByText('6 projects need attention.')).toBeVisible();
  const figures = screen.getByRole('list', { name: 'Projects of work by how they stand' });
  const links = figures.getByRole('link').elements() as HTMLAnchorElement[];
  expect(links.map((link) => link.textContent.replace(/\s+/g, ' ').trim())).toEqual([
    '180 Current',
    '12 Changed',
    '3 Never backed up',
    '2 Failed',
    '1 Damaged',
    '14 Not allowed',
  ]);
  expect(links[2]?.getAttribute('href')).toBe('#/projects?instance=work&standing=never');
});

const about: [kind: Attention['kind'], attention: Attention, actions: string[]][] = [
  [
    'archive-damaged',
    { kind: 'archive-damaged', archiveId: 'a', instance: 'work', project: payload, reason: payload },
    ['Verify again', 'Show'],
  ],
  [
    'job-failed',
    {
      kind: 'job-failed',
      jobKind: 'export',
      jobId: 'j',
      instance: 'work',
      project: payload,
      error: { code: 'export-failed', message: payload, retry: 'later', details: {} },
    },
    ['Try again', 'Show'],
  ],
  [
    'job-warnings',
    {
      kind: 'job-warnings',
      jobKind: 'import',
      jobId: 'j',
      instance: 'work',
      project: 'group/app',
      warnings: 2,
      messages: [payload],
    },
    ['Show'],
  ],
  [
    'jobs-failed',
    {
      kind: 'jobs-failed',
      jobKind: 'export',
      instance: 'work',
      error: { code: 'export-failed', message: payload, retry: 'later', details: {} },
      total: 2,
      jobs: [
        { jobId: 'j2', project: payload },
        { jobId: 'j1', project: 'group/app' },
      ],
    },
    ['Try all again', 'Show'],
  ],
  ['token-read-only', { kind: 'token-read-only', instance: 'work' }, ['Replace the token…']],
  [
    'plan-overdue',
    { kind: 'plan-overdue', planId: 'p1', instance: 'work', since: '2026-11-20T01:30:00.000Z', error: null },
    ['Schedule…'],
  ],
  ['token-missing', { kind: 'token-missing', instance: 'work' }, ['Enter the token…']],
  [
    'token-expires',
    { kind: 'token-expires', instance: 'work', expiresOn: '2026-11-28' },
    ['Replace the token…'],
  ],
  [
    'never-backed-up',
    { kind: 'never-backed-up', instance: 'work', projects: 3 },
    ['Back up all…', 'Show them'],
  ],
  ['list-old', { kind: 'list-old', instance: 'work', refreshedAt: null }, ['Fetch the list']],
  ['disk-low', { kind: 'disk-low', path: '/archives', freeBytes: 900_000_000 }, ['Open the settings']],
  [
    'jobs-stuck',
    {
      kind: 'jobs-stuck',
      error: { code: 'internal', message: 'The lease was lost.', retry: 'never', details: {} },
    },
    ['Open Activity'],
  ],
  ['notice', { kind: 'notice', text: payload }, []],
];

test.each(about)(
  'what needs attention (%s) comes with what can be done',
  async (_kind, attention, actions) => {
    const { screen } = await open({
      'overview.show': exampleOverview({ attention: [attention], moreAttention: 2 }),
    });
    const section = screen.getByRole('region', { name: 'Needs attention' });
    await expect.element(section.getByText('And 2 more like these.')).toBeVisible();
    expect(
      section
        .getByRole('button')
        .elements()
        .map((button) => button.textContent.trim()),
    ).toEqual(actions);
    await expectAccessible();
    expect(document.title).not.toBe('ran');
    expect(document.querySelector('img')).toBeNull();
  },
);

test('a damaged archive is verified again where it is named', async () => {
  const { bridge, screen } = await open({
    'overview.show': exampleOverview({
      attention: [
        { kind: 'archive-damaged', archiveId: 'a7', instance: 'work', project: 'group/app', reason: 'gone' },
      ],
    }),
    'archive.verify': (_request, { progress }) => {
      progress({ step: 'read', unit: 'bytes', done: 10_000_000, total: 40_000_000 });
      return pending;
    },
  });
  await screen.getByRole('button', { name: 'Verify again' }).click();
  await expect.element(screen.getByRole('progressbar', { name: 'Verifying group/app' })).toBeVisible();
  expect(bridge.asked('archive.verify')).toEqual([{ archive: 'a7', level: 'L2' }]);
  await screen.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(screen.getByRole('button', { name: 'Verify again' })).toBeVisible();
});

test('a failed job is tried again where it is named', async () => {
  const error = { code: 'export-failed', message: 'No.', retry: 'later', details: {} } as const;
  const { bridge, screen } = await open({
    'overview.show': exampleOverview({
      attention: [
        { kind: 'job-failed', jobKind: 'export', jobId: 'j9', instance: 'work', project: 'group/app', error },
      ],
    }),
    'job.retry': { runId: 'r2', jobId: 'j10' },
  });
  await screen.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => bridge.asked('job.retry')).toEqual([{ job: 'j9' }]);
});

test('jobs that failed alike are counted, their projects are shown when asked for, and all are tried again', async () => {
  const error = { code: 'export-failed', message: 'No.', retry: 'later', details: {} } as const;
  const jobs = [6, 5, 4, 3, 2, 1].map((number) => ({ jobId: `j${number}`, project: `group/p${number}` }));
  const { bridge, screen } = await open({
    'overview.show': exampleOverview({
      attention: [{ kind: 'jobs-failed', jobKind: 'export', instance: 'work', error, total: 6, jobs }],
    }),
    'job.retry': { runId: 'r2', jobId: 'j10' },
  });
  await expect.element(screen.getByText('6 backups of work failed')).toBeVisible();
  await expect.element(screen.getByText(/^The newest, of group\/p6: No\./)).toBeVisible();
  expect(screen.getByRole('link', { name: 'group/p1' }).elements()).toEqual([]);
  await screen.getByRole('button', { name: 'Show' }).click();
  await expect
    .element(screen.getByRole('link', { name: 'group/p1' }))
    .toHaveAttribute('href', '#/activity?job=j1');
  await expectAccessible();
  await screen.getByRole('button', { name: 'Try all again' }).click();
  await expect
    .poll(() => bridge.asked('job.retry'))
    .toEqual(['j6', 'j5', 'j4', 'j3', 'j2', 'j1'].map((job) => ({ job })));
});

test('an import with warnings says what they are', async () => {
  const messages = ['milestones failed: StandardError.', 'milestones: source, archive, target hold 3, 3, 2.'];
  const { screen } = await open({
    'overview.show': exampleOverview({
      attention: [
        {
          kind: 'job-warnings',
          jobKind: 'import',
          jobId: 'j',
          instance: 'work',
          project: 'group/app',
          warnings: 3,
          messages,
        },
      ],
    }),
  });
  await expect.element(screen.getByText(/^Import of group\/app ended with 3 warnings/)).toBeVisible();
  await expect.element(screen.getByText(`${messages.join(' ')} And 1 more.`)).toBeVisible();
});

test('with a token that may only read nothing can be backed up, and it is said why', async () => {
  const { screen } = await open({
    'overview.show': exampleOverview({
      instances: [
        exampleInstanceOverview({ tokenCanWrite: false, standings: exampleStandings({ never: 7 }) }),
      ],
      attention: [{ kind: 'token-read-only', instance: 'work' }],
    }),
  });
  await expect.element(screen.getByText('The token of work may only read')).toBeVisible();
  const button = screen.getByRole('button', { name: 'Back up all…' });
  await expect.element(button).toBeDisabled();
  await expect
    .element(button)
    .toHaveAttribute(
      'title',
      'The token of work may only read. Backups and imports need a token with the scope “api”.',
    );
  await screen.getByRole('button', { name: 'Replace the token…' }).click();
  expect(window.location.hash).toBe('#/instances?instance=work&token=enter');
});

test('all of an instance is backed up after saying how many projects that is, and what is left out', async () => {
  const standings = exampleStandings({ current: 200, never: 12, 'not-allowed': 3 });
  const { bridge, screen } = await open({
    'overview.show': exampleOverview({ instances: [exampleInstanceOverview({ standings })] }),
    'backup.start': {
      runId: 'r5',
      jobIds: ['1', '2'],
      resumed: false,
      skipped: [{ project: 'group/guest', why: 'the role is Guest' }],
      refused: [],
    },
  });
  await screen.getByRole('button', { name: 'Back up all…' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Back up all of work' });
  await expect.element(dialog.getByText(/^212 projects will be exported/)).toBeVisible();
  await expect.element(dialog.getByText(/^3 projects are left out/)).toBeVisible();
  await dialog.getByText('Equivalent command').click();
  await expect.element(dialog.getByText('packhorse backup --instance work --all')).toBeVisible();
  await expectAccessible();
  expect(bridge.asked('backup.start')).toEqual([]);

  await dialog.getByRole('button', { name: 'Back up 212 projects' }).click();
  await expect.element(dialog.getByText('2 jobs started.')).toBeVisible();
  expect(bridge.asked('backup.start')).toEqual([{ instance: 'work', projects: 'all', keepExisting: false }]);
  await expect.element(dialog.getByRole('region', { name: 'Left out' })).toMatchTextContent(/group\/guest/);
  await dialog.getByRole('button', { name: 'Follow it in Activity' }).click();
  expect(window.location.hash).toBe('#/activity?run=r5');
});

test('the list of an instance is fetched with progress, and can be given up', async () => {
  const { bridge, screen } = await open({
    'overview.show': exampleOverview(),
    'instance.refresh': (_request, { progress }) => {
      progress({ step: 'projects', unit: 'records', done: 300, total: 1200 });
      return pending;
    },
  });
  await screen.getByRole('button', { name: 'Refresh the project list of work' }).click();
  await expect.element(screen.getByRole('progressbar', { name: 'Fetching the project list' })).toBeVisible();
  expect(bridge.asked('instance.refresh')).toEqual([{ name: 'work', visible: false }]);
  await screen.getByRole('button', { name: 'Cancel' }).click();
  await expect
    .element(screen.getByRole('button', { name: 'Refresh the project list of work' }))
    .toBeVisible();
});

test('what runs is shown with progress, and cancelled after asking', async () => {
  const { bridge, screen } = await open({
    'overview.show': exampleOverview(),
    'job.list': {
      jobs: [
        exampleJob({
          id: 'j1',
          project: payload,
          progress: { step: 'store', unit: 'bytes', done: 40, total: 120 },
        }),
        exampleJob({
          id: 'j2',
          state: { status: 'waiting', until: Date.now() + 60_000, reason: 'pace', text: '' },
        }),
      ],
      next: null,
    },
    'job.cancel': exampleJob({ id: 'j1', state: { status: 'cancelling', by: 'the window' } }),
  });
  const section = screen.getByRole('region', { name: 'Under way' });
  await expect.element(section.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '33');
  await expect
    .element(section.getByText('1 job waiting or queued: Keeping to the limits of the instance'))
    .toBeVisible();
  await expectAccessible();
  await section.getByRole('button', { name: /^Cancel the job of/ }).click();
  expect(bridge.asked('job.cancel')).toEqual([]);
  await screen.getByRole('button', { name: 'Cancel the backup' }).click();
  await expect.poll(() => bridge.asked('job.cancel')).toMatchObject([{ job: 'j1' }]);
  expect(document.title).not.toBe('ran');
});

test('a schedule says when it fires next, how it went last, and why it is overdue', async () => {
  const error = { code: 'token-expired', message: 'x', retry: 'never', details: {} } as const;
  const plan = { ...examplePlan(), overdue: { since: '2026-11-20T01:30:00.000Z', error } };
  const { screen } = await open({
    'overview.show': exampleOverview({ instances: [exampleInstanceOverview({ plan })] }),
  });
  const card = screen.getByRole('article', { name: 'work' });
  await expect.element(card.getByText('Daily at 02:30 (Europe/Berlin), keeps the newest 7')).toBeVisible();
  await expect.element(card.getByText('Next run in 5 hours')).toBeVisible();
  await expect.element(card.getByText('The token has expired.')).toBeVisible();
  await expect
    .element(card.getByRole('link', { name: '19 hours ago' }))
    .toHaveAttribute('href', '#/activity?run=r1');
  await expect
    .element(screen.getByRole('region', { name: 'Due next' }).getByText('Daily backup of work'))
    .toBeVisible();
  await expectAccessible();
});

test('it can be used at 900 × 600 and at twice the size, without scrolling sideways', async () => {
  const { screen } = await open({
    'overview.show': exampleOverview({ attention: about.map(([, attention]) => attention) }),
  });
  await expect.element(screen.getByText('All 212 projects are backed up.')).toBeVisible();
  onTestFinished(() => page.viewport(1280, 800));
  for (const width of [900, 450]) {
    await page.viewport(width, 600);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  }
  await userEvent.keyboard('{Tab}');
});
