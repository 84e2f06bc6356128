/** @file `packhorse storage …` and `import s3` with the real keychain of Linux and a server that checks signatures. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Cli, tokenOption } from '../../support/processes/cli.ts';
import { hasKeychainPrograms, openKeyring } from '../../support/keychain/keychain-session.ts';
import { requirement } from '../../support/requirement.ts';
import { openS3, s3Keys } from '../../support/servers/s3-server.ts';
import { SandboxCalls } from '../../support/servers/sandbox-calls.ts';
import { filesContaining, encodingsOf } from '../../support/secret-search.ts';
import { runAtTerminal, withoutTerminal } from '../../support/processes/terminal.ts';
import { openTestSandbox } from '../../support/world.ts';

const missing = requirement(
  'the keychain of Linux (D-Bus, gnome-keyring, libsecret)',
  hasKeychainPrograms(),
  'apt-get install libsecret-1-0 gnome-keyring dbus',
);
const project = 'atlas/compass';
const key = 'a folder/compass.tar.gz';

test.skipIf(missing || withoutTerminal)(
  'a storage is added with a key that is typed at a terminal and stored in the keychain, a project is imported from it, and the storage is removed',
  async () => {
    const storage = await openS3();
    const sandbox = await openTestSandbox({ projectCount: 1, s3Endpoint: storage.url });
    const archive = await new SandboxCalls(sandbox).exportArchive(project);
    await storage.put(key, archive, 'application/gzip');
    const cli = new Cli();
    writeFileSync(join(cli.folder, 'at-hand.tar.gz'), archive);
    await cli.add('gl', sandbox);
    const keychain = await openKeyring(cli.home);
    const env = { ...keychain, ...tokenOption('gl', sandbox.tokens.maintainer).env };
    const { accessKeyId, secretAccessKey } = s3Keys;
    const place = ['--region', storage.region, '--bucket', storage.bucket, '--access-key-id', accessKeyId];
    const importing = (path: string): string[] => {
      const target = ['--instance', 'gl', '--namespace', 'atlas', '--path', path];
      return ['import', 's3', 'cold', key, ...target];
    };

    const wrong = { env, stdin: 'a-secret-that-does-not-fit' };
    expect((await cli.run(['storage', 'add', 'cold', ...place, '--secret-stdin'], wrong)).code).toBe(0);
    await cli.fails(importing('wrong'), { code: 'import-refused', exit: 1, todo: /./ }, { env });

    const adding = runAtTerminal(cli, ['storage', 'add', 'cold', ...place, '--secret-stdin'], env);
    await adding.waitFor(/secret access key: /);
    adding.type(secretAccessKey);
    expect(await adding.ended).toBe(0);
    expect(adding.output()).toContain('Saved cold.');
    expect(adding.output()).not.toContain(secretAccessKey);
    expect(await cli.json(['storage', 'list'], { env })).toEqual({
      code: 0,
      document: {
        storages: [{ name: 'cold', region: storage.region, bucket: storage.bucket, accessKeyId }],
      },
    });

    const imported = await cli.json([...importing('stored'), '--archive', 'at-hand.tar.gz'], { env });
    expect(imported).toMatchObject({
      code: 0,
      document: { target: 'atlas/stored', result: { failures: [], reconciliation: { reconciled: true } } },
    });
    const issues = async (path: string) => (await sandbox.state.project(path)).relations['issues']?.length;
    expect(await issues('atlas/stored')).toBe(await issues(project));
    expect(storage.requests).toContainEqual({ method: 'GET', path: `/backups/${key}`, status: 200 });

    expect((await cli.run(['storage', 'remove', 'cold'], { env })).stdout).toBe('Removed cold.\n');
    expect(await cli.json(['storage', 'list'], { env })).toEqual({ code: 0, document: { storages: [] } });
    await cli.fails(importing('again'), { code: 'storage-missing', exit: 2, todo: /storage/ }, { env });
    expect(cli.output).not.toContain(secretAccessKey);
    expect(filesContaining(cli.dataDir, encodingsOf(secretAccessKey))).toEqual([]);
  },
);

test('without a keychain the key comes from standard input or a variable, and is stored nowhere', async () => {
  const storage = await openS3();
  const sandbox = await openTestSandbox({ projectCount: 1, s3Endpoint: storage.url });
  const archive = await new SandboxCalls(sandbox).exportArchive(project);
  await storage.put(key, archive, 'application/gzip');
  const cli = new Cli();
  writeFileSync(join(cli.folder, 'at-hand.tar.gz'), archive);
  await cli.add('gl', sandbox);
  const { env } = tokenOption('gl', sandbox.tokens.maintainer);
  const { accessKeyId, secretAccessKey } = s3Keys;
  const place = ['--region', storage.region, '--bucket', storage.bucket, '--access-key-id', accessKeyId];
  expect((await cli.run(['storage', 'add', 'cold', ...place, '--keep-no-secret'], { env })).code).toBe(0);
  const importing = (path: string, ...more: string[]): string[] => [
    ...['import', 's3', 'cold', key, '--instance', 'gl', '--namespace', 'atlas', '--path', path, ...more],
  ];
  // No archive is available for the comparison, which is a warning.
  const typed = await cli.run(importing('typed', '--secret-stdin'), { env, stdin: `${secretAccessKey}\n` });
  expect(typed, typed.stderr).toMatchObject({ code: 3 });
  const variable = { env: { ...env, PACKHORSE_S3_SECRET_COLD: secretAccessKey } };
  const withArchive = ['--archive', 'at-hand.tar.gz'];
  const compared = await cli.json(importing('variable', ...withArchive), variable);
  expect(compared).toMatchObject({ code: 0, document: { result: { notTaken: [] } } });
  // The tier of the instance has no such setting.
  const ignored = 'only_allow_merge_if_all_status_checks_passed';
  const overriding = importing('overridden', ...withArchive, '--override', `${ignored}=true`);
  expect(await cli.json(overriding, variable)).toMatchObject({
    code: 3,
    document: { result: { notTaken: [{ attribute: ignored, asked: true, is: null }] } },
  });
  expect(storage.requests.filter(({ method }) => method === 'GET').map(({ status }) => status)).toContain(
    200,
  );
  expect(cli.output).not.toContain(secretAccessKey);
  expect(filesContaining(cli.dataDir, encodingsOf(secretAccessKey))).toEqual([]);
});
