/** @file The command line with a source and a target, for migrations as users type them. */
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { Cli, tokenOption } from '../processes/cli.ts';
import { openTestSandbox } from '../world.ts';

interface MigrationCliOptions {
  /** Number of projects of the source. */
  projectCount: number;
  /** Number of projects of the target. Default: none. */
  targetProjectCount?: number;
  /** The account of the target. Default: the administrator. */
  importer?: keyof Sandbox['tokens'];
}

/** Adds a source and a target. `tokens` passes the tokens of the administrator of the source, and of the importer. */
export async function openMigrationCli({
  projectCount,
  targetProjectCount = 0,
  importer = 'administrator',
}: MigrationCliOptions) {
  const cli = new Cli();
  const source = await openTestSandbox({ projectCount });
  const target = await openTestSandbox({ projectCount: targetProjectCount, seed: 2 });
  await cli.add('source', source);
  await cli.add('target', target);
  const tokens = {
    env: {
      ...tokenOption('source', source.tokens.administrator).env,
      ...tokenOption('target', target.tokens[importer]).env,
    },
  };
  return { cli, source, target, tokens };
}
