/**
 * @file What a component test may ask of the process outside the page: axe's verdict, the messages of the console, a page
 * zoomed or resized. Runs in Node.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { defineBrowserCommand } from '@vitest/browser-playwright';
import type { Page } from 'playwright';

export interface AxeViolation {
  rule: string;
  help: string;
  /** What it was found on, and why. */
  where: string[];
}

const heard = new WeakMap<Page, string[]>();

/** Begins to note what the console of the page says; may be called again. */
const hearConsole = defineBrowserCommand(({ page }) => {
  if (heard.has(page)) return;
  const messages: string[] = [];
  heard.set(page, messages);
  page.on('console', (message) => {
    // The test server's own.
    if (!message.text().startsWith('[vite]')) messages.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => messages.push(`error: ${error.message}`));
});

/** What was said since it was asked last. */
const consoleMessages = defineBrowserCommand(({ page }): string[] => heard.get(page)?.splice(0) ?? []);

const axeFile = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve(
  'axe-core/axe.min.js',
);

interface AxeInPage {
  run: (
    context: string,
    options: object,
  ) => Promise<{
    violations: {
      id: string;
      help: string;
      nodes: { html: string; failureSummary?: string }[];
    }[];
  }>;
}

/**
 * axe's violations in the part of the page that `selector` names. `part`: it is not a whole page with landmarks; `colours`:
 * only what depends on the theme is looked at.
 */
const axeViolations = defineBrowserCommand(
  async (context, selector: string, scope: 'whole' | 'part' | 'colours'): Promise<AxeViolation[]> => {
    const inside = await context.frame();
    if (!(await inside.evaluate(() => 'axe' in globalThis)))
      await inside.evaluate(readFileSync(axeFile, 'utf8'));
    const { violations } = await inside.evaluate(
      ([where, what]) => {
        const { axe } = globalThis as unknown as { axe: AxeInPage };
        const off = { enabled: false };
        const rules = what === 'part' ? { region: off, 'page-has-heading-one': off } : {};
        const runOnly = what === 'colours' ? { runOnly: ['color-contrast', 'link-in-text-block'] } : {};
        // Style sheets are loaded once more for one rule alone, which is about pages that a phone turns.
        return axe.run(where, { rules, ...runOnly, preload: false, resultTypes: ['violations'] });
      },
      [selector, scope] as const,
    );
    return violations.map(({ id, help, nodes }) => ({
      rule: id,
      help,
      where: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary ?? ''}`),
    }));
  },
);

/** How the system is set, as far as a page sees it; light and without motion unless a test says otherwise. */
const setSystem = defineBrowserCommand(
  async ({ page }, colorScheme: 'light' | 'dark', reducedMotion: 'no-preference' | 'reduce') => {
    await page.emulateMedia({ colorScheme, reducedMotion });
  },
);

export const componentCommands = { setSystem, hearConsole, consoleMessages, axeViolations };
