import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { host } from '../../../../src-renderer/data/host.svelte.ts';
import { router, type RouteParameters } from '../../../../src-renderer/data/places/router.svelte.ts';
import ArchivesView from '../../../../src-renderer/views/archives/ArchivesView.svelte';
import { exampleCapabilities } from '../../support/overview-examples.ts';
import { expectAccessible, fails, pending, scriptWindow, type Script } from '../../support/window.ts';
import { showView } from '../show-view.ts';
import { archive, archivedProject, described, inspection, projectPages } from './archives.ts';

const payload = '<img src=x onerror="document.title=\'ran\'">';

const script = (change: Script = {}): Script => ({
  'archive.projects': projectPages([archivedProject(archive(1), { archives: 2 })]),
  'archive.list': { archives: [archive(1), archive(2)], next: null },
  'archive.show': ({ archive: id }) => described(id === 'archive-2' ? archive(2) : archive(1)),
  'settings.change': fails('internal'),
  ...change,
});

async function show(
  parameters: RouteParameters = {},
  size: { width?: number; height?: number } = {},
): Promise<void> {
  await showView(ArchivesView, 'archives', { parameters, ...size });
  onTestFinished(router.follow());
}

/** Loads the capabilities of the host, as the frame does. */
async function withHost(): Promise<void> {
  await host.load();
}

const chosen = { project: 'work/group/app' };
const detail = page.getByRole('article', { name: 'Archive of group/app' });

test('the list of projects shows that it is loading', async () => {
  scriptWindow(script({ 'archive.projects': pending }));
  await show();
  await expect.element(page.getByRole('status').filter({ hasText: 'Loading…' })).toBeVisible();
});

test('an empty store shows what to do next', async () => {
  scriptWindow(script({ 'archive.projects': { projects: [], total: 0 } }));
  await show();
  await expect.element(page.getByText('Nothing is stored yet')).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Back up projects' }).click();
  expect(router.view).toBe('projects');
});

test('a list that fails to load shows the error and can be loaded again', async () => {
  const bridge = scriptWindow(script({ 'archive.projects': fails('catalogue-busy') }));
  await show();
  await expect.element(page.getByRole('alert')).toBeVisible();
  await expectAccessible();
  bridge.answer('archive.projects', projectPages([archivedProject(archive(1))]));
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByRole('grid').getByText('app', { exact: true })).toBeVisible();
});

test('projects are found by a part of their path', async () => {
  const bridge = scriptWindow(
    script({
      'archive.projects': projectPages([
        archivedProject(archive(1)),
        archivedProject(archive(1, { fullPath: 'other/tool' })),
      ]),
    }),
  );
  await show();
  await page.getByRole('searchbox', { name: 'Search projects' }).fill('other');
  await expect.element(page.getByRole('grid').getByText('tool', { exact: true })).toBeVisible();
  await expect.element(page.getByRole('grid').getByText('app', { exact: true })).not.toBeInTheDocument();
  expect(bridge.asked('archive.projects').at(-1)).toMatchObject({ search: 'other', offset: 0 });
  await page.getByRole('searchbox', { name: 'Search projects' }).fill('nobody');
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect.element(page.getByRole('grid').getByText('app', { exact: true })).toBeVisible();
});

test('a project shows the counts of its newest archive beside those of the source', async () => {
  const bridge = scriptWindow(script({ 'archive.show': described(archive(1), 10) }));
  await show(chosen);
  expect(bridge.asked('archive.list')).toEqual([
    { instance: 'work', project: 'group/app', before: null, limit: 100 },
  ]);
  const row = (name: string) => detail.getByRole('row', { name: new RegExp(`^${name}`) });
  await expect.element(row('Issues')).toMatchTextContent(/9\s*10\s*10\s*1 missing/);
  await expect.element(row('Labels')).toMatchTextContent(/3\s*3\s*4\s*Source changed meanwhile/);
  await expect.element(row('Comments on issues')).toMatchTextContent(/40\s*40\s*40\s*None/);
  await expect.element(detail.getByText('2 branches, 1 tag, 22 objects')).toBeVisible();
  await expectAccessible();
});

