/** @file `packhorse serve`: the window in a browser, until it is interrupted. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname, userInfo } from 'node:os';
import type { BrowserHost } from '../../browser.ts';
import { systemClock } from '../../../platform/clock.ts';
import { onEnter } from '../terminal/stdin-lines.ts';
import { waitForStoredTokens } from '../transfers/stored-tokens-wait.ts';
import { jobOwnerTimeoutMs, reportDiskFailure, type GlobalOptions } from './session.ts';
import { exitCodes, type ExitCode, type Terminal } from '../terminal/terminal.ts';
import type { AppCommand } from './app-command.ts';

/** An unused link that the user requested expires after this time. */
const requestedLinkLifetimeMs = 10 * 60_000;
/** This link expires early, because it is visible in the arguments of a process while it is opened in a browser. */
const openedLinkLifetimeMs = 60_000;

export interface ServeOptions {
  dataDir: string | null;
  port: number;
  open: boolean;
}

export function serveCommand(program: AppCommand): void {
  program
    .subcommand('serve', 'show the window in a browser of this machine, until interrupted')
    .portOption()
    .option('--open', "open the link in the system's browser")
    .helpNote(
      'It prints a link that lets one browser connect, once; press Enter for another. It listens on 127.0.0.1 only: from another' +
        '\nmachine, open an SSH tunnel first. It runs until Ctrl-C or SIGTERM, which end it normally: the' +
        '\nexit code is 0, and jobs in progress continue when Packhorse runs again.',
    )
    .withoutApp(async (terminal, signal, options: { port?: number; open?: boolean }, command: AppCommand) => {
      const { dataDir = null } = command.optsWithGlobals<GlobalOptions>();
      const { port = 0, open = false } = options;
      return serve({ dataDir, port, open }, terminal, signal);
    });
}

/** Serves until the signal is aborted. This is the normal way to stop, not an error. */
export async function serve(
  options: ServeOptions,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { dataDir, port, open } = options;
  let reportConnection = (): void => undefined;
  // Loaded only when needed: without the web server, other commands start in two thirds of the time.
  const { openBrowserHost } = await import('../../browser.ts');
  const host = await openBrowserHost({
    dataDir,
    port,
    env: process.env,
    onLinkUsed: () => {
      reportConnection();
    },
  });
  try {
    for (const notice of host.app.notices) terminal.note(notice);
    showTokensOnEnter(host, terminal);
    if (terminal.json) process.stdout.write(`${JSON.stringify({ url: host.newLink() })}\n`);
    else reportConnection = announce(host, terminal, signal);
    if (open) openInBrowser(host.newLink(openedLinkLifetimeMs), terminal);
    await reportOtherJobOwner(host, terminal, signal);
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    await waitForStoredTokens({ app: host.app, terminal });
    terminal.note('Stopping.');
    await host.close();
  }
  return reportDiskFailure(host.app.diskFailure(), terminal, exitCodes.done);
}

/** Functions that show new tokens to the user at the terminal. */
const pendingTokenDisplays: (() => void)[] = [];

function showNextToken(): boolean {
  const show = pendingTokenDisplays.shift();
  show?.();
  return show !== undefined;
}

/** Shows a new token on the terminal that started the command, once somebody there presses Enter. */
function showTokensOnEnter({ app }: BrowserHost, terminal: Terminal): void {
  if (!terminal.hasTTY || !process.stdin.isTTY || terminal.json) return;
  app.tokenRecipient.set(async ({ name, token }) => {
    terminal.noteAlways(`The new token "${name}" can be shown only once. Press Enter to show it here.`);
    await new Promise<void>((resolve) => {
      pendingTokenDisplays.push(() => {
        terminal.showSecret(`The new token "${name}", shown only once:\n\n  ${token.reveal()}\n`);
        resolve();
      });
    });
  });
}

/** Prints how to open a session. @returns the function to call when a browser has opened one. */
function announce(host: BrowserHost, terminal: Terminal, signal: AbortSignal): () => void {
  const { port } = host;
  const canPressEnter = onEnter(signal, () => {
    if (showNextToken()) return;
    terminal.line(
      `This link lets one browser connect, once, within ten minutes:\n\n  ${host.newLink(requestedLinkLifetimeMs)}\n`,
    );
  });
  terminal.line(
    [
      'Open Packhorse in one browser with this link:\n',
      `  ${host.newLink()}\n`,
      'From another machine, first run there:\n',
      `  ssh -L ${port}:127.0.0.1:${port} ${account()}\n`,
      `${canPressEnter ? 'Enter prints another link. ' : ''}Stop with Ctrl-C.`,
    ].join('\n'),
  );
  return () => {
    if (canPressEnter) terminal.note('A browser has connected. For another link, press Enter.');
    // Without a terminal, for example in the log of a service, nobody can press Enter.
    else terminal.line(`A browser has connected. For another one:\n\n  ${host.newLink()}\n`);
  };
}

function account(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    // The account has no name.
    return `user@${hostname()}`;
  }
}

async function reportOtherJobOwner(
  { app }: BrowserHost,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = systemClock.monotonic();
  while (!app.isRunningJobs() && !signal.aborted) {
    if (systemClock.monotonic() - startedAt > jobOwnerTimeoutMs) {
      terminal.note(
        'Another Packhorse process runs the jobs of this data folder. This process shows them, and takes over when the other one ends.',
      );
      return;
    }
    await systemClock.sleep(50, signal).catch(() => undefined);
  }
}

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32.exe', 'url.dll,FileProtocolHandler'],
};

function openInBrowser(url: string, terminal: Terminal): void {
  const [program = '', ...args] = openers[process.platform] ?? ['xdg-open'];
  const failed = (): void => {
    terminal.note('No browser could be opened; open the link yourself.');
  };
  spawn(program, [...args, url], { detached: true, stdio: 'ignore' })
    .on('error', failed)
    .on('exit', (code) => {
      if (code !== 0) failed();
    })
    .unref();
}
