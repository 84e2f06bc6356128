import { createRawSnippet } from 'svelte';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import CommandLine from '../../../src-renderer/kit/content/CommandLine.svelte';
import DefinitionList from '../../../src-renderer/kit/content/DefinitionList.svelte';
import DropZone from '../../../src-renderer/views/shared/DropZone.svelte';
import JsonView from '../../../src-renderer/kit/content/JsonView.svelte';
import TimeText from '../../../src-renderer/kit/content/TimeText.svelte';
import Timeline from '../../../src-renderer/kit/content/Timeline.svelte';
import type { ErrorData } from '../../../src-contract/errors.ts';
import { scriptWindow } from '../support/window.ts';

function dropOn(element: Element, file: File): void {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(file);
  for (const type of ['dragover', 'drop']) {
    element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  }
}
const archive = new File(['x'], 'export.tar.gz');

test('a dropped file is passed on as a reference with its name and size', async () => {
  const bridge = scriptWindow();
  const onfile = vi.fn();
  await render(DropZone, { label: 'Drop an archive', onfile, onfail: vi.fn() });
  dropOn(page.getByRole('group', { name: 'Drop an archive' }).element(), archive);
  await expect.poll(() => onfile.mock.calls).toEqual([['/dropped/export.tar.gz', 'export.tar.gz', 1]]);
  expect(bridge.dropped).toHaveLength(1);
});

test('a dropped file that cannot be read reports the error', async () => {
  Object.defineProperty(window, 'packhorse', {
    value: { fileReference: () => Promise.reject(new Error('unreadable')) },
    configurable: true,
  });
  const onfail = vi.fn<(error: ErrorData) => void>();
  await render(DropZone, { label: 'Drop an archive', onfile: vi.fn(), onfail });
  dropOn(page.getByRole('group').element(), archive);
  await expect.poll(() => onfail.mock.lastCall?.[0]).toMatchObject({ message: 'unreadable' });
});

test('the file dialog of the host is used if there is one, and choosing nothing in it passes on no file', async () => {
  scriptWindow();
  const onfile = vi.fn();
  const choose = vi.fn(() => Promise.resolve<string | null>(null));
  await render(DropZone, { label: 'Drop an archive', choose, onfile, onfail: vi.fn() });
  const button = page.getByRole('button', { name: 'Choose a file…' });
  await button.click();
  choose.mockResolvedValue('/backups/a b.tar.gz');
  await button.click();
  await expect.poll(() => onfile.mock.calls).toEqual([['/backups/a b.tar.gz', 'a b.tar.gz', null]]);
});

test('the equivalent command is shown on request', async () => {
  await render(CommandLine, { command: 'backup --all --instance work' });
  const command = page.getByText('packhorse backup --all --instance work');
  await expect.element(command).not.toBeVisible();
  await userEvent.keyboard('{Tab}{Enter}');
  await expect.element(command).toBeVisible();
});

test('a record is shown as JSON, or unchanged if it is not JSON, and never as markup', async () => {
  const { rerender } = await render(JsonView, { label: 'issues, line 3', value: { title: '<b>x</b>' } });
  const block = page.getByRole('region', { name: 'issues, line 3' });
  await expect.element(block).toHaveTextContent('{ "title": "<b>x</b>" }');
  await rerender({ label: 'issues, line 3', value: null, fallbackText: '{"cut' });
  await expect.element(block).toHaveTextContent('{"cut');
  expect(document.querySelector('b')).toBeNull();
});

test('an unknown value is shown as a dash', async () => {
  await render(DefinitionList, {
    entries: [
      { term: 'Path', value: 'group/app' },
      { term: 'Note', value: null },
      { term: 'State', value: createRawSnippet(() => ({ render: () => '<em>fine</em>' })) },
    ],
  });
  const values = [...document.querySelectorAll('dd')].map((entry) => entry.textContent.trim());
  expect(values).toEqual(['group/app', '—', 'fine']);
});

test('a time is shown as its distance from now with the exact time as tooltip, or exactly with the distance as tooltip', async () => {
  const moment = Date.now() - 2.1 * 86_400_000;
  const { rerender } = await render(TimeText, { moment });
  const time = () => document.querySelector('time');
  expect(time()?.textContent).toBe('2 days ago');
  const exact = time()?.title;
  await rerender({ moment, absolute: true });
  expect([time()?.textContent, time()?.title]).toEqual([exact, '2 days ago']);
  await rerender({ moment: null, emptyText: 'Not yet' });
  await expect.element(page.getByText('Not yet')).toBeVisible();
});

test('a timeline is one tab stop, and arrow keys choose an entry', async () => {
  const onchoose = vi.fn();
  const props = {
    label: 'Archives',
    entries: [{ id: 'new' }, { id: 'old' }],
    tone: () => 'good' as const,
    onchoose,
    children: createRawSnippet<[{ id: string }]>((entry) => ({ render: () => `<p>${entry().id}</p>` })),
  };
  const { rerender } = await render(Timeline, { ...props, selectedId: 'new' });
  await userEvent.keyboard('{Tab}{ArrowDown}');
  expect(onchoose).toHaveBeenLastCalledWith('old');
  await rerender({ ...props, selectedId: 'old' });
  const old = page.getByRole('option', { name: 'old' });
  await expect.element(old).toHaveAttribute('aria-selected', 'true');
  await expect.element(old).toHaveFocus();
  await userEvent.keyboard('{Home}');
  expect(onchoose).toHaveBeenLastCalledWith('new');
});
