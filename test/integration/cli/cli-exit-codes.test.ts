/** @file The real command line exits with the codes that the README states, and prints the matching messages. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Cli, tokenOption } from '../../support/processes/cli.ts';
import { openTestSandbox } from '../../support/world.ts';

const table: [words: string, args: string[], code: number, says: RegExp][] = [
  ['help is a success', ['help'], 0, /Usage/],
  ['an unknown command is wrong usage', ['nonsense'], 2, /unknown command/],
  ['an unknown project of a backup', ['backup', '--instance', 'gl', 'nope/nope'], 2, /nope/],
  [
    'an unknown project of a plan',
    ['plan', 'add', '--instance', 'gl', '--daily', '02:30', '--project', 'nope/nope'],
    2,
    /nope/,
  ],
  ['an unknown project of an import', ['import', 'status', 'nope/nope', '--instance', 'gl'], 2, /nope/],
  ['an unknown token', ['token', 'show', '999', '--instance', 'gl'], 2, /./],
  [
    'a missing token file',
    ['project', 'list', '--instance', 'gl', '--token-file', '/nope'],
    2,
    /The token file was not found.*\/nope/,
  ],
  ['a host with a wrong port', ['instance', 'add', 'x', 'http://127.0.0.1:99999', '--anonymous'], 2, /port/],
  ['a host with a space', ['instance', 'add', 'x', 'http://exa mple.com', '--anonymous'], 2, /space/],
  [
    'a name that is too long',
    ['instance', 'add', 'n'.repeat(200), 'https://a.example', '--anonymous'],
    2,
    /63/,
  ],
  [
    'a plan without a name',
    ['plan', 'add', '--instance', 'gl', '--daily', '02:30', '--name', ''],
    2,
    /a name/,
  ],
  ['a proxy without a scheme', ['settings', 'change', '--proxy', 'foo'], 2, /must begin with/],
  ['a list that was never fetched', ['project', 'list', '--instance', 'gl', '--offline'], 0, /never fetched/],
  ['a scope without --all', ['backup', '--instance', 'gl', '--scope', 'visible', 'a/b'], 2, /--all/],
];

test('each command exits with the code that the README states, and reports the reason', async () => {
  const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');
  expect(readme).toContain('Exit codes: 0 done, 1 failed, 2 wrong usage');
  const cli = new Cli();
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await cli.add('gl', sandbox);
  for (const [words, args, code, says] of table) {
    const ended = await cli.run(args, tokenOption('gl', sandbox.tokens.maintainer));
    expect.soft(ended.code, words).toBe(code);
    expect.soft(`${ended.stdout}${ended.stderr}`, words).toMatch(says);
  }
});

test('a data folder with a typo in its name is not created', async () => {
  const cli = new Cli();
  const typo = join(cli.folder, 'typo');
  const { code } = await cli.run(['--data-dir', typo, 'overview']);
  expect(code).toBe(2);
  expect(existsSync(typo)).toBe(false);
});

test('overview and doctor report a missing token', async () => {
  const cli = new Cli();
  await cli.add('gl', { url: 'http://127.0.0.1:9' });
  // A command waits a moment for the keychain. On a busy machine only the next command knows that there is no token.
  await expect
    .poll(async () => (await cli.run(['overview'])).stdout)
    .toMatch(/There is no token for gl\. .*packhorse instance set-token/);
  const { stdout } = await cli.run(['doctor']);
  expect(stdout).toMatch(/tokens.*gl:/);
});
