/** @file The overview lists the items that need attention, with their actions. */
import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Attention } from '../../../../src-contract/runs/overview-schema.ts';
import { toasts } from '../../../../src-renderer/data/toasts.svelte.ts';
import { exampleOverview } from '../../support/overview-examples.ts';
import { expectAccessible, pending } from '../../support/window.ts';
import { openOverview } from './open-overview.ts';

const payload = '<img src=x onerror="document.title=\'ran\'">';

const attentionItems: [kind: Attention['kind'], attention: Attention, actions: string[]][] = [
  [
    'archive-damaged',
    { kind: 'archive-damaged', archiveId: 'a', instance: 'work', project: payload, reason: payload },
    ['Verify again', 'Show'],
  ],
  [
    'older-archive-damaged',
    {
      kind: 'older-archive-damaged',
      archiveId: 'a',
      instance: 'work',
      project: payload,
      reason: 'Cut short',
    },
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
  ['token-read-only', { kind: 'token-read-only', instance: 'work' }, ['Enter a new token…']],
  [
    'plan-overdue',
    {
      kind: 'plan-overdue',
      planId: 'p1',
      plan: payload,
      instance: 'work',
      since: '2026-11-20T01:30:00.000Z',
      error: null,
    },
    ['Show the plan'],
  ],
  [
    'plan-failed',
    {
      kind: 'plan-failed',
      planId: 'p1',
      plan: payload,
      instance: 'work',
      runId: 'r1',
      error: { code: 'token-invalid', message: payload, retry: 'never', details: {} },
    },
    ['Show the plan'],
  ],
  [
    'plan-empty',
    { kind: 'plan-empty', planId: 'p1', plan: payload, instance: 'work', runId: 'r1' },
    ['Show the plan'],
  ],
  [
    'left-scope',
    {
      kind: 'left-scope',
      instance: 'work',
      project: payload,
      projectId: 7,
      reason: 'moved',
      detail: payload,
      archives: 3,
      plan: payload,
      leftAt: '2026-11-20T08:00:00.000Z',
    },
    ['Show its archives'],
  ],
  ['token-missing', { kind: 'token-missing', instance: 'work' }, ['Enter a new token…']],
  [
    'token-refused',
    { kind: 'token-refused', instance: 'work', code: 'token-revoked' },
    ['Enter a new token…'],
  ],
  [
    'token-expires',
    { kind: 'token-expires', instance: 'work', expiresOn: '2026-11-28' },
    ['Enter a new token…'],
  ],
  [
    'never-backed-up',
    { kind: 'never-backed-up', instance: 'work', projects: 3 },
    ['Back up all…', 'Show them'],
  ],
  [
    'archives-absent',
    { kind: 'archives-absent', path: payload, replaced: false, archives: 24, projects: 8 },
    ['Open the settings'],
  ],
  ['projects-suspicious', { kind: 'projects-suspicious', instance: 'work', projects: 2 }, ['Show them']],
  ['projects-incomplete', { kind: 'projects-incomplete', instance: 'work', projects: 2 }, ['Show them']],
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

test.each(attentionItems)(
  'an item that needs attention (%s) is listed with its actions',
  async (_kind, attention, actions) => {
    const { screen } = await openOverview({
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

test('a damaged archive can be verified again from the overview', async () => {
  const { bridge, screen } = await openOverview({
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

test('a failed job can be retried from the overview', async () => {
  const error = { code: 'export-failed', message: 'No.', retry: 'later', details: {} } as const;
  const { bridge, screen } = await openOverview({
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

test('jobs that failed with the same error are counted, their projects are shown on request, and all can be retried', async () => {
  const error = { code: 'export-failed', message: 'No.', retry: 'later', details: {} } as const;
  const jobs = [6, 5, 4, 3, 2, 1].map((number) => ({ jobId: `j${number}`, project: `group/p${number}` }));
  const { bridge, screen } = await openOverview({
    'overview.show': exampleOverview({
      attention: [{ kind: 'jobs-failed', jobKind: 'export', instance: 'work', error, total: 6, jobs }],
    }),
    'job.retry': { runId: 'r2', jobId: 'j10' },
  });
  await expect.element(screen.getByText('6 backups of work failed')).toBeVisible();
  await expect.element(screen.getByText(/^The newest failure, of group\/p6: No\./)).toBeVisible();
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

test('an import with warnings shows their messages', async () => {
  const messages = [
    'milestones failed: StandardError.',
    'milestones: the counts of source, archive and target are 3, 3, 2.',
  ];
  const { screen } = await openOverview({
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

test('an item about a past event is dismissed with one click and restored with another', async () => {
  const leftScope: Attention = {
    kind: 'left-scope',
    instance: 'work',
    project: 'group/app',
    projectId: 7,
    reason: 'deleted',
    detail: null,
    archives: 2,
    plan: 'nightly',
    leftAt: '2026-11-20T00:00:00.000Z',
    dismissal: '3f2a91bc00',
  };
  const refused: Attention = { kind: 'token-refused', instance: 'work', code: 'token-revoked' };
  const { bridge, screen } = await openOverview({
    'overview.show': exampleOverview({ attention: [refused, leftScope] }),
    'overview.dismiss': ({ items }) => ({ items }),
    'overview.restore': ({ items }) => ({ items }),
  });
  await expect.element(screen.getByText(/^group\/app is no longer backed up/)).toBeVisible();
  const dismiss = screen.getByRole('button', { name: 'Dismiss', exact: true });
  expect(dismiss.elements()).toHaveLength(1);
  await expectAccessible();
  bridge.answer('overview.show', exampleOverview({ attention: [refused] }));
  await dismiss.click();
  bridge.emit('overview.changed', { revision: 1 });
  await expect.element(screen.getByText(/^group\/app is no longer backed up/)).not.toBeInTheDocument();
  expect(bridge.asked('overview.dismiss')).toEqual([{ items: ['3f2a91bc00'] }]);
  const [toast] = toasts.list.slice(-1);
  expect(toast).toMatchObject({
    text: 'Dismissed: group/app is no longer backed up.',
    action: { label: 'Undo' },
  });
  toast?.action?.run();
  await expect.poll(() => bridge.asked('overview.restore')).toEqual([{ items: ['3f2a91bc00'] }]);
});

test('the overview needs no horizontal scrolling at 900 × 600 and at twice the zoom', async () => {
  const { screen } = await openOverview({
    'overview.show': exampleOverview({ attention: attentionItems.map(([, attention]) => attention) }),
  });
  await expect.element(screen.getByText('All 212 projects have an archive.')).toBeVisible();
  onTestFinished(() => page.viewport(1280, 800));
  for (const width of [900, 450]) {
    await page.viewport(width, 600);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  }
  await userEvent.keyboard('{Tab}');
});
