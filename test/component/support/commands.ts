/** @file Types of the commands of `test/support/browser/component-commands.ts`, as a page sees them. */
import 'vitest/browser';

export interface AxeViolation {
  rule: string;
  help: string;
  /** The elements with the violation, and the reason. */
  elements: string[];
}

declare module 'vitest/browser' {
  interface BrowserCommands {
    recordConsole: () => Promise<void>;
    consoleMessages: () => Promise<string[]>;
    setSystem: (scheme: 'light' | 'dark', motion: 'no-preference' | 'reduce') => Promise<void>;
    axeViolations: (selector: string, scope: 'whole' | 'part' | 'colours') => Promise<AxeViolation[]>;
  }
}
