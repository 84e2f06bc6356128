import type { Component } from 'svelte';
import { expect, test, vi } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { hostCommands } from '../../../src-contract/host.ts';
import { initialPreferences } from '../../../src-contract/settings.ts';
import { toasts } from '../../../src-renderer/data/toasts.svelte.ts';
import { navigationViews, type ViewName } from '../../../src-renderer/data/places/router.svelte.ts';
import { viewText } from '../../../src-renderer/data/places/views.text.ts';
import Frame from '../../../src-renderer/shell/Frame.svelte';
import BrokenView from '../support/BrokenView.svelte';
import PlainView from '../support/PlainView.svelte';
import { exampleJob, exampleProjectRow } from '../support/examples.ts';
import { exampleCapabilities, exampleOverview, exampleSettings } from '../support/overview-examples.ts';
import { expectAccessible, fails, scriptWindow, type Script } from '../support/window.ts';

const plainViews: Record<ViewName, Component> = {
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
};

const overview = exampleOverview({
  instances: [],
  attention: [{ kind: 'token-missing', instance: 'work' }],
  moreAttention: 2,
});

async function openFrame(script: Script = {}, views: Partial<typeof plainViews> = {}) {
  const bridge = scriptWindow({
    'host.capabilities': exampleCapabilities({ host: 'browser' }),
    'overview.show': overview,
    'settings.show': exampleSettings(),
    'job.list': { jobs: [], next: null },
    'run.list': { runs: [], next: null },
    // Requests of the palette while a word is typed slowly.
    'project.page': { projects: [], total: 0, lists: [] },
    ...script,
  });
  return { bridge, screen: await render(Frame, { views: { ...plainViews, ...views } }) };
}
const link = (view: ViewName) => page.getByRole('link', { name: new RegExp(`^${viewText[view]}`) });
const heading = (view: ViewName) => page.getByRole('heading', { level: 1, name: viewText[view] });

test('every view has a navigation link, and the address names the view', async () => {
  await openFrame();
  for (const view of [...navigationViews.slice(1), navigationViews[0]]) {
    await link(view).click();
    await expect.element(heading(view)).toHaveFocus();
    expect(window.location.hash).toBe(`#/${view}`);
    await expect.element(link(view)).toHaveAttribute('aria-current', 'page');
  }
  window.history.back();
  await expect.element(heading('settings')).toBeVisible();
});

test('a deep link opens a view with its parameters, and an unknown view is reported as not found', async () => {
  window.location.hash = '#/projects?instance=work&project=group%2Fapp';
  const { screen } = await openFrame();
  await expect.element(heading('projects')).toBeVisible();
  await expect.element(screen.getByText('group/app')).toBeVisible();
  window.location.hash = '#/nowhere?x=1';
  const none = page.getByRole('heading', { level: 1, name: 'Page not found' });
  await expect.element(none).toHaveFocus();
  await expect.element(screen.getByText(/“nowhere”/)).toBeVisible();
  expect(document.querySelector('nav [aria-current]')).toBeNull();
  await expectAccessible({ whole: true });
  await page.getByRole('link', { name: 'Go to Overview' }).click();
  await expect.element(heading('overview')).toHaveFocus();
});

test('the navigation shows what needs attention and what runs, and follows the events', async () => {
  const { bridge, screen } = await openFrame();
  await expect.element(screen.getByRole('link', { name: /Overview.*3 things need attention/ })).toBeVisible();
  bridge.answer('job.list', { jobs: [exampleJob({ id: '1' }), exampleJob({ id: '2' })], next: null });
  bridge.emit('job.changed', { jobId: '1', runId: '1', revision: 1 });
  await expect.element(screen.getByRole('link', { name: /Activity.*2 jobs/ })).toBeVisible();
  bridge.answer('overview.show', { ...overview, moreAttention: 0 });
  bridge.emit('project.changed', { instance: 'work', revision: 1 });
  await expect.element(screen.getByRole('link', { name: /Overview.*1 thing needs attention/ })).toBeVisible();
});

test('the frame is accessible in both themes', async () => {
  await openFrame();
  await expect.element(heading('overview')).toBeVisible();
  await expectAccessible({ whole: true });
});

