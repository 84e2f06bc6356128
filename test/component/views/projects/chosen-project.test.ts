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
const noBackup: ProjectBackupSummary = {
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
  'project.held': ({ projects }) => ({ projects: projects.map(() => noBackup) }),
  ...change,
});
const show = (project: string, of: string | null = 'work'): Promise<void> =>
  showView(ProjectsView, 'projects', { parameters: { project, of }, height: 520 });

test('a project missing from the stored list is fetched from its instance and shown with its backup status', async () => {
  const { waitsFor: _, ...shownProject } = projectRow(71, { fullPath: 'ada/fork' });
  const bridge = scriptWindow(script({ 'project.show': shownProject }));
  await show('ada/fork');
  await expect.element(panel.getByText('Never backed up')).toBeVisible();
  await expect.element(panel.getByRole('button', { name: 'Back up now' })).toBeEnabled();
  expect(bridge.asked('project.show')).toEqual([{ instance: 'work', project: 'ada/fork' }]);
  await expectAccessible();
  bridge.answer('project.held', { projects: [{ ...noBackup, backupStatus: 'current', archives: 1 }] });
  bridge.emit('archive.changed', { archiveId: 'archive-71', revision: 1 });
  await expect.element(panel.getByText('Current', { exact: true })).toBeVisible();
  expect(bridge.asked('project.show')).toHaveLength(1);
});

test('a project that moves while it is shown is followed to its new path', async () => {
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

test('a project that no longer exists keeps its shown details and cannot be backed up', async () => {
  const bridge = scriptWindow(script({ 'project.show': fails('project-missing') }));
  await show('group/project-00002');
  await expect.element(panel.getByRole('button', { name: 'Back up now' })).toBeEnabled();
  bridge.answer('project.page', pagesOf([projectRow(1)]));
  bridge.emit('project.changed', { instance: 'work', revision: 1 });
  await expect.element(panel.getByText('The list no longer has this project.')).toBeVisible();
  await expect.element(panel.getByRole('button', { name: 'Back up now' })).toBeDisabled();
  await expect.element(panel.getByText('About the project').first()).toBeVisible();
});

test('an unreachable instance shows an error, and the request can be repeated', async () => {
  const bridge = scriptWindow(script({ 'project.show': fails('connection-refused') }));
  await show('ada/fork');
  await expect.element(panel.getByRole('alert')).toBeVisible();
  bridge.answer('project.show', projectRow(71, { fullPath: 'ada/fork' }));
  await panel.getByRole('button', { name: 'Try again' }).click();
  await expect.element(panel.getByText('Never backed up')).toBeVisible();
  expect(panel.getByRole('alert').query()).toBeNull();
});

test('a project without an instance is reported as missing from the list', async () => {
  scriptWindow(script());
  await show('ada/fork', null);
  await expect.element(panel.getByText('The list no longer has this project.')).toBeVisible();
});
