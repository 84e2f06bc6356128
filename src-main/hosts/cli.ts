/**
 * @file Entry point of the command line. Runs from source and from the build under Node; never under Electron.
 */
import { Command, CommanderError } from 'commander';
import { appVersion } from '../app/version.ts';
import { archiveCommand } from './cli/archive.ts';
import { backupCommand } from './cli/backup.ts';
import { demoCommand } from './cli/demo.ts';
import { doctorCommand } from './cli/doctor.ts';
import { importCommand } from './cli/import.ts';
import { instanceCommand } from './cli/instance.ts';
import { jobCommand } from './cli/job.ts';
import { projectCommand } from './cli/project.ts';
import { sandboxCommand } from './cli/sandbox.ts';
import { exitCodes } from './cli/terminal.ts';

const program = new Command('packhorse')
  .description(
    'Back up GitLab projects to a local folder, prove what the archives hold, move projects between instances.',
  )
  .version(appVersion)
  .option('--data-dir <folder>', 'where settings, catalogue and archives are kept (default: the usual place)')
  .option('--json', 'print exactly one JSON document on standard output')
  .option('--quiet', 'no progress and no messages beside the result')
  .showHelpAfterError('(add --help for the options)')
  .exitOverride()
  .addHelpText(
    'after',
    `
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done in part, 4 not allowed (token or permission), 130 interrupted.
A token comes from --token-stdin, --token-file, the variable PACKHORSE_TOKEN_<NAME>, or the keychain; never from an argument.`,
  );

for (const register of [
  instanceCommand,
  projectCommand,
  backupCommand,
  archiveCommand,
  importCommand,
  jobCommand,
  sandboxCommand,
  doctorCommand,
  demoCommand,
]) {
  register(program);
}

/** Commander ends the process with 1 for wrong usage; here that is 2, and help is no error. */
function overrideExit(command: Command): void {
  command.exitOverride();
  for (const sub of command.commands) overrideExit(sub);
}
overrideExit(program);

try {
  await program.parseAsync();
} catch (thrown) {
  if (!(thrown instanceof CommanderError)) throw thrown;
  const asked = thrown.code === 'commander.helpDisplayed' || thrown.code === 'commander.version';
  process.exitCode = asked ? exitCodes.done : exitCodes.usage;
}