test('the first tab stop skips to the content', async () => {
  await openFrame();
  await userEvent.keyboard('{Tab}{Enter}');
  await expect.element(page.getByRole('main')).toHaveFocus();
});

test('Ctrl+K finds a view, and Enter opens it with the focus on its heading', async () => {
  await openFrame();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(page.getByRole('combobox', { name: 'Commands' })).toHaveFocus();
  await userEvent.keyboard('queue');
  await expect
    .element(page.getByRole('option', { name: /Go to Activity/ }))
    .toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{Enter}');
  await expect.element(heading('activity')).toHaveFocus();
  await expect.element(page.getByRole('combobox')).not.toBeInTheDocument();
});

test('in the palette arrow keys choose and wrap around; Home and End move in the text once there is some', async () => {
  await openFrame();
  await userEvent.keyboard('{Control>}k{/Control}');
  const options = page.getByRole('option');
  const chosen = () => options.elements().findIndex((option) => option.ariaSelected === 'true');
  await expect.poll(chosen).toBe(0);
  await userEvent.keyboard('{ArrowUp}');
  await expect.poll(chosen).toBe(options.elements().length - 1);
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  await expect.poll(chosen).toBe(1);
  await userEvent.keyboard('{End}');
  await expect.poll(chosen).toBe(options.elements().length - 1);
  await userEvent.keyboard('{Home}');
  await expect.poll(chosen).toBe(0);
  await userEvent.keyboard('go to');
  await expect.poll(() => options.elements().length).toBeGreaterThan(2);
  await userEvent.keyboard('{ArrowDown}{Home}');
  await expect.poll(chosen).toBe(1);
  const field = page.getByRole('combobox', { name: 'Commands' });
  expect(field.element()).toHaveProperty('selectionStart', 0);
  await expect
    .element(field)
    .toHaveAttribute('aria-activedescendant', options.elements()[1]?.id ?? 'no second option');
});

test('Ctrl+K finds a project by its name and opens it', async () => {
  const { bridge } = await openFrame({
    'project.page': {
      projects: [exampleProjectRow({ instance: 'work', fullPath: 'group/app' })],
      total: 1,
      lists: [],
    },
  });
  await userEvent.keyboard('{Control>}k{/Control}');
  await userEvent.keyboard('group/a');
  await expect.element(page.getByRole('option', { name: /group\/app/ })).toBeVisible();
  expect(bridge.asked('project.page').at(-1)).toMatchObject({ search: 'group/a', instance: null });
  await expectAccessible({ whole: true });
  await userEvent.keyboard('{Enter}');
  await expect.element(heading('projects')).toBeVisible();
  expect(window.location.hash).toBe('#/projects?instance=work&project=group%2Fapp');
});

test('in the desktop window Ctrl+K shows the shortcuts of the menu', async () => {
  await openFrame({ 'host.capabilities': exampleCapabilities({ host: 'desktop' }) });
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(page.getByRole('option', { name: /Go to Projects.*Ctrl.*2/ })).toBeVisible();
  await expect.element(page.getByRole('option', { name: /Go to Settings.*Ctrl.*,/ })).toBeVisible();
});

test('Ctrl+K states that nothing was found, even if the request for projects fails', async () => {
  await openFrame({ 'project.page': fails('catalogue-busy') });
  await userEvent.keyboard('{Control>}k{/Control}');
  await userEvent.keyboard('zzz');
  await expect.element(page.getByText('Nothing found.')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('combobox')).not.toBeInTheDocument();
});