test('arrow keys move along the timeline of archives', async () => {
  scriptWindow(script());
  await show(chosen);
  const timeline = page.getByRole('listbox', { name: 'Archives of group/app' });
  const first = timeline.getByRole('option').first();
  await expect.element(first).toHaveAttribute('aria-selected', 'true');
  first.element().focus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(timeline.getByRole('option').nth(1)).toHaveAttribute('aria-selected', 'true');
  expect(router.parameter('archive')).toBe('archive-2');
});

test('older archives are shown on request', async () => {
  const many = Array.from({ length: 150 }, (_, at) => archive(1, { id: `archive-${at + 1}` }));
  const bridge = scriptWindow(
    script({
      'archive.list': ({ before, limit }) => {
        const from = before === null ? 0 : many.findIndex(({ id }) => id === before) + 1;
        const archives = many.slice(from, from + limit);
        return { archives, next: from + limit < many.length ? (archives.at(-1)?.id ?? null) : null };
      },
      'archive.show': ({ archive: id }) => described(archive(1, { id })),
    }),
  );
  await show(chosen);
  await page.getByRole('button', { name: 'Show older archives' }).click();
  await expect.poll(() => document.querySelectorAll('[role=option]').length).toBe(150);
  expect(bridge.asked('archive.list').at(-1)).toMatchObject({ before: 'archive-100' });
});

test('a damaged archive shows nothing as proven, and its damage has a time', async () => {
  const found = new Date(Date.now() - 5000).toISOString();
  const damaged = archive(1, { damaged: { at: found, reason: 'The content differs (SHA-256)' } });
  scriptWindow(
    script({
      'archive.list': { archives: [damaged], next: null },
      'archive.show': described(damaged),
    }),
  );
  await show(chosen);
  await expect.element(detail.getByText('Damaged since today')).toBeVisible();
  const importing = detail.getByRole('button', { name: 'Import…' });
  await expect.element(importing).toBeDisabled();
  await expect.element(importing).toHaveAttribute('title', 'A damaged archive cannot be imported.');
  await expect.element(detail.getByText(/^Read completely/)).not.toBeInTheDocument();
  await expect
    .element(detail.getByText('differs (SHA-256). Back up the project again', { exact: false }))
    .toBeVisible();
  await expect.element(detail.getByText(/^Counted when the archive was stored/)).toBeVisible();
  expect(detail.element().querySelectorAll('.badge.good')).toHaveLength(0);
  await detail.getByRole('tab', { name: /^Findings\s*1$/ }).click();
  await expect.element(detail.getByRole('list').getByText('The content differs (SHA-256)')).toBeVisible();
  await expectAccessible();
});

test('damage is shown with its reason, and so is an archive that cannot be reached', async () => {
  const damaged = archive(1, { damaged: { at: '2026-11-20T08:00:00.000Z', reason: 'Its size changed.' } });
  const absent = archive(2, { absent: true });
  scriptWindow(
    script({
      'archive.list': { archives: [damaged, absent], next: null },
      'archive.show': ({ archive: id }) =>
        id === 'archive-2' ? fails('archive-missing') : described(damaged),
    }),
  );
  await show(chosen);
  await expect.element(detail.getByText(/Its size changed/)).toBeVisible();
  await page.getByRole('option').nth(1).click();
  await expect.element(detail.getByText('This archive cannot be reached at the moment')).toBeVisible();
  await expect.element(detail.getByRole('button', { name: 'Import…' })).toBeDisabled();
});

test('an archive is verified to the requested level, and the verification can be cancelled', async () => {
  const bridge = scriptWindow(
    script({
      'archive.verify': async (_request, { progress, signal }) => {
        progress({ step: 'read', unit: 'bytes', done: 500_000, total: 1_000_000 });
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve);
        });
        return fails('cancelled');
      },
    }),
  );
  await show(chosen);
  await detail.getByRole('button', { name: 'Verify' }).click();
  await page.getByRole('menuitem', { name: 'Verify that it is readable (reads it to the end)' }).click();
  await expect.element(detail.getByText('500 kB of 1 MB')).toBeVisible();
  await detail.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(detail.getByRole('progressbar')).not.toBeInTheDocument();

  bridge.answer('archive.verify', {
    summary: archive(1),
    proof: { level: 'L1', at: '2026-11-20T09:00:00.000Z', detail: null },
    damaged: null,
    findings: [],
  });
  await detail.getByRole('button', { name: 'Verify' }).click();
  await page.getByRole('menuitem', { name: 'Verify that it is unchanged (compares the checksum)' }).click();
  await expect.poll(() => bridge.asked('archive.show').length).toBeGreaterThan(1);
  expect(bridge.asked('archive.verify')).toEqual([
    { archive: 'archive-1', level: 'L2' },
    { archive: 'archive-1', level: 'L1' },
  ]);
});

