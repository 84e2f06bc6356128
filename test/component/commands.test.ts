import type { Component } from 'svelte';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { initialPreferences } from '../../src-contract/settings.ts';
import { host } from '../../src-renderer/data/host.svelte.ts';
import { navigationViews, router, type ViewName } from '../../src-renderer/data/places/router.svelte.ts';
import { viewText } from '../../src-renderer/data/places/views.text.ts';
import Frame from '../../src-renderer/shell/Frame.svelte';
import ArchivesView from '../../src-renderer/views/archives/ArchivesView.svelte';
import WindowCommands from '../../src-renderer/views/commands/WindowCommands.svelte';
import SettingsView from '../../src-renderer/views/settings/SettingsView.svelte';
import PlainView from './support/PlainView.svelte';
import { exampleJob } from './support/examples.ts';
import {
  exampleCapabilities,
  exampleInstanceOverview,
  exampleOverview,
  examplePlan,
  exampleSettings,
} from './support/overview-examples.ts';
import { expectAccessible, scriptWindow, type Script } from './support/window.ts';
import { projectPages } from './views/archives/archives.ts';

const noProjects = { projects: [], total: 0, lists: [] };

async function open(script: Script = {}, views: Partial<Record<ViewName, Component>> = {}) {
  const bridge = scriptWindow({
    'host.capabilities': exampleCapabilities({ host: 'desktop' }),
    'overview.show': exampleOverview({
      instances: [exampleInstanceOverview({ plan: examplePlan() }), exampleInstanceOverview({ name: 'new' })],
    }),
    'settings.show': exampleSettings(),
    'job.list': { jobs: [], next: null },
    'run.list': { runs: [], next: null },
    'project.page': noProjects,
    ...script,
  });
  const all: Record<ViewName, Component> = {
    overview: PlainView,
    projects: PlainView,
    plans: PlainView,
    migrations: PlainView,
    find: PlainView,
    archives: PlainView,
    import: PlainView,
    check: PlainView,
    activity: PlainView,
    instances: PlainView,
    tokens: PlainView,
    settings: PlainView,
    ...views,
  };
  // Clears the address of the previous test.
  router.follow()();
  await render(Frame, { views: all, globalActions: WindowCommands });
  await expect.poll(() => bridge.asked('overview.show').length).toBeGreaterThan(0);
  return bridge;
}

async function type(words: string): Promise<void> {
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(page.getByRole('combobox', { name: 'Commands' })).toHaveFocus();
  await userEvent.keyboard(words);
}
const option = (name: RegExp | string) => page.getByRole('option', { name });
const hash = () => window.location.hash;

test('the command palette lists actions before views that match equally well', async () => {
  await open();
  await type('backup');
  await expect.element(option(/Back up all projects of work/)).toHaveAttribute('aria-selected', 'true');
  await expect.element(option(/Back up all projects of new/)).toBeVisible();
  await expect.element(option(/Choose projects to back up/)).toBeVisible();
  await expect.element(option(/Add a plan for work/)).toBeVisible();
  const titles = page
    .getByRole('option')
    .elements()
    .map((element) => element.textContent.trim());
  expect(titles.findIndex((title) => title.startsWith('Go to '))).toBe(titles.length - 1);
  await expectAccessible({ whole: true });
});

test('the palette backs up all projects of an instance only after a dialog states their number', async () => {
  const bridge = await open({
    'backup.start': {
      runId: 'run-1',
      jobIds: ['job-1'],
      resumed: false,
      covers: null,
      notes: [],
      refused: [],
      skipped: [],
    },
  });
  await type('back up all projects of work');
  await userEvent.keyboard('{Enter}');
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByText(/212 projects/).first()).toBeVisible();
  expect(bridge.asked('backup.start')).toEqual([]);
  await dialog.getByRole('button', { name: /Back up 212 projects/ }).click();
  await expect
    .poll(() => bridge.asked('backup.start'))
    .toEqual([{ instance: 'work', projects: 'all', keepExisting: false, waits: true }]);
});

test.each([
  ['add an instance', '#/instances?add=instance'],
  ['import an', '#/import'],
  ['check an import…', '#/check'],
  ['find projects on work', '#/find?instance=work'],
  ['starred', '#/find?instance=work'],
  ['create a project', '#/projects?create=project'],
  ['schedule work', '#/plans?add=work'],
])('typing “%s” in the palette opens %s', async (words, to) => {
  await open();
  await type(words);
  await userEvent.keyboard('{Enter}');
  await expect.poll(hash).toBe(to);
});

