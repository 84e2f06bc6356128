/** @file Which entry of the command line the tests start. */
import { join } from 'node:path';

/** The variable of the environment that names the entry made for this run by `command-line-build.ts`. */
export const commandLineVariable = 'PACKHORSE_TEST_COMMAND_LINE';

/** Absolute path of the entry; where none was made, as in a bench, the source. */
export function commandLine(): string {
  return process.env[commandLineVariable] ?? join(import.meta.dirname, '../../../src-main/hosts/cli.ts');
}
