/**
 * @file The real command line in its own process, which a test can kill at any moment; it is killed at the end of the
 * test.
 */
import { onTestFinished } from 'vitest';
import { cliCommand, KillableProcess } from '../faults/killable-process.ts';

export class CliProcess extends KillableProcess {
  /** @param tokens by instance name; passed in the environment. */
  constructor(dataDir: string, tokens: Record<string, string>, ...args: string[]) {
    super(cliCommand(dataDir, tokens, args));
    onTestFinished(() => this.kill());
  }
}