test('any record of an archive can be read, line by line', async () => {
  const bridge = scriptWindow(
    script({
      'archive.record': ({ relation, line }) => {
        const value = { title: `${payload} ${line}`, iid: line + 1 };
        const record = { relation, line, text: JSON.stringify(value), truncated: false, value };
        return {
          ...record,
          ...{ previous: null, next: null, suspicions: [], url: null },
          notLookedFor: ['Duplicates were not looked for.'],
        };
      },
    }),
  );
  await show(chosen);
  await detail.getByRole('tab', { name: 'Records' }).click();
  await detail.getByLabelText('Line', { exact: true }).fill('3');
  await userEvent.keyboard('{Enter}');
  await expect.element(detail.getByRole('heading', { name: `#4 ${payload} 3` })).toBeVisible();
  await expect.element(detail.getByText('Duplicates were not looked for.')).toBeVisible();
  await detail.getByRole('button', { name: 'Next line' }).click();
  await expect.element(detail.getByRole('heading', { name: `#5 ${payload} 4` })).toBeVisible();
  expect(bridge.asked('archive.record')).toEqual([
    { archive: 'archive-1', relation: 'issues', line: 3 },
    { archive: 'archive-1', relation: 'issues', line: 4 },
  ]);
  await expectAccessible();
  expect(document.title).not.toBe('ran');
});

test('findings and details are shown as text, whatever names a server or an archive contains', async () => {
  const stored = archive(1, { fullPath: `group/${payload}`, findings: 1 });
  const shown = described(stored);
  shown.manifest.project.name = payload;
  shown.manifest.findings = [
    { code: 'duplicate-member', severity: 'warning', message: payload, where: payload },
  ];
  scriptWindow(
    script({
      'archive.projects': projectPages([archivedProject(stored)]),
      'archive.list': { archives: [stored], next: null },
      'archive.show': shown,
    }),
  );
  await show({ project: `work/group/${payload}` });
  await page.getByRole('tab', { name: /^Findings/ }).click();
  await expect.element(page.getByRole('paragraph').filter({ hasText: payload }).first()).toBeVisible();
  await expectAccessible();
  await page.getByRole('tab', { name: 'Details' }).click();
  await expect.element(page.getByText(stored.absolutePath)).toBeVisible();
  await expectAccessible();
  expect(document.querySelector('img')).toBeNull();
  expect(document.title).not.toBe('ran');
});

test('a link that names only an archive finds its project', async () => {
  scriptWindow(script());
  await show({ archive: 'archive-2' });
  await expect.element(page.getByRole('option').nth(1)).toHaveAttribute('aria-selected', 'true');
});

test('a file from outside the store is read with progress, and is reported if it is suspicious', async () => {
  const bridge = scriptWindow(
    script({
      'archive.inspect': async (_request, { progress, signal }) => {
        progress({ step: 'read', unit: 'bytes', done: 1_000_000, total: 2_000_000 });
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve);
        });
        return fails('cancelled');
      },
    }),
  );
  await show({ file: '/downloads/app_export.tar.gz' });
  await expect.element(page.getByText('1 MB of 2 MB')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Import…' })).toBeDisabled();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(page.getByText('Reading was stopped.')).toBeVisible();

  bridge.answer('archive.inspect', inspection({ verdict: 'suspicious' }));
  await page.getByRole('button', { name: 'Read it again' }).click();
  await expect.element(page.getByText('The file can be read, but looks suspicious')).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Import…' }).click();
  expect([router.view, router.parameter('archive')]).toEqual(['import', '/downloads/app_export.tar.gz']);
});

