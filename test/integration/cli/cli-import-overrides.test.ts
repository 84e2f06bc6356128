/** @file Overrides of an import on the command line, checked before any request and read back after the import. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { exportWith } from '../../support/archives/archive-builder.ts';
import { Cli, tokenOption } from '../../support/processes/cli.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { openOrigin } from '../../support/servers/origin.ts';
import { openTestSandbox } from '../../support/world.ts';

let cli: Cli;
let sandbox: Sandbox;

beforeEach(async () => {
  cli = new Cli();
  sandbox = await openTestSandbox();
  await cli.add('gl', sandbox);
  writeFileSync(join(cli.folder, 'app.tar.gz'), exportWith());
});

const maintainer = () => tokenOption('gl', sandbox.tokens.maintainer);
const target = ['--instance', 'gl', '--namespace', 'atlas', '--path', 'app'];
const overriding = (...overrides: string[]): string[] => [
  ...['import', 'file', 'app.tar.gz', ...target],
  ...overrides.flatMap((override) => ['--override', override]),
];

/** Imports an archive that the instance fetches from an address. */
async function importFetched(override: string) {
  const archive = exportWith();
  const origin = await openOrigin(({ method }, reply) => {
    reply
      .writeHead(200, { 'content-type': 'application/gzip', 'content-length': archive.length })
      .end(method === 'HEAD' ? undefined : archive);
  });
  const command = ['import', 'url', ...target.slice(0, -1), 'fetched', '--archive', 'app.tar.gz'];
  const piped = { ...maintainer(), stdin: `${origin.url}/app.tar.gz\n` };
  return cli.json([...command, '--override', override], piped);
}

describe('an override', () => {
  test('that is misspelt is rejected with the most similar name, and nothing is sent', async () => {
    const expected = { code: 'invalid-input', exit: 2, todo: /Correct/ };
    const { what } = await cli.fails(overriding('visiblity=private'), expected, maintainer());
    expect(what).toContain('The most similar name is "visibility"');
    const remote = ['import', 'url', ...target, '--override', 'visiblity=private'];
    const piped = { ...maintainer(), stdin: 'https://files.example/app.tar.gz\n' };
    await cli.fails(remote, expected, piped);
    await cli.fails(
      ['import', 's3', 'none', 'key', ...target, '--override', 'lfs_enabled=on'],
      expected,
      maintainer(),
    );
    const twice = { ...expected, todo: /Correct the options of the command/ };
    await cli.fails(overriding('visibility=private', 'visibility=public'), twice, maintainer());
    expect(sandbox.requests).toEqual([]);
    expect(sandbox.state.paths).toEqual([]);
  });

  test('that the tier ignores is reported after the import, with exit code 3', async () => {
    const ignored = 'only_allow_merge_if_all_status_checks_passed';
    const command = overriding(`${ignored}=true`, 'visibility=private');
    const imported = await cli.json(command, maintainer());
    expect(imported).toMatchObject({
      code: 3,
      document: { result: { notTaken: [{ attribute: ignored, asked: true, is: null }] } },
    });
    const again = [
      'import',
      'file',
      'app.tar.gz',
      ...target.slice(0, -1),
      'other',
      '--override',
      `${ignored}=true`,
    ];
    const { stdout } = await cli.run(again, maintainer());
    expect(stdout).toContain(
      `The instance ignored "${ignored}": the requested value was true, the current one is null.`,
    );
    expect(await importFetched(`${ignored}=true`)).toMatchObject({
      code: 3,
      document: { result: { notTaken: [{ attribute: ignored, asked: true, is: null }] } },
    });
  });

  test('that is a hash is applied to an import from a file and from an address', async () => {
    const policy = 'container_expiration_policy_attributes={"keep_n":25,"cadence":"7d"}';
    const arrived = { code: 0, document: { result: { notTaken: [] } } };
    expect(await cli.json(overriding(policy), maintainer())).toMatchObject(arrived);

    expect(await importFetched(policy)).toMatchObject(arrived);
  });
});
