import { expect, test } from 'vitest';
import type { CallReply } from '../../../../src-contract/calls.ts';
import { toasts } from '../../../../src-renderer/data/toasts.svelte.ts';
import { exampleJob } from '../../support/examples.ts';
import {
  exampleInstanceOverview,
  exampleOverview,
  examplePlan,
  examplePlanStatuses,
} from '../../support/overview-examples.ts';
import { openOverview } from './open-overview.ts';
import { expectAccessible, fails, pending } from '../../support/window.ts';

const payload = '<img src=x onerror="document.title=\'ran\'">';

test('the overview shows that it is loading until it has data', async () => {
  const { screen } = await openOverview({ 'overview.show': pending });
  await expect.element(screen.getByText('Loading…')).toBeVisible();
  await expectAccessible();
});

test('a load error states what happened, and the overview can be loaded again', async () => {
  const { bridge, screen } = await openOverview({ 'overview.show': fails('catalogue-busy') });
  await expect.element(screen.getByText('Another process keeps the catalogue busy.')).toBeVisible();
  await expectAccessible();
  bridge.answer('overview.show', exampleOverview());
  await screen.getByRole('button', { name: 'Try again' }).click();
  await expect.element(screen.getByText('All 212 projects have an archive.')).toBeVisible();
});

test('the overview keeps its data and shows the error when a refresh fails', async () => {
  const { bridge, screen } = await openOverview({ 'overview.show': exampleOverview() });
  await expect.element(screen.getByText('All 212 projects have an archive.')).toBeVisible();
  bridge.answer('overview.show', fails('catalogue-busy'));
  bridge.emit('project.changed', { instance: 'work', revision: 2 });
  await expect.element(screen.getByText('Another process keeps the catalogue busy.')).toBeVisible();
  await expect.element(screen.getByText('All 212 projects have an archive.')).toBeVisible();
});

test('the overview offers three ways to begin if there is no instance and no archive', async () => {
  const { screen } = await openOverview({
    'overview.show': exampleOverview({
      instances: [],
      archives: { count: 0, bytes: 0, absent: 0, freeBytes: null },
    }),
  });
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Welcome to Packhorse' })).toBeVisible();
  const choices = ['Add an instance', 'Try the built-in sandbox', 'Open an archive'];
  for (const name of choices) {
    await expect.element(screen.getByRole('heading', { level: 2, name })).toBeVisible();
  }
  await expectAccessible();
});

test('the overview still counts the stored archives if there is no instance', async () => {
  const { screen } = await openOverview({ 'overview.show': exampleOverview({ instances: [] }) });
  await expect.element(screen.getByText('No instance is added, so nothing is backed up.')).toBeVisible();
  await expect.element(screen.getByRole('link', { name: '412 archives' })).toBeVisible();
  await screen.getByRole('button', { name: 'Add an instance…' }).click();
  expect(window.location.hash).toBe('#/instances?add=instance');
});

test('the summary sentence reports unavailable archives, whatever else needs attention', async () => {
  const statusCounts = examplePlanStatuses({ absent: 8, damaged: 2, never: 3 });
  const { screen } = await openOverview({
    'overview.show': exampleOverview({
      instances: [exampleInstanceOverview({ statusCounts })],
      archives: { count: 0, bytes: 0, absent: 24, freeBytes: null },
      attention: [
        { kind: 'token-missing', instance: 'work' },
        { kind: 'archives-absent', path: '/mnt/usb', replaced: true, archives: 24, projects: 8 },
      ],
    }),
  });
  await expect.element(screen.getByText('24 archives are not available.')).toBeVisible();
  await expect.element(screen.getByText('24 archives of 8 projects are not available')).toBeVisible();
  await expect.element(screen.getByText('2 things need attention below')).toBeVisible();
  await expect.element(screen.getByRole('link', { name: '8 Not available' })).toBeVisible();
  await expectAccessible();
});

