/** @file Chooses the entry of the command line for tests. */
import { join } from 'node:path';

/** The variable of the environment that names the entry made for this run by `command-line-build.ts`. */
export const commandLineVariable = 'PACKHORSE_TEST_COMMAND_LINE';

/** Returns the absolute path of the entry; without a build, as in a bench, the source. */
export function commandLine(): string {
  return process.env[commandLineVariable] ?? join(import.meta.dirname, '../../../src-main/hosts/cli.ts');
}