test('an archive file is opened in the file dialog of the system, whether or not a project is selected', async () => {
  const bridge = scriptWindow(
    script({
      'host.capabilities': exampleCapabilities({ choosePath: true }),
      'host.choosePath': { path: null },
      'archive.inspect': inspection(),
    }),
  );
  await withHost();
  for (const parameters of [{}, chosen]) {
    await show(parameters);
    bridge.answer('host.choosePath', { path: null });
    await page.getByRole('button', { name: 'Open an archive file…' }).click();
    await expect.poll(() => bridge.asked('host.choosePath').length).toBeGreaterThan(0);
    // Nothing was chosen, so the previous content stays.
    expect(router.parameter('project')).toBe('project' in parameters ? parameters.project : null);
    bridge.answer('host.choosePath', { path: '/downloads/app_export.tar.gz' });
    await page.getByRole('button', { name: 'Open an archive file…' }).click();
    await expect.element(page.getByRole('heading', { name: 'app_export.tar.gz' })).toBeVisible();
    expect(router.parameter('file')).toBe('/downloads/app_export.tar.gz');
  }
});

test('without a file dialog of the system, an archive file is opened in that of the page', async () => {
  const bridge = scriptWindow(
    script({
      'host.capabilities': exampleCapabilities({ host: 'browser', choosePath: false }),
      'archive.inspect': inspection(),
    }),
  );
  await withHost();
  await show(chosen);
  const opened: HTMLInputElement[] = [];
  const click = vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(function (
    this: HTMLInputElement,
  ) {
    opened.push(this);
  });
  onTestFinished(() => {
    click.mockRestore();
  });
  await page.getByRole('button', { name: 'Open an archive file…' }).click();
  await expect.poll(() => opened).toHaveLength(1);
  const [input] = opened;
  if (input === undefined) throw new Error('no chooser');
  expect(input.type).toBe('file');
  await userEvent.upload(input, new File(['x'], 'app_export.tar.gz'));
  await expect.element(page.getByRole('heading', { name: 'app_export.tar.gz' })).toBeVisible();
  expect(router.parameter('file')).toBe('/dropped/app_export.tar.gz');
  expect(bridge.dropped.map(({ name }) => name)).toEqual(['app_export.tar.gz']);
  // The app then reads a copy, and the view states this.
  await expect.element(page.getByText(/kept until Packhorse stops/)).toBeVisible();
  expect(input.isConnected).toBe(false);
});

test('a file that cannot be read shows the error', async () => {
  scriptWindow(script({ 'archive.inspect': fails('archive-missing') }));
  await show({ file: '/gone.tar.gz' });
  await expect.element(page.getByRole('alert')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible();
});

test('a rescan shows what it found, and names the unreadable files and the first missing archives', async () => {
  scriptWindow(
    script({
      'archive.rescan': {
        found: 12,
        added: 2,
        missing: 13,
        missingArchives: Array.from({ length: 12 }, (_, index) => `/archives/gone-${index + 1}.tar.gz`),
        absentFolders: [{ path: '/mnt/usb', archives: ['/mnt/usb/far_export.tar.gz'] }],
        unreadable: [
          {
            path: `bad/${payload}`,
            error: { code: 'disk-denied', message: 'no', retry: 'never', details: {} },
          },
        ],
        withoutManifest: [],
      },
    }),
  );
  await show();
  await page.getByRole('button', { name: 'Rescan the store' }).click();
  await expect
    .element(page.getByText('12 archives found, 2 of them new, 13 missing or unreadable.'))
    .toBeVisible();
  await expect.element(page.getByText(`bad/${payload}`)).toBeVisible();
  await expect.element(page.getByText('12 archives missing from a connected folder:')).toBeVisible();
  await expect.element(page.getByText('/archives/gone-10.tar.gz')).toBeInTheDocument();
  await expect.element(page.getByText('and 2 more')).toBeInTheDocument();
  expect(page.getByText('/archives/gone-11.tar.gz').elements()).toEqual([]);
  await expect.element(page.getByText(/folder \/mnt\/usb is not available/)).toBeVisible();
  await expect.element(page.getByText('/mnt/usb/far_export.tar.gz')).toBeVisible();
});

// The space that a window of 900 × 600 leaves next to the navigation, and one of 1280 × 800 at 200 %.
test.each([
  [692, 600],
  [584, 400],
])('nothing is cut off in an area of %d × %d', async (width, height) => {
  scriptWindow(script());
  await show(chosen, { width, height });
  await expect.element(detail.getByRole('tab', { name: 'Details' })).toBeInTheDocument();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  const main = document.querySelector('main');
  expect(main?.scrollWidth).toBeLessThanOrEqual(main?.clientWidth ?? 0);
  await page.getByRole('button', { name: 'All projects' }).click();
  await expect.element(page.getByRole('grid', { name: 'Projects with archives' })).toBeVisible();
});
