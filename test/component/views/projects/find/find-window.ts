/** @file The view that finds projects, in a window with scripted replies. */
import { page } from 'vitest/browser';
import type { ParsedRequest } from '../../../../../src-contract/calls.ts';
import type { ProjectBackupSummary } from '../../../../../src-contract/projects/project.ts';
import { type RouteParameters } from '../../../../../src-renderer/data/places/router.svelte.ts';
import FindView from '../../../../../src-renderer/views/projects/find/FindView.svelte';
import { exampleInstance } from '../../../support/overview-examples.ts';
import { fails, type Script } from '../../../support/window.ts';
import { projectRow } from '../rows.ts';
import { showView } from '../../show-view.ts';

export const never: ProjectBackupSummary = {
  backupStatus: 'never',
  archives: 0,
  newestArchive: null,
  openJob: null,
  waitsFor: null,
};

/** Returns replies with this many projects, in pages of a hundred. */
export const parts =
  (count: number) =>
  ({ cursor }: ParsedRequest<'project.find'>) => {
    const from = Number(cursor ?? 0);
    const to = Math.min(count, from + 100);
    return {
      projects: Array.from({ length: to - from }, (_, at) => projectRow(from + at + 1)),
      next: to < count ? String(to) : null,
      total: count,
    };
  };

export const script = (change: Script = {}): Script => ({
  'instance.list': { instances: [exampleInstance(), exampleInstance({ name: 'mirror' })] },
  'project.find': parts(3),
  'project.held': ({ projects }) => ({ projects: projects.map(() => never) }),
  'project.page': { projects: [], total: 0, lists: [] },
  'archive.list': { archives: [], next: null },
  'job.list': { jobs: [], next: null },
  'settings.change': fails('internal'),
  ...change,
});
/** Shows the view in a low window, because axe checks every row. */
export const show = (parameters: RouteParameters = {}, width?: number): Promise<void> =>
  showView(FindView, 'find', { parameters, height: 520, ...(width === undefined ? {} : { width }) });
export const grid = page.getByRole('grid', { name: 'Found projects' });
export const panel = page.getByRole('complementary');
export const dialog = page.getByRole('dialog');
export const list = page.getByLabelText('Which projects', { exact: true });
