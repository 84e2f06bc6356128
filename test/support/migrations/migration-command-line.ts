/** @file The command line with a source and a target, for migrations as users type them. */
import { Cli, tokenOption } from '../processes/cli.ts';
import { openTestSandbox } from '../world.ts';

/** Adds a source and a target with that many projects; none, if the target's number is left out. `tokens` passes the tokens of both administrators. */
export async function openMigrationCli(projectCount: number, targetProjectCount = 0) {
  const cli = new Cli();
  const source = await openTestSandbox({ projectCount });
  const target = await openTestSandbox({ projectCount: targetProjectCount, seed: 2 });
  await cli.add('source', source);
  await cli.add('target', target);
  const tokens = {
    env: {
      ...tokenOption('source', source.tokens.administrator).env,
      ...tokenOption('target', target.tokens.administrator).env,
    },
  };
  return { cli, source, target, tokens };
}
