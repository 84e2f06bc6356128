/** @file The panel of a project that the stored list lacks, or no longer has at that path. */
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { ProjectBackupSummary } from '../../../../src-contract/projects/project.ts';
import { router } from '../../../../src-renderer/data/places/router.svelte.ts';
import ProjectsView from '../../../../src-renderer/views/projects/ProjectsView.svelte';
import { exampleInstance } from '../../support/overview-examples.ts';
import { expectAccessible, fails, scriptWindow, type Script } from '../../support/window.ts';
import { showView } from '../show-view.ts';
import { pagesOf, projectRow } from './rows.ts';

const panel = page.getByRole('complementary');
const nothing: ProjectBackupSummary = {
  backupStatus: 'never',
  archives: 0,
  newestArchive: null,
  openJob: null,
  waitsFor: null,
};
const script = (change: Script = {}): Script => ({
  'instance.list': { instances: [exampleInstance()] },
  'project.page': pagesOf([projectRow(1), projectRow(2)]),
  'archive.list': { archives: [], next: null },
  'job.list': { jobs: [], next: null },
  'settings.change': fails('internal'),
  'project.held': ({ projects }) => ({ projects: projects.map(() => nothing) }),
  ...change,
});
const show = (project: string, of: string | null = 'work'): Promise<void> =>
  showView(ProjectsView, 'projects', { parameters: { project, of }, height: 520 });

test('one that no list has is told by its instance, with what is held of it', async () => {
  const { waitsFor: _, ...told } = projectRow(71, { fullPath: 'ada/fork' });
  const bridge = scriptWindow(script({ 'project.show': told }));
  await show('ada/fork');
  await expect.element(panel.getByText('Never backed up')).toBeVisible();
  await expect.element(panel.getByRole('button', { name: 'Back up now' })).toBeEnabled();
  expect(bridge.asked('project.show')).toEqual([{ instance: 'work', project: 'ada/fork' }]);
  await expectAccessible();
  bridge.answer('project.held', { projects: [{ ...nothing, backupStatus: 'current', archives: 1 }] });
  bridge.emit('archive.changed', { archiveId: 'archive-71', revision: 1 });
  await expect.element(panel.getByText('Current', { exact: true })).toBeVisible();
  expect(bridge.asked('project.show')).toHaveLength(1);
});

test('one that moved is followed to its new path while it is shown', async () => {
  const moved = projectRow(2, { fullPath: 'elsewhere/atlas' });
  const bridge = scriptWindow(script({ 'project.show': moved }));
  await show('group/project-00002');
  await expect.element(panel.getByRole('button', { name: 'Back up now' })).toBeEnabled();
  bridge.answer('project.page', pagesOf([projectRow(1), moved]));
  bridge.emit('project.changed', { instance: 'work', revision: 1 });
  await expect.element(panel.getByRole('heading', { name: 'elsewhere/atlas' })).toBeVisible();
  expect(router.parameter('project')).toBe('elsewhere/atlas');
  expect(new Set(bridge.asked('project.show').map(({ project }) => project))).toEqual(new Set(['2']));
});

test('one that is gone keeps what was shown of it, and cannot be backed up', async () => {
  const bridge = scriptWindow(script({ 'project.show': fails('project-missing') }));
  await show('group/project-00002');
  await expect.element(panel.getByRole('button', { name: 'Back up now' })).toBeEnabled();
  bridge.answer('project.page', pagesOf([projectRow(1)]));
  bridge.emit('project.changed', { instance: 'work', revision: 1 });
  await expect.element(panel.getByText('The list no longer has this project.')).toBeVisible();
  await expect.element(panel.getByRole('button', { name: 'Back up now' })).toBeDisabled();
  await expect.element(panel.getByText('About the project').first()).toBeVisible();
});

test('while its instance cannot be reached that is said, and it is asked again', async () => {
  const bridge = scriptWindow(script({ 'project.show': fails('connection-refused') }));
  await show('ada/fork');
  await expect.element(panel.getByRole('alert')).toBeVisible();
  bridge.answer('project.show', projectRow(71, { fullPath: 'ada/fork' }));
  await panel.getByRole('button', { name: 'Try again' }).click();
  await expect.element(panel.getByText('Never backed up')).toBeVisible();
  expect(panel.getByRole('alert').query()).toBeNull();
});

test('without an instance nobody can be asked', async () => {
  scriptWindow(script());
  await show('ada/fork', null);
  await expect.element(panel.getByText('The list no longer has this project.')).toBeVisible();
});