test('? lists the keyboard shortcuts, and Escape closes the list', async () => {
  await openFrame();
  await userEvent.keyboard('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect.element(dialog).toBeVisible();
  await expect.element(dialog.getByText('Select all rows')).toBeVisible();
  await expectAccessible({ whole: true });
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
});

test('the host opens every view of the navigation, the command palette, and the object of a notification', async () => {
  const { bridge } = await openFrame();
  const opened = hostCommands.filter((command) => command !== 'palette');
  expect(opened).toEqual(navigationViews.map((view) => `view.${view}`));
  for (const view of ['archives', 'tokens'] as const) {
    bridge.emit('host.command', { command: `view.${view}` });
    await expect.element(heading(view)).toHaveFocus();
  }
  bridge.emit('host.command', { command: 'show', place: { what: 'run', id: 'r 7' } });
  await expect.poll(() => window.location.hash).toBe('#/activity?part=history&run=r+7');
  bridge.emit('host.command', { command: 'show', place: { what: 'plan', id: 'p1' } });
  await expect.poll(() => window.location.hash).toBe('#/plans?plan=p1');
  bridge.emit('host.command', { command: 'show', place: { what: 'archive', id: 'a1' } });
  await expect.poll(() => window.location.hash).toBe('#/archives?archive=a1');
  bridge.emit('host.command', { command: 'palette' });
  await expect.element(page.getByRole('combobox', { name: 'Commands' })).toHaveFocus();
});

test('the appearance is the one in the settings, and follows their changes', async () => {
  const { bridge } = await openFrame({
    'settings.show': exampleSettings({ preferences: { ...initialPreferences, appearance: 'dark' } }),
  });
  await expect.poll(() => document.documentElement.dataset['appearance']).toBe('dark');
  bridge.answer('settings.show', exampleSettings());
  bridge.emit('settings.changed', { revision: 2 });
  await expect.poll(() => document.documentElement.dataset['appearance']).toBeUndefined();
});

test('a view that fails shows an error, and the other views still open', async () => {
  const { screen } = await openFrame({}, { import: BrokenView });
  window.location.hash = '#/import';
  await expect.element(screen.getByText('This part of the window failed')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Reload the window' })).toBeVisible();
  await expectAccessible({ whole: true });
  window.location.hash = '#/archives';
  await expect.element(heading('archives')).toBeVisible();
});

test.each([
  ['at 900×600', 900, 600],
  ['at 200 % zoom of 1280×800', 640, 400],
])('every navigation link can be reached without horizontal scrolling %s', async (_, width, height) => {
  await page.viewport(width, height);
  try {
    await openFrame();
    await expect.element(heading('overview')).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    for (const view of navigationViews) {
      link(view).element().scrollIntoView();
      await expect.element(link(view)).toBeInViewport();
      const box = link(view).element().getBoundingClientRect();
      expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(24);
    }
    await expectAccessible({ whole: true });
  } finally {
    await page.viewport(1280, 800);
  }
});

test('100,000 events cause fewer than 10 calls', async () => {
  const { bridge } = await openFrame();
  await expect.element(heading('overview')).toBeVisible();
  const before = bridge.asked('job.list').length;
  for (let revision = 1; revision <= 100_000; revision += 1) {
    bridge.emit('job.changed', { jobId: String(revision), runId: '1', revision });
  }
  await expect.poll(() => bridge.asked('job.list').length).toBeGreaterThan(before);
  expect(bridge.asked('job.list').length - before).toBeLessThan(10);
  expect(await commands.consoleMessages()).toEqual([]);
});

test('the notification of a failure stays until it is dismissed, and does not cover the page', async () => {
  await page.viewport(1280, 800);
  await openFrame();
  const main = page.getByRole('main');
  const initialBottom = main.element().getBoundingClientRect().bottom;
  toasts.show('bad', 'usb: 7 of 7 projects were not backed up.', { label: 'Show', run: () => undefined });
  toasts.show('bad', 'work: The run could not start. The token was revoked.');
  const notification = page.getByText('usb: 7 of 7 projects were not backed up.');
  await expect.element(notification).toBeVisible();
  expect(main.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(
    notification.element().getBoundingClientRect().top,
  );
  await expectAccessible();
  for (const button of page.getByRole('button', { name: 'Dismiss' }).all().reverse()) await button.click();
  await expect.element(notification).not.toBeInTheDocument();
  expect(main.element().getBoundingClientRect().bottom).toBe(initialBottom);
});

test('the notification of a failure disappears some seconds after its view was left', async () => {
  await openFrame();
  await link('projects').click();
  await expect.element(heading('projects')).toBeVisible();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    toasts.show('bad', 'It could not be saved.');
    await vi.advanceTimersByTimeAsync(60_000);
    await expect.element(page.getByText('It could not be saved.')).toBeVisible();
    await link('plans').click();
    await expect.element(heading('plans')).toBeVisible();
    await vi.advanceTimersByTimeAsync(7000);
    expect(toasts.list).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});
