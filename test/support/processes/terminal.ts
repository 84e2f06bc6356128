/** @file The real command line at a real terminal: `script` of util-linux provides it, and the test types. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { onTestFinished } from 'vitest';
import type { Cli } from './cli.ts';
import { commandLine } from './command-line.ts';
import { compileCacheOf } from './compile-cache.ts';
import { requirement } from '../requirement.ts';

/** Returns whether `script` is from util-linux; on other systems, a program of that name takes other arguments. */
function hasScript(): boolean {
  const result = spawnSync('script', ['--version'], { encoding: 'utf8' });
  return result.error === undefined && result.stdout.includes('util-linux');
}

/** Whether no terminal is available, for `test.skipIf(…)`. */
export const withoutTerminal = requirement(
  'a terminal for tests (script of util-linux)',
  hasScript(),
  'install util-linux (on Debian: bsdutils)',
);

export interface TerminalSession {
  /** Returns the whole output of the terminal so far. */
  output(): string;
  /** Resolves once the output matches; rejects if the command ends before. */
  waitFor(pattern: RegExp): Promise<void>;
  /** Types the line and Enter. */
  type(line: string): void;
  /** The exit code. */
  ended: Promise<number | null>;
}

/**
 * Runs a command like a user in a shell, on the data folder of `cli`. The command ends with the test.
 *
 * @param columns the width of the terminal; default: none.
 */
export function runAtTerminal(
  cli: Cli,
  args: readonly string[],
  env: Record<string, string> = {},
  columns?: number,
): TerminalSession {
  const program = commandLine();
  const quoted = [process.execPath, program, '--data-dir', cli.dataDir, ...args].map(
    (word) => `'${word.replaceAll("'", `'\\''`)}'`,
  );
  const command = `${columns === undefined ? '' : `stty cols ${columns} && `}${quoted.join(' ')}`;
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd: cli.folder,
    env: {
      PATH: process.env['PATH'],
      SHELL: '/bin/sh',
      TERM: 'xterm',
      HOME: cli.home,
      TMPDIR: tmpdir(),
      NODE_COMPILE_CACHE: compileCacheOf(program),
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let shown = '';
  const listeners = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    for (const listener of listeners) listener();
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    output: () => shown,
    async waitFor(pattern) {
      const matched = Promise.withResolvers<'matched'>();
      const check = (): void => {
        if (pattern.test(shown)) matched.resolve('matched');
      };
      listeners.add(check);
      check();
      const first = await Promise.race([matched.promise, ended]);
      listeners.delete(check);
      if (first !== 'matched') throw new Error(`Ended without showing ${String(pattern)}: ${shown}`);
    },
    type(line) {
      child.stdin.write(`${line}\n`);
    },
    ended,
  };
}
