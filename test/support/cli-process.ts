/** @file The real command line in a process of its own, which a test can kill at any moment. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const entry = fileURLToPath(new URL('../../src-main/hosts/cli.ts', import.meta.url));

export interface Ended {
  /** Null when it was killed. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export class CliProcess {
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;

  /** @param tokens by instance name; they are handed over in the environment. */
  constructor(dataDir: string, tokens: Record<string, string>, ...args: string[]) {
    const variables = Object.entries(tokens).map(([name, token]) => [
      `PACKHORSE_TOKEN_${name.toUpperCase()}`,
      token,
    ]);
    const env = { HOME: dataDir, TZ: 'UTC', ...(Object.fromEntries(variables) as Record<string, string>) };
    const child = spawn(process.execPath, [entry, '--data-dir', dataDir, '--json', ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => (texts[name] += text));
    }
    this.ended = once(child, 'close').then(() => ({ code: child.exitCode, ...texts }));
    onTestFinished(() => this.kill());
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