test.for([
  ['incomplete', 'Incomplete'],
  ['suspicious', 'Suspicious'],
] as const)(
  'a project whose newest archive is %s counts as needing attention',
  async ([backupStatus, word]) => {
    const statusCounts = examplePlanStatuses({ current: 7, [backupStatus]: 1 });
    const { screen } = await openOverview({
      'overview.show': exampleOverview({ instances: [exampleInstanceOverview({ statusCounts })] }),
    });
    await expect.element(screen.getByText('1 project needs attention.')).toBeVisible();
    await expect.element(screen.getByRole('link', { name: `1 ${word}` })).toBeVisible();
  },
);

test('one sentence counts the projects that need attention, and each figure links to its projects', async () => {
  const statusCounts = examplePlanStatuses({ current: 180, changed: 12, never: 3, failed: 2, damaged: 1 });
  const { screen } = await openOverview({
    'overview.show': exampleOverview({
      instances: [
        exampleInstanceOverview({ name: 'work', statusCounts: { ...statusCounts, 'not-allowed': 14 } }),
      ],
    }),
  });
  await expect.element(screen.getByText('6 projects need attention.')).toBeVisible();
  const figures = screen.getByRole('list', { name: 'Projects of work by backup status' });
  const links = figures.getByRole('link').elements() as HTMLAnchorElement[];
  expect(links.map((link) => link.textContent.replace(/\s+/g, ' ').trim())).toEqual([
    '180 Current',
    '12 Changed',
    '3 Never backed up',
    '2 Failed',
    '1 Damaged',
    '14 Not allowed',
  ]);
  expect(links[2]?.getAttribute('href')).toBe('#/projects?instance=work&backupStatus=never');
});

