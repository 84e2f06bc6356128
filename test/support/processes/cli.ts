/** @file The real command line as a child process, isolated from the home and the environment of the user who runs the tests. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { calls } from '../../../src-contract/calls.ts';
import { presetPaces, type Instance, instanceDefaults } from '../../../src-contract/instances/instance.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { SettingsStore } from '../../../src-main/platform/settings.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { runInHost } from './command-host.ts';
import type { CommandToRun } from './command-host-worker.ts';
import { commandLine, commandLineVariable } from './command-line.ts';
import { compileCacheOf } from './compile-cache.ts';
import type { VerifiedInstance } from '../../verifier/run-verifier.ts';
import { addVerifiable } from '../../verifier/verifiable-instances.ts';
import { verifyImports, verifyImportStatus } from '../../verifier/verify-imports.ts';
import { verifyMigrations } from '../../verifier/verify-migration.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export interface CliResult {
  /** Null if a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** Piped into standard input; default: empty. */
  stdin?: string;
  env?: Record<string, string>;
}

export interface RunningCli {
  process: ChildProcess;
  ended: Promise<CliResult>;
  /** Resolves once standard output and error together match the pattern; rejects if the command ends before. */
  prints: (pattern: RegExp) => Promise<void>;
}

/** A new data folder and commands on it. */
export class Cli {
  readonly folder = temporaryFolder();
  readonly dataDir = join(this.folder, 'data');
  readonly home = join(this.folder, 'home');
  /** Everything that was written to standard output or error so far. */
  output = '';
  readonly #program: string;

  /** @param entry replaces the default entry of tests, for example by the product's own build. */
  constructor(entry = commandLine()) {
    this.#program = entry;
    mkdirSync(this.home);
    // Commands that only read create no data folder.
    mkdirSync(this.dataDir, { mode: 0o700 });
  }

  /** Starts a command in its own process. */
  start(args: readonly string[], options: RunOptions = {}): RunningCli {
    const command = this.#command(args, options);
    const child = spawn(process.execPath, [this.#program, ...command.args], {
      cwd: command.cwd,
      env: command.env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const written = { stdout: '', stderr: '' };
    const listeners = new Set<() => void>();
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        written[name] += text;
        this.output += text;
        for (const listener of listeners) listener();
      });
    }
    child.stdin.on('error', () => undefined);
    child.stdin.end(command.stdin);
    const result = once(child, 'close').then(([code]) => ({ code: code as number | null, ...written }));
    const ended = this.#verified(args, result);
    const prints = async (pattern: RegExp): Promise<void> => {
      const matched = Promise.withResolvers<'matched'>();
      const listener = (): void => {
        if (pattern.test(written.stdout + written.stderr)) matched.resolve('matched');
      };
      listeners.add(listener);
      listener();
      const first = await Promise.race([matched.promise, ended]);
      listeners.delete(listener);
      if (first !== 'matched')
        throw new Error(`Ended without printing ${String(pattern)}: ${JSON.stringify(first)}`);
    };
    return { process: child, ended, prints };
  }

  /**
   * Runs a command to its end. Uses the process that runs one command after the other, unless that process is busy or
   * another build is used.
   */
  run(args: readonly string[], options: RunOptions = {}): Promise<CliResult> {
    const hosted =
      this.#program === process.env[commandLineVariable]
        ? runInHost(this.#command(args, options), (text) => {
            this.output += text;
          })
        : null;
    return hosted === null ? this.start(args, options).ended : this.#verified(args, hosted);
  }

  /** Throws if the independent verifier disagrees with a comparison of an import or a migration. */
  async #verified(args: readonly string[], ended: Promise<CliResult>): Promise<CliResult> {
    const result = await ended;
    if (args.includes('import')) await this.#verifyImports(args, result);
    if (args.includes('migration')) await verifyMigrations(this.dataDir);
    return result;
  }

  /** Only `import status --json` shows the comparison, which is not stored. */
  async #verifyImports(args: readonly string[], { stdout }: CliResult): Promise<void> {
    await verifyImports(this.dataDir);
    const archive = args[args.indexOf('--archive') + 1] ?? '';
    if (!['status', '--archive', '--json'].every((word) => args.includes(word))) return;
    const { data } = calls['import.status'].reply.safeParse(JSON.parse(stdout));
    if (data !== undefined) await verifyImportStatus(this.dataDir, resolve(this.folder, archive), data);
  }

  #command(args: readonly string[], { stdin = '', env = {} }: RunOptions): CommandToRun {
    return {
      args: ['--data-dir', this.dataDir, ...args],
      cwd: this.folder,
      // Without a session bus, commands cannot reach the keychain of the user who runs the tests.
      env: {
        PATH: '/nowhere',
        HOME: this.home,
        TMPDIR: tmpdir(),
        NODE_COMPILE_CACHE: compileCacheOf(this.#program),
        ...env,
      },
      stdin,
    };
  }

  /** Runs a command with `--json`. Standard output must be exactly one document, which is returned parsed. */
  async json(
    args: readonly string[],
    options: RunOptions = {},
  ): Promise<{ code: number | null; document: unknown }> {
    const { code, stdout } = await this.run(['--json', ...args], options);
    return { code, document: JSON.parse(stdout) as unknown };
  }

  /** Runs a command that must fail with this exit code and error code, and describe a remedy. */
  async fails(
    args: readonly string[],
    expected: { code: string; exit: number; todo: RegExp },
    options: RunOptions = {},
  ): Promise<ErrorDocument> {
    const { code, document } = await this.json(args, options);
    const { error } = document as { error?: ErrorDocument };
    expect(error, JSON.stringify(document)).toBeDefined();
    if (error === undefined) throw new Error('There is no error.');
    expect({ code: error.code, exit: code }).toEqual({ code: expected.code, exit: expected.exit });
    expect(error.todo).toMatch(expected.todo);
    expect(error.what).toMatch(/^["A-Z/]/);
    return error;
  }

  /** Registers a sandbox as an instance, like `instance add`, but stores no token. */
  async add(name: string, sandbox: Pick<Sandbox, 'url'> & Partial<VerifiedInstance>): Promise<void> {
    const { url, tokens } = sandbox;
    if (tokens !== undefined) addVerifiable({ url, tokens });
    mkdirSync(this.dataDir, { recursive: true });
    const settings = new SettingsStore(join(this.dataDir, 'settings.json'), systemClock);
    const instance: Instance = {
      name,
      url: sandbox.url,
      caFile: null,
      pacePreset: 'sandbox',
      pace: presetPaces.sandbox,
      username: 'maintainer',
      userId: null,
      administrator: false,
      serverVersion: null,
      tokenExpiresOn: null,
      tokenCanWrite: null,
      addedAt: '2026-11-20T00:00:00.000Z',
      ...instanceDefaults,
    };
    await settings.change((known) => ({ ...known, instances: [...known.instances, instance] }));
  }
}

export interface ErrorDocument {
  code: string;
  what: string;
  todo: string;
  details: Record<string, unknown>;
}

/** Returns the environment with the token of one instance. */
export function tokenOption(name: string, token: string): { env: Record<string, string> } {
  return { env: { [`PACKHORSE_TOKEN_${name.toUpperCase()}`]: token } };
}
