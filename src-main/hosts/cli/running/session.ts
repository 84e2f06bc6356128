/** @file The shared parts of commands: the opened app, the terminal, the signal of Ctrl-C, tokens from options. */
import { existsSync } from 'node:fs';
import { readPassword } from '../terminal/password.ts';
import type { Command } from 'commander';
import { AppError } from '../../../../src-contract/errors.ts';
import type { App } from '../../../compose/app.ts';
import { diskNotices } from '../../../services/disk-notices.ts';
import { composeApp } from '../../../compose/compose.ts';
import { inProcessClient, type Client } from '../../../bridge/transports/in-process.ts';
import { type Clock, systemClock } from '../../../platform/clock.ts';
import { resolveUserPath } from '../../../platform/paths.ts';
import { systemPower } from '../../../platform/power.ts';
import { readTokenFile, readTokenFromStdin } from '../../../platform/token-source.ts';
import { waitForStoredTokens } from '../transfers/stored-tokens-wait.ts';
import { ProgressMeter } from '../terminal/progress.ts';
import { exitCodes, Terminal, type ExitCode } from '../terminal/terminal.ts';
import { usageError } from '../terminal/options.ts';

export interface GlobalOptions {
  dataDir?: string;
  json?: boolean;
  quiet?: boolean;
}

export interface TokenOptions {
  tokenStdin?: boolean;
  tokenFile?: string;
}

/** If this process does not run the jobs after this time, it reports that another process does. */
export const jobOwnerTimeoutMs = 2_000;

export interface Session {
  app: App;
  client: Client;
  terminal: Terminal;
  clock: Clock;
  signal: AbortSignal;
}

export function terminalFor(options: GlobalOptions): Terminal {
  return new Terminal({
    json: options.json ?? false,
    quiet: options.quiet ?? false,
    stdout: process.stdout,
    stderr: process.stderr,
  });
}

/** Returns a signal that aborts on Ctrl-C and on SIGTERM; a second Ctrl-C ends the process at once. */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    controller.abort(new AppError('interrupted', 'Interrupted.'));
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return controller.signal;
}

/** Runs a command without the app (it needs no data folder); errors become sentences and an exit code. */
export async function run(
  command: Command,
  work: (terminal: Terminal, signal: AbortSignal) => Promise<ExitCode | undefined>,
): Promise<void> {
  const terminal = terminalFor(command.optsWithGlobals());
  const signal = interruptSignal();
  try {
    process.exitCode = (await work(terminal, signal)) ?? exitCodes.done;
  } catch (thrown) {
    const isUnconfirmed = thrown instanceof AppError && thrown.details['unchanged'] === true;
    process.exitCode = terminal.printError(
      AppError.from(signal.aborted && !isUnconfirmed ? signal.reason : thrown),
    );
  }
}

/** Commands that may create a data folder; every other one needs an existing one. */
const commandsCreatingFolder = [
  'instance add',
  'settings change',
  'archive adopt',
  'archive rescan',
  'daemon',
];

/** Throws `not-found` for a missing data folder. A misspelt name would otherwise create an empty one. */
function refuseMissingFolder(command: Command, typed: string | undefined): void {
  if (typed === undefined) return;
  const path = resolveUserPath(typed);
  const name = `${command.parent?.name() ?? ''} ${command.name()}`;
  if (existsSync(path) || commandsCreatingFolder.some((one) => name.endsWith(one))) return;
  throw new AppError('not-found', 'There is no such data folder.', { details: { path } });
}

export async function runWithApp(
  command: Command,
  work: (session: Session) => Promise<ExitCode | undefined>,
): Promise<void> {
  await run(command, async (terminal, signal) => {
    const { dataDir } = command.optsWithGlobals<GlobalOptions>();
    refuseMissingFolder(command, dataDir);
    const app = await composeApp({
      dataDir: dataDir ?? null,
      env: process.env,
      power: systemPower(process.platform, process.env),
    });
    for (const notice of app.notices) terminal.note(notice);
    let code: ExitCode | undefined;
    try {
      const client = inProcessClient(app.dispatch, signal);
      code = await work({ app, client, terminal, clock: systemClock, signal });
    } finally {
      await waitForStoredTokens({ app, terminal });
      await app.close();
    }
    return reportDiskFailure(app.diskFailure(), terminal, code ?? exitCodes.done);
  });
}

/** Reports a failed disk even if a retry succeeded, because the next failure may lose data. @returns the exit code. */
export function reportDiskFailure(failure: AppError | null, terminal: Terminal, code: ExitCode): ExitCode {
  if (failure === null) return code;
  for (const sentence of diskNotices(failure)) terminal.noteAlways(`packhorse: ${sentence}`);
  return code === exitCodes.done ? exitCodes.partly : code;
}

/** Puts a token from `--token-stdin` or `--token-file` into memory for this command; returns true if there was one. */
export async function useTokenOption(
  session: Session,
  name: string,
  options: TokenOptions,
): Promise<boolean> {
  return useToken(session, name, await readTokenOption(options));
}

/** Like `useTokenOption`, for a token that has already been read. */
export async function useToken(session: Session, name: string, token: string | null): Promise<boolean> {
  if (token === null) return false;
  await session.client.call('instance.setToken', { name, token, keep: 'command' });
  return true;
}

/** Runs a read-only request. During an outage, reports the outage and retries for as long as jobs would wait. */
export function retryThroughOutage<T>(
  session: Session,
  instance: string,
  request: () => Promise<T>,
): Promise<T> {
  let lastText = '';
  return session.app.retryThroughOutage(instance, request, {
    signal: session.signal,
    onWait(text) {
      if (text !== lastText) session.terminal.note(`Waiting: ${text}`);
      lastText = text;
    },
  });
}

export function assertOneTokenSource({ tokenStdin, tokenFile }: TokenOptions): void {
  if (tokenStdin === true && tokenFile !== undefined) {
    throw usageError('Give either --token-stdin or --token-file, not both.');
  }
}

/** Returns the token of `--token-stdin` or `--token-file`; null if neither was given. */
export async function readTokenOption(options: TokenOptions): Promise<string | null> {
  assertOneTokenSource(options);
  if (options.tokenFile !== undefined) {
    return (await readTokenFile(resolveUserPath(options.tokenFile))).reveal();
  }
  if (options.tokenStdin !== true) return null;
  return process.stdin.isTTY ? readPassword('Token: ') : (await readTokenFromStdin(process.stdin)).reveal();
}

export function showProgress(session: Pick<Session, 'terminal' | 'clock'>, title: string) {
  const meter = new ProgressMeter();
  return (progress: Parameters<ProgressMeter['formatLine']>[0]): void => {
    session.terminal.status(`${title}: ${meter.formatLine(progress, session.clock.monotonic())}`);
  };
}
