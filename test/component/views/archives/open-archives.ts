/** @file The view of archives, for component tests of actions on archives. */
import { onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import type { ArchiveSummary } from '../../../../src-contract/archives/archive.ts';
import { host } from '../../../../src-renderer/data/host.svelte.ts';
import { router, type RouteParameters } from '../../../../src-renderer/data/places/router.svelte.ts';
import ArchivesView from '../../../../src-renderer/views/archives/ArchivesView.svelte';
import { exampleCapabilities, exampleInstance } from '../../support/overview-examples.ts';
import { fails, scriptWindow, type Script, type ScriptedWindow } from '../../support/window.ts';
import { showView } from '../show-view.ts';
import { archive, archivedProject, described, projectPages } from './archives.ts';

/** The selected project. */
export const chosen = { project: 'work/group/app' };
export const detail = page.getByRole('article', { name: 'Archive of group/app' });
export const dialog = page.getByRole('dialog');

const stored = (summaries: readonly ArchiveSummary[]): Script => ({
  'archive.projects': projectPages(summaries.slice(0, 1).map((summary) => archivedProject(summary))),
  'archive.list': { archives: [...summaries], next: null },
  'archive.show': ({ archive: id }) =>
    described(summaries.find((summary) => summary.id === id) ?? summaries[0] ?? archive(1)),
  'instance.list': { instances: [exampleInstance()] },
  'settings.change': fails('internal'),
});

/** Shows the view of archives with these archives stored. Paths are chosen in a dialog of the system. */
export async function openArchives(
  script: Script = {},
  parameters: RouteParameters = chosen,
  summaries: readonly ArchiveSummary[] = [archive(1), archive(2)],
): Promise<ScriptedWindow> {
  const bridge = scriptWindow({
    ...stored(summaries),
    'host.capabilities': exampleCapabilities({ choosePath: true }),
    ...script,
  });
  await host.load();
  await showView(ArchivesView, 'archives', { parameters });
  onTestFinished(router.follow());
  return bridge;
}
