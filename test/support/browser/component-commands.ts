/**
 * @file The commands of component tests to the process outside the page: the result of axe, the messages of the
 * console, zoom and size of the page. Runs in Node.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { defineBrowserCommand } from '@vitest/browser-playwright';
import type { Page } from 'playwright';

export interface AxeViolation {
  rule: string;
  help: string;
  /** The elements with the violation, and why. */
  elements: string[];
}

const recorded = new WeakMap<Page, string[]>();

/** Starts to record the console of the page; idempotent. */
const recordConsole = defineBrowserCommand(({ page }) => {
  if (recorded.has(page)) return;
  const messages: string[] = [];
  recorded.set(page, messages);
  page.on('console', (message) => {
    // The test server writes its own messages.
    if (!message.text().startsWith('[vite]')) messages.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => messages.push(`error: ${error.message}`));
});

/** Returns the messages since the last call. */
const consoleMessages = defineBrowserCommand(({ page }): string[] => recorded.get(page)?.splice(0) ?? []);

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
 * Returns axe's violations in the part of the page that `selector` names. `part` is for an incomplete page without
 * landmarks; `colours` checks only rules that depend on the theme.
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
        // Preloading would load style sheets again for one rule alone, which is about the orientation of a phone.
        return axe.run(where, { rules, ...runOnly, preload: false, resultTypes: ['violations'] });
      },
      [selector, scope] as const,
    );
    return violations.map(({ id, help, nodes }) => ({
      rule: id,
      help,
      elements: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary ?? ''}`),
    }));
  },
);

/** Sets the system preferences that a page sees; default: light and without motion. */
const setSystem = defineBrowserCommand(
  async ({ page }, colorScheme: 'light' | 'dark', reducedMotion: 'no-preference' | 'reduce') => {
    await page.emulateMedia({ colorScheme, reducedMotion });
  },
);

export const componentCommands = { setSystem, recordConsole, consoleMessages, axeViolations };
