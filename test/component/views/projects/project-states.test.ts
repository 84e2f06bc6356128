/** @file The list shows obstacles to a backup, and projects that the instance will delete. */
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { WaitReason } from '../../../../src-contract/runs/wait-reasons.ts';
import ProjectsView from '../../../../src-renderer/views/projects/ProjectsView.svelte';
import { exampleJob } from '../../support/examples.ts';
import { exampleInstance } from '../../support/overview-examples.ts';
import { expectAccessible, fails, scriptWindow, type Script } from '../../support/window.ts';
import { showView } from '../show-view.ts';
import { pagesOf, projectRow } from './rows.ts';

const panel = page.getByRole('complementary');
const dialog = page.getByRole('dialog');
const grid = page.getByRole('grid', { name: 'Projects' });
const script = (change: Script = {}): Script => ({
  'instance.list': { instances: [exampleInstance()] },
  'project.page': pagesOf([projectRow(1), projectRow(2)]),
  'archive.list': { archives: [], next: null },
  'job.list': { jobs: [], next: null },
  'settings.change': fails('internal'),
  ...change,
});
const show = (parameters: Record<string, string> = {}): Promise<void> =>
  showView(ProjectsView, 'projects', { parameters, height: 520 });

test.each<[WaitReason | null, string]>([
  [null, 'Backing up…'],
  ['server-working', 'Backing up…'],
  ['rate-limited', 'Backing up…'],
  ['token-missing', 'Waiting for a token'],
  ['keychain', 'Waiting for a token'],
  ['network', 'Waiting for the network'],
])('an open backup that waits for %s is shown as "%s"', async (waitsFor, words) => {
  scriptWindow(script({ 'project.page': pagesOf([projectRow(1, { openJob: 'job-1', waitsFor })]) }));
  await show();
  await expect.element(grid.getByText(words)).toBeVisible();
});

test('a backup whose job has not started is shown as queued, not as running', async () => {
  const { liveJobs } = await import('../../../../src-renderer/data/calls/live-jobs.svelte.ts');
  const queued = exampleJob({ id: 'job-1', state: { status: 'queued' } });
  scriptWindow(
    script({
      'project.page': pagesOf([projectRow(1, { openJob: 'job-1' })]),
      'job.list': { jobs: [queued], next: null },
    }),
  );
  await show();
  await liveJobs.refresh();
  await expect.element(grid.getByText('Queued')).toBeVisible();
  await expect.element(grid.getByText('Backing up…')).not.toBeInTheDocument();
});

test.each([
  ['a read-only token', { tokenCanWrite: false }, /The token may only read/],
  ['a read-only instance', { readOnly: true }, /set to read only/],
  ['a missing account', { anonymous: true, username: null }, /without an account/],
])('%s prevents a backup, and the reason is shown before the start', async (_, instance, why) => {
  const bridge = scriptWindow(
    script({
      'instance.list': { instances: [exampleInstance(instance), exampleInstance({ name: 'mirror' })] },
      'project.page': pagesOf([projectRow(1), projectRow(3, { instance: 'mirror', fullPath: 'other/app' })]),
    }),
  );
  await show({ project: 'group/project-00001', of: 'work' });
  await expect.element(panel.getByRole('button', { name: 'Back up now' })).toBeDisabled();
  await expect.element(panel.getByText(why)).toBeVisible();
  (grid.element() as HTMLElement).focus();
  await userEvent.keyboard('{Control>}a{/Control}');
  await page.getByRole('button', { name: 'Back up 2 projects…' }).click();
  await expect.element(dialog.getByText('1 selected project is left out:')).toBeVisible();
  await expect.element(dialog.getByText(why)).toBeVisible();
  await expect.element(dialog.getByText('mirror: 1 project')).toBeVisible();
  await expectAccessible();
  expect(bridge.asked('backup.start')).toEqual([]);
});

test('a project marked for deletion shows since when, in the list and in its panel', async () => {
  const marked = projectRow(1, { archived: true, markedForDeletionOn: '2026-11-20' });
  scriptWindow(script({ 'project.page': pagesOf([marked]) }));
  await show({ project: marked.fullPath, of: 'work' });
  await expect.element(grid.getByLabelText(/Marked for deletion on 20 Nov 2026/)).toBeVisible();
  await expect.element(panel.getByText('Marked for deletion', { exact: true })).toBeVisible();
  await expect.element(panel.getByText('20 Nov 2026', { exact: true })).toBeVisible();
  await expectAccessible();
});