test('the palette command “refresh” fetches the project lists of all instances', async () => {
  const bridge = await open({ 'instance.refresh': { projects: 1, refreshedAt: '2026-11-20T08:00:00.000Z' } });
  await type('refresh');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => bridge.asked('instance.refresh').map(({ name }) => name)).toEqual(['work', 'new']);
});

test('Ctrl+O opens an archive file, whichever view is shown', async () => {
  const bridge = await open({ 'host.choosePath': { path: '/downloads/app_export.tar.gz' } });
  await expect.poll(() => host.capabilities).not.toBeNull();
  await type('open an archive');
  await expect.element(option(/Open an archive file….*Ctrl.*O/)).toBeVisible();
  await userEvent.keyboard('{Escape}');
  for (const view of navigationViews) {
    router.go(view);
    await expect.element(page.getByRole('heading', { level: 1, name: viewText[view] })).toBeVisible();
    await userEvent.keyboard('{Control>}o{/Control}');
    await expect.poll(hash).toBe('#/archives?file=%2Fdownloads%2Fapp_export.tar.gz');
  }
  expect(bridge.asked('host.choosePath')).toEqual(navigationViews.map(() => ({ what: 'archive' })));
});

test('the palette command “rescan” opens the archives, rescans the store once and shows the result there', async () => {
  const bridge = await open(
    {
      'archive.projects': projectPages([]),
      'archive.rescan': {
        found: 12,
        added: 2,
        missing: 0,
        missingArchives: [],
        absentFolders: [],
        unreadable: [],
        withoutManifest: [],
      },
    },
    { archives: ArchivesView },
  );
  await type('rescan');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('12 archives found, 2 of them new, none missing.')).toBeVisible();
  expect(hash()).toBe('#/archives');
  expect(bridge.asked('archive.rescan')).toHaveLength(1);
});

test('the palette command “doctor” opens the settings, runs the doctor once and scrolls to its result', async () => {
  const bridge = await open(
    {
      'doctor.run': {
        checks: Array.from({ length: 9 }, (_, at) => ({
          name: `part ${at}`,
          ok: true,
          value: 'fine',
          todo: null,
        })),
      },
      'host.describe': { appVersion: '0.2.0', dataFolder: '/data', archiveRoot: '/data/archives' },
      'storage.list': { storages: [] },
    },
    { settings: SettingsView },
  );
  await type('doctor');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('part 0')).toBeInViewport();
  expect(bridge.asked('doctor.run')).toHaveLength(1);
});

test('the appearance can be changed, and the current one is not offered', async () => {
  const bridge = await open({
    'settings.change': exampleSettings({ preferences: { ...initialPreferences, appearance: 'dark' } }),
  });
  await type('appearance');
  await expect.element(option(/Appearance: light/)).toBeVisible();
  await expect.element(option(/as the system/)).not.toBeInTheDocument();
  await userEvent.keyboard(' dark{Enter}');
  await expect.poll(() => document.documentElement.dataset['appearance']).toBe('dark');
  expect(bridge.asked('settings.change')).toEqual([{ preferences: { appearance: 'dark' } }]);
});

test('the project list of a target is fetched again once, when its last import ends', async () => {
  const running = (id: string) => exampleJob({ id, kind: 'import', instance: 'new', project: `group/${id}` });
  const bridge = await open({
    'job.list': { jobs: [running('a'), running('b'), exampleJob({ id: 'c' })], next: null },
    'instance.refresh': { projects: 1, refreshedAt: '2026-11-20T08:00:00.000Z' },
  });
  const changed = async (jobs: ReturnType<typeof exampleJob>[]) => {
    const before = bridge.asked('job.list').length;
    bridge.answer('job.list', { jobs, next: null });
    bridge.emit('job.changed', { jobId: 'a', runId: '1', revision: 1 });
    await expect.poll(() => bridge.asked('job.list').length).toBeGreaterThan(before);
  };
  await changed([running('b')]);
  // A backup that ended adds no project.
  expect(bridge.asked('instance.refresh')).toEqual([]);
  await changed([]);
  await expect.poll(() => bridge.asked('instance.refresh')).toEqual([{ name: 'new', visible: false }]);
  await changed([]);
  expect(bridge.asked('instance.refresh')).toHaveLength(1);
});
