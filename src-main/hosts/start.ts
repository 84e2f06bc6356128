/** @file The program of `npm start`: builds the window, and shows it on the desktop or else in a browser. */
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { AppError } from '../../src-contract/errors.ts';
import { formatBytes } from '../../src-contract/words/sizes.ts';
import { systemClock } from '../platform/clock.ts';
import { programFolder } from '../platform/paths.ts';
import { serve } from './cli/running/serve.ts';
import { interruptSignal, terminalFor } from './cli/running/session.ts';
import { exitCodes } from './cli/terminal/terminal.ts';
import { build, isBuildUpToDate } from './start/build.ts';
import { startDesktop } from './start/start-desktop.ts';

const installLimitMs = 60_000;

const terminal = terminalFor({});
const signal = interruptSignal();

async function start(): Promise<number> {
  const { env, platform } = process;
  if (!isBuildUpToDate(programFolder)) {
    terminal.note('Building the window, which takes some seconds …');
    await build(programFolder, env);
  }
  const desktop = await startDesktop({
    packageFolder: join(programFolder, 'node_modules/electron'),
    overrideDist: env['ELECTRON_OVERRIDE_DIST_PATH'],
    programFolder,
    platform,
    env,
    uid: process.getuid?.() ?? null,
    clock: systemClock,
    signal,
    installTimeoutMs: installLimitMs,
    stderr: process.stderr,
    onDownloadProgress: createDownloadReporter(),
  });
  if ('code' in desktop) return desktop.code;
  if (signal.aborted) return exitCodes.interrupted;
  terminal.note(`${desktop.reason}, so the window opens in a browser instead.\n`);
  return await serve({ dataDir: null, port: 0, open: false }, terminal, signal);
}

/** Prints a single line if the terminal cannot redraw a line. */
function createDownloadReporter(): (bytes: number | null) => void {
  let isReported = false;
  return (bytes) => {
    if (bytes === null) terminal.status(null);
    else if (terminal.interactive)
      terminal.status(`Downloading Electron (only once): ${formatBytes(bytes)} …`);
    else if (!isReported) terminal.note('Downloading Electron (only once) …');
    isReported = true;
  };
}

/** Accepts only the option for help; any other argument ends the program. */
function readArguments(): void {
  new Command('npm start')
    .description(
      'Shows the window: on the desktop if Electron can run, else as a page in a browser. It takes no options; the data folder ' +
        'is the usual one or that of the variable PACKHORSE_DATA_DIR. Run a command with "npm run --silent packhorse -- COMMAND".',
    )
    .allowExcessArguments(false)
    .showHelpAfterError()
    .exitOverride()
    .parse();
}

try {
  readArguments();
  process.exitCode = await start();
} catch (thrown) {
  if (thrown instanceof CommanderError)
    process.exitCode = thrown.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  else process.exitCode = terminal.printError(AppError.from(signal.aborted ? signal.reason : thrown));
}
