import { createRawSnippet } from 'svelte';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { AppError } from '../../../src-contract/errors.ts';
import Section from '../../../src-renderer/kit/layout/Section.svelte';
import LayoutHolder from './LayoutHolder.svelte';

const text = (words: string) => createRawSnippet(() => ({ render: () => `<p>${words}</p>` }));
const error = new AppError('catalogue-busy', 'busy').toData();
const content = { title: 'Archives', children: text('What there is'), empty: text('Nothing yet') };

test('a section shows that it is loading until its number of entries is known', async () => {
  await render(Section, { ...content, count: null });
  const section = page.getByRole('region', { name: 'Archives' });
  await expect.element(section).toHaveAttribute('aria-busy', 'true');
  await expect.element(page.getByRole('status')).toHaveTextContent('Loading…');
  await expect.element(page.getByText('What there is')).not.toBeInTheDocument();
});

test('a section that fails to load shows the error and can be loaded again', async () => {
  const refresh = vi.fn();
  await render(Section, { ...content, count: null, query: { error, refresh } });
  await expect.element(page.getByRole('alert')).toBeVisible();
  await expect.element(page.getByText('Loading…')).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Try again' }).click();
  expect(refresh).toHaveBeenCalledOnce();
});

test('a section without entries shows its text for the empty case', async () => {
  await render(Section, { ...content, count: 0 });
  await expect.element(page.getByText('Nothing yet')).toBeVisible();
  await expect.element(page.getByText('What there is')).not.toBeInTheDocument();
});

test('a section with entries shows them, even if a refresh fails', async () => {
  const { rerender } = await render(Section, { ...content, count: 1234, showCount: true });
  await expect.element(page.getByText('What there is')).toBeVisible();
  await expect.element(page.getByText('1,234')).toBeVisible();
  await rerender({ ...content, count: 1234, query: { error, refresh: vi.fn() } });
  await expect.element(page.getByText('What there is')).toBeVisible();
  await expect.element(page.getByRole('alert')).toBeVisible();
});

test('tabs are one tab stop, arrow keys move between them, and only one panel is shown', async () => {
  await render(LayoutHolder, { part: 'tabs' });
  await userEvent.keyboard('{Tab}');
  await expect.element(page.getByRole('tab', { name: /Jobs/ })).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(page.getByRole('tab', { name: 'Log' })).toHaveAttribute('aria-selected', 'true');
  await expect.element(page.getByText('Content of log')).toBeVisible();
  await expect.element(page.getByText('Content of jobs')).not.toBeInTheDocument();
});

test('a side panel does not take the focus when it opens, and Escape closes it', async () => {
  await render(LayoutHolder, { part: 'panel' });
  const open = page.getByRole('button', { name: 'Open' });
  await open.click();
  const panel = page.getByRole('complementary', { name: 'group/app' });
  await expect.element(panel).toBeVisible();
  await expect.element(open).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(panel).not.toBeInTheDocument();
  await open.click();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect.element(panel).not.toBeInTheDocument();
  await expect.element(open).toHaveFocus();
});

test('in a narrow window, a side panel overlays the content and fits', async () => {
  await page.viewport(640, 400);
  try {
    await render(LayoutHolder, { part: 'panel' });
    const open = page.getByRole('button', { name: 'Open' });
    const content = open.element().parentElement;
    const widthBefore = content?.clientWidth;
    await open.click();
    const box = page.getByRole('complementary').element().getBoundingClientRect();
    expect(content?.clientWidth).toBe(widthBefore);
    expect(content?.getBoundingClientRect().right).toBeGreaterThan(box.left);
    expect(box.right).toBeLessThanOrEqual(640);
    expect(box.width).toBeGreaterThan(300);
  } finally {
    await page.viewport(1280, 800);
  }
});
