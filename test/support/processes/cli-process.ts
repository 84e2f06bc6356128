/** @file The real command line in a process of its own, which a test can kill at any moment; gone at the latest when the test ends. */
import { onTestFinished } from 'vitest';
import { cliCommand, KillableProcess } from '../faults/killable-process.ts';

export class CliProcess extends KillableProcess {
  /** @param tokens by instance name; they are handed over in the environment. */
  constructor(dataDir: string, tokens: Record<string, string>, ...args: string[]) {
    super(cliCommand(dataDir, tokens, args));
    onTestFinished(() => this.kill());
  }
}
