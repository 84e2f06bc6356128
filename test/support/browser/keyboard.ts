/** @file Navigates a page by keyboard alone. */
import type { Locator, Page } from 'playwright-core';

const maxTabs = 80;

/** Presses Tab until the focus is on `wanted`; fails if the keyboard cannot reach it. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor();
  const focused = wanted.and(page.locator(':focus'));
  for (let tabs = 0; tabs < maxTabs; tabs += 1) {
    if ((await focused.count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('The keyboard cannot reach the element.');
}