test('a read-only token disables the backup, and the button states why', async () => {
  const { screen } = await openOverview({
    'overview.show': exampleOverview({
      instances: [
        exampleInstanceOverview({ tokenCanWrite: false, statusCounts: examplePlanStatuses({ never: 7 }) }),
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
  await screen.getByRole('button', { name: 'Enter a new token…' }).click();
  expect(window.location.hash).toBe('#/instances?instance=work&token=enter');
});

test('an instance is backed up only after its dialog shows how many projects are exported and left out', async () => {
  const statusCounts = examplePlanStatuses({ current: 200, never: 12, 'not-allowed': 3 });
  const { bridge, screen } = await openOverview({
    'overview.show': exampleOverview({ instances: [exampleInstanceOverview({ statusCounts })] }),
    'backup.start': {
      runId: 'r5',
      jobIds: ['1', '2'],
      resumed: false,
      covers: null,
      notes: [],
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
  expect(bridge.asked('backup.start')).toEqual([
    { instance: 'work', projects: 'all', keepExisting: false, waits: true },
  ]);
  await expect.element(dialog.getByRole('region', { name: 'Left out' })).toMatchTextContent(/group\/guest/);
  await dialog.getByRole('button', { name: 'Follow it in Activity' }).click();
  expect(window.location.hash).toBe('#/activity?run=r5');
});

test('"Back up all" waits while the instance does not respond, even if its dialog is closed', async () => {
  const waitingText = 'The instance has not answered since 14:02 (HTTP 502).';
  let answer = (_: CallReply<'backup.start'>): void => undefined;
  const statusCounts = examplePlanStatuses({ never: 12 });
  const { screen } = await openOverview({
    'overview.show': exampleOverview({ instances: [exampleInstanceOverview({ statusCounts })] }),
    'backup.start': (_, { progress }) => {
      progress({ step: 'wait', unit: 'requests', done: 0, total: null, waiting: waitingText });
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
  });
  await screen.getByRole('button', { name: 'Back up all…' }).click();
  const dialog = screen.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Back up 12 projects' }).click();
  await expect.element(dialog.getByText(`Waiting: ${waitingText}`)).toBeVisible();
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(screen.getByText(`Waiting: ${waitingText}`)).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Back up all…' })).toBeDisabled();
  const nothing = { covers: null, notes: [], skipped: [], refused: [], resumed: false };
  answer({ runId: 'r5', jobIds: ['1', '2'], ...nothing });
  await expect.poll(() => toasts.list.at(-1)?.text).toBe('Backup of work: 2 jobs started.');
  await expect.element(screen.getByText(`Waiting: ${waitingText}`)).not.toBeInTheDocument();
});

test('the project list of an instance is fetched with progress, and the fetch can be cancelled', async () => {
  const { bridge, screen } = await openOverview({
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

test('a running job is shown with progress, and is cancelled only after a confirmation', async () => {
  const { bridge, screen } = await openOverview({
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
  const section = screen.getByRole('region', { name: 'In progress' });
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

test('an import that has only been uploaded shows its current step, not 100%', async () => {
  const sent = exampleJob({
    kind: 'import',
    step: 'send',
    progress: { step: 'send', unit: 'bytes', done: 120, total: 120 },
  });
  const { screen } = await openOverview({
    'overview.show': exampleOverview(),
    'job.list': { jobs: [sent], next: null },
  });
  const section = screen.getByRole('region', { name: 'In progress' });
  await expect.element(section.getByText('step 2 of 5')).toBeVisible();
  await expect.element(section.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40');
  expect(section.getByText('100%').query()).toBeNull();
  await expectAccessible();
});

test('failed projects with a good archive, and new copies, are counted apart from projects without an archive', async () => {
  const statusCounts = examplePlanStatuses({ current: 1, failed: 3, never: 5 });
  const { screen } = await openOverview({
    'overview.show': exampleOverview({
      instances: [exampleInstanceOverview({ statusCounts, failedHeld: 2, newCopies: 4 })],
    }),
  });
  await expect.element(screen.getByText('2 projects need attention.')).toBeVisible();
  const figures = screen.getByRole('list', { name: 'Projects of work by backup status' });
  const links = figures.getByRole('link').elements();
  expect(links.map((link) => link.textContent.replace(/\s+/g, ' ').trim())).toEqual([
    '1 Current',
    '2 Last backup failed',
    '4 New copy',
    '1 Never backed up',
    '1 Failed',
  ]);
  expect(links.slice(2, 4).map((link) => link.getAttribute('href'))).toEqual([
    '#/projects?instance=work&backupStatus=new-copy',
    '#/projects?instance=work&backupStatus=never',
  ]);
  await expectAccessible();
});

test('a plan shows its next run, the result of its last run, and why it is overdue', async () => {
  const error = { code: 'token-expired', message: 'x', retry: 'never', details: {} } as const;
  const late = { ...examplePlan({ name: 'nightly' }), overdue: { since: '2026-11-20T01:30:00.000Z', error } };
  const { screen } = await openOverview({
    'overview.show': exampleOverview({ instances: [exampleInstanceOverview()] }),
    'plan.list': { plans: [late, examplePlan({ id: 'p2', name: 'other', instance: 'lab' })] },
    'plan.history': {
      plans: [{ planId: 'p1', days: [{ date: '2026-11-20', outcome: 'missed', runId: null }] }],
    },
  });
  const card = screen.getByRole('article', { name: 'work' });
  await expect
    .element(
      card.getByText(
        'all projects that the account is a member of and may export, daily at 02:30 Europe/Berlin',
      ),
    )
    .toBeVisible();
  await expect.element(card.getByText(/Next run\s+in 5 hours/)).toBeVisible();
  await expect.element(card.getByText('The token has expired.')).toBeVisible();
  await expect
    .element(card.getByRole('link', { name: '19 hours ago' }))
    .toHaveAttribute('href', '#/activity?run=r1');
  await expect.element(card.getByRole('img', { name: '20 Nov 2026: missed' })).toBeVisible();
  expect(card.getByText('other').elements()).toEqual([]);
  const due = screen.getByRole('region', { name: 'Due next' });
  await expect.element(due.getByRole('link', { name: 'nightly' })).toHaveAttribute('href', '#/plans?edit=p1');
  await expect.element(due.getByRole('link', { name: 'other' })).toBeVisible();
  await expectAccessible();
});
