/** @file Runs axe on a page of the product in one theme. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright';

/** Rules that depend on the theme; all others give the same result in both, so they are checked in the light one only. */
const rulesOfColour = ['color-contrast', 'link-in-text-block'];

/** Sets the theme and returns a sentence for each violated rule. */
export async function axeViolations(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
  // A colour in transition has no contrast of its own.
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  // Preloading would load style sheets again for one rule alone, which is about the orientation of a phone. No page has
  // a frame, so axe needs no page of its own to join the results of several.
  const axe = new AxeBuilder({ page })
    .options({ preload: false, resultTypes: ['violations'] })
    .setLegacyMode();
  const { violations } = await (theme === 'light' ? axe : axe.withRules(rulesOfColour)).analyze();
  return violations.map(({ id, nodes }) => `${theme}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
