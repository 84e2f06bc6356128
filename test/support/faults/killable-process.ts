/** @file A process that can be killed at any moment, for example the real command line. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { commandLine } from '../processes/command-line.ts';
import { compileCacheOf } from '../processes/compile-cache.ts';

export interface Ended {
  /** Null if the process was killed. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Command {
  /** The program, then its arguments. */
  line: string[];
  env: Record<string, string>;
}

/**
 * Returns the command line on a data folder.
 * @param tokens by instance name; passed in the environment.
 * @param program its entry, if it is not the default one of tests.
 */
export function cliCommand(
  dataDir: string,
  tokens: Record<string, string>,
  args: string[],
  program = commandLine(),
): Command {
  const variables = Object.entries(tokens).map(([name, token]) => [
    `PACKHORSE_TOKEN_${name.toUpperCase()}`,
    token,
  ]);
  return {
    line: [process.execPath, program, '--data-dir', dataDir, '--json', ...args],
    env: {
      HOME: dataDir,
      TZ: 'UTC',
      NODE_COMPILE_CACHE: compileCacheOf(program),
      ...(Object.fromEntries(variables) as Record<string, string>),
    },
  };
}

export class KillableProcess {
  readonly ended: Promise<Ended>;
  readonly #texts = { stdout: '', stderr: '' };
  readonly #child: ChildProcess;

  constructor({ line, env }: Command) {
    const [program = '', ...args] = line;
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    const texts = this.#texts;
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => (texts[name] += text));
    }
    this.ended = once(child, 'close').then(() => ({ code: child.exitCode, ...texts }));
  }

  /** Everything that the process has written so far. */
  get stdout(): string {
    return this.#texts.stdout;
  }

  get stderr(): string {
    return this.#texts.stderr;
  }

  get pid(): number {
    return this.#child.pid ?? NaN;
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** `kill -9`: no handler runs, nothing is flushed. Resolves once the process is gone. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }
}
