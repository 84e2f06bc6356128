/** @file The command line: its commands, their exit codes, and the messages for wrong usage. `cli.ts` starts it. */
import { CommanderError } from 'commander';
import { AppError } from '../../../src-contract/errors.ts';
import { appVersion } from '../../services/version.ts';
import { registerArchive } from './archives/archive.ts';
import { backupCommand } from './transfers/backup.ts';
import { daemonCommand } from './running/daemon.ts';
import { demoCommand } from './running/demo.ts';
import { registerDoctor } from './running/doctor.ts';
import { exportCommand } from './transfers/export.ts';
import { importCommand } from './transfers/import.ts';
import { registerInstance } from './instances/instance.ts';
import { jobCommand } from './runs/job.ts';
import { migrationCommand } from './migrations/migration.ts';
import { parseFolder, refuseEmpty, refuseMissing, usageError } from './terminal/options.ts';
import { overviewCommand } from './runs/overview.ts';
import { planCommand } from './plans/plan.ts';
import { projectCommand } from './projects/project.ts';
import { sandboxCommand } from './running/sandbox.ts';
import { serveCommand } from './running/serve.ts';
import { terminalFor } from './running/session.ts';
import { tokenCommand } from './tokens/token.ts';
import { settingsCommand } from './running/settings.ts';
import { registerStorage } from './instances/storage.ts';
import { exitCodes, type ExitCode } from './terminal/terminal.ts';
import { AppCommand } from './running/app-command.ts';

/** Collects what commander prints, because `--json` prints one document only. */
interface Output {
  json: boolean;
  text: string;
}

export async function runProgram(): Promise<void> {
  // Commander may report wrong usage before it has parsed `--json`, so this code looks for the flag.
  const output: Output = { json: process.argv.includes('--json'), text: '' };
  // EPIPE is not a failure: a reader such as "head" closed early. Other errors are failures, such as a full disk when the output goes to a file.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exitCode = exitCodes.failed;
  });
  try {
    await createProgram(output).parseAsync();
  } catch (thrown) {
    if (thrown instanceof AppError) process.exitCode = terminalFor(output).printError(thrown);
    else if (thrown instanceof CommanderError) process.exitCode = printCommanderError(thrown, output);
    else throw thrown;
  }
}

function createProgram(output: Output): AppCommand {
  const appendOutput = (text: string): void => {
    output.text += text;
  };
  const program = new AppCommand('packhorse')
    .description(
      'Back up GitLab projects to a local folder, verify the contents of the archives, move projects between instances.',
    )
    .version(appVersion, '-V, --version', 'print the version')
    .option(
      '--data-dir <folder>',
      'where settings, catalogue and archives are stored (default: the data folder of your user account)',
      parseFolder,
    )
    .option('--json', 'print exactly one JSON document on standard output')
    .option('--quiet', 'print only the result, no progress and no messages')
    .helpOption('-h, --help', 'print this help')
    .showHelpAfterError('Add --help for the options.')
    // On a narrow terminal descriptions are wrapped, too.
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 20 })
    // Commands created later inherit these settings.
    .exitOverride()
    .hook('preAction', (_program, command) => {
      refuseMissing(command);
      refuseEmpty(command);
    })
    .configureOutput({
      // Shortens long arguments that the message quotes.
      outputError: (text, write) => {
        write(text.replace(/'([^']{80})[^']{20,}'/, "'$1…'"));
      },
      ...(output.json ? { writeOut: appendOutput, writeErr: () => undefined } : {}),
    })
    .addHelpText(
      'after',
      `
To try Packhorse without a GitLab server: "packhorse demo", or "packhorse sandbox" and then, in another terminal:
  packhorse instance add NAME URL --token-stdin     (asks for the token without showing it)
  packhorse project list --instance NAME
  packhorse backup --instance NAME GROUP/PROJECT

A token comes from --token-stdin, --token-file, the variable PACKHORSE_TOKEN_<NAME>, or the keychain; never from an
argument. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 partly done, 4 not allowed (token or permission),
130 interrupted.`,
    );

  for (const register of [
    registerInstance,
    projectCommand,
    backupCommand,
    registerArchive,
    exportCommand,
    importCommand,
    registerStorage,
    tokenCommand,
    jobCommand,
    planCommand,
    migrationCommand,
    daemonCommand,
    serveCommand,
    sandboxCommand,
    overviewCommand,
    settingsCommand,
    registerDoctor,
    demoCommand,
  ]) {
    register(program);
  }
  return program;
}

/** Commander also throws after printing help or the version, with the exit code 0: that is not wrong usage. */
function printCommanderError(error: CommanderError, { json, text }: Output): ExitCode {
  const terminal = terminalFor({ json });
  if (error.exitCode === 0) {
    const kind = error.code === 'commander.version' ? 'version' : 'help';
    if (json) terminal.result({ [kind]: text.trimEnd() }, () => '');
    return exitCodes.done;
  }
  // When a command is missing, commander shows the help and has no error message.
  const message =
    error.code === 'commander.help'
      ? 'a command is missing'
      : error.message.replace(/^error: |\.$/g, '').replaceAll('\n', ' ');
  if (json) terminal.printError(usageError(`${message}.`));
  return exitCodes.usage;
}
