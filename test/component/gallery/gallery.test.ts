import { expect, test } from 'vitest';
import { commands, page } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import Gallery from './Gallery.svelte';
import { expectAccessible, setTheme } from '../support/window.ts';

test('every component in every state is accessible in both themes', { timeout: 60_000 }, async () => {
  await render(Gallery);
  await expect.element(page.getByRole('grid', { name: 'Projects' })).toBeVisible();
  await expectAccessible({ whole: true });
});

test.each(['light', 'dark'] as const)('menus and dialogs are accessible in the %s theme', async (theme) => {
  setTheme(theme);
  await render(Gallery);
  await page.getByRole('radio', { name: theme, exact: false }).click();
  await page.getByRole('button', { name: 'Actions', exact: true }).click();
  expect(await commands.axeViolations('[role=menu]', 'part')).toEqual([]);
  await page.getByRole('menuitem', { name: 'Remove…' }).click();
  await expect.element(page.getByRole('dialog')).toBeVisible();
  expect(await commands.axeViolations('[role=dialog]', 'part')).toEqual([]);
});
