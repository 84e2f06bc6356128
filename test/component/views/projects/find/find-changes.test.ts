/** @file Found projects are updated when they change. */
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { fails, scriptWindow } from '../../../support/window.ts';
import { projectRow } from '../rows.ts';
import { dialog, grid, never, panel, script, show } from './find-window.ts';

test('selected projects are backed up, and their backup status is updated without another request to the instance', async () => {
  const bridge = scriptWindow(
    script({
      'backup.start': {
        runId: 'run-1',
        jobIds: ['job-1', 'job-2', 'job-3'],
        resumed: false,
        covers: null,
        notes: [],
        skipped: [],
        refused: [],
      },
    }),
  );
  await show();
  await expect.element(grid).toHaveAttribute('aria-rowcount', '4');
  (grid.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(panel.getByText('Never backed up')).toBeVisible();
  await userEvent.keyboard('{Control>}a{/Control}');
  await page.getByRole('button', { name: 'Back up 3 projects…' }).click();
  await expect.element(dialog.getByText('work: 3 projects')).toBeVisible();
  await dialog.getByRole('button', { name: 'Back up 3 projects' }).click();
  await expect.element(dialog.getByText('work: 3 backups started')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  expect(bridge.asked('backup.start')).toEqual([
    { instance: 'work', projects: ['1', '2', '3'], keepExisting: false },
  ]);
  bridge.answer('project.held', ({ projects }) => ({
    projects: projects.map(() => ({ ...never, backupStatus: 'current' as const, archives: 1 })),
  }));
  bridge.emit('archive.changed', { archiveId: null, revision: 1 });
  await expect.element(grid.getByText('Current').first()).toBeVisible();
  await expect.element(panel.getByText('Current', { exact: true })).toBeVisible();
  expect(bridge.asked('project.find')).toHaveLength(1);
  expect(bridge.asked('project.show')).toEqual([]);
});

test('a project that was changed from its panel is shown in its new state, at its new path', async () => {
  const bridge = scriptWindow(script());
  await show();
  await expect.element(grid).toHaveAttribute('aria-rowcount', '4');
  (grid.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(panel.getByRole('heading', { name: 'group/project-00002' })).toBeVisible();
  bridge.answer('project.show', projectRow(2, { fullPath: 'group/atlas', archived: true }));
  bridge.emit('project.changed', { instance: 'work', revision: 1 });
  await expect.element(panel.getByRole('heading', { name: 'group/atlas' })).toBeVisible();
  await expect.element(grid.getByLabelText(', Archived on GitLab')).toBeVisible();
  await expect.element(grid).toHaveAttribute('aria-rowcount', '4');
  bridge.answer('project.show', fails('project-missing'));
  bridge.emit('project.changed', { instance: 'work', revision: 2 });
  await expect.element(grid).toHaveAttribute('aria-rowcount', '3');
  await expect.element(page.getByText('2 projects', { exact: true })).toBeVisible();
});

test('a late reply does not change the list that has replaced the earlier one', async () => {
  const answer = Promise.withResolvers<undefined>();
  const gone = async () => {
    await answer.promise;
    return fails('project-missing');
  };
  const bridge = scriptWindow(script());
  await show();
  await expect.element(grid).toHaveAttribute('aria-rowcount', '4');
  (grid.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(panel.getByRole('heading', { name: 'group/project-00002' })).toBeVisible();
  const requestsBefore = bridge.asked('project.show').length;
  bridge.answer('project.show', gone);
  bridge.emit('project.changed', { instance: 'work', revision: 1 });
  await expect.poll(() => bridge.asked('project.show').length).toBe(requestsBefore + 1);
  bridge.answer('project.find', { projects: [projectRow(7)], next: null, total: 1 });
  await page.getByPlaceholder('Search in names and paths').fill('other');
  await expect.element(page.getByText('1 project', { exact: true })).toBeVisible();
  answer.resolve(undefined);
  await answer.promise;
  await expect.element(grid).toHaveAttribute('aria-rowcount', '2');
  await expect.element(page.getByText('1 project', { exact: true })).toBeVisible();
});
