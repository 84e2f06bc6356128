/** @file Imports for which GitLab fetches the archive, imports of a single relation, and the storages of the archives. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { startSandbox, type Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { Cli, tokenOption } from '../../support/processes/cli.ts';
import { openOrigin } from '../../support/servers/origin.ts';
import { SandboxCalls, projectUrl } from '../../support/servers/sandbox-calls.ts';
import { filesContaining, encodingsOf } from '../../support/secret-search.ts';

const project = 'atlas/compass';
const secret = 'signature-of-the-archive-0123456789';

let sandbox: Sandbox;
let archive: Buffer = Buffer.alloc(0);
let cli: Cli;
beforeAll(async () => {
  sandbox = await startSandbox({ clock: systemClock, projectCount: 1 });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  cli = new Cli();
  await cli.add('gl', sandbox);
  if (archive.length === 0) archive = await new SandboxCalls(sandbox).exportArchive(project);
  writeFileSync(join(cli.folder, 'compass.tar.gz'), archive);
});

const as = (who: keyof Sandbox['tokens']) => tokenOption('gl', sandbox.tokens[who]);
const on = (...command: string[]): string[] => ['import', ...command, '--instance', 'gl'];
const serving = () =>
  openOrigin(({ method }, reply) => {
    reply
      .writeHead(200, { 'content-type': 'application/gzip', 'content-length': archive.length })
      .end(method === 'HEAD' ? undefined : archive);
  });
const issuesOf = async (path: string): Promise<number> =>
  (await sandbox.state.project(path)).relations['issues']?.length ?? 0;

test('GitLab fetches the archive from an address on standard input, and the imported project is compared with the file', async () => {
  const origin = await serving();
  const piped = { ...as('maintainer'), stdin: `${origin.url}/compass.tar.gz?sig=${secret}\n` };
  const imported = await cli.json(
    on(
      'url',
      '--namespace',
      'atlas',
      '--path',
      'fetched',
      '--archive',
      'compass.tar.gz',
      '--override',
      'description=New',
    ),
    piped,
  );
  expect(imported).toMatchObject({
    code: 0,
    document: { target: 'atlas/fetched', result: { failures: [], reconciliation: { reconciled: true } } },
  });
  expect(origin.sent.map(({ method, url }) => `${method} ${url}`)).toContain(
    `GET /compass.tar.gz?sig=${secret}`,
  );
  expect(await issuesOf('atlas/fetched')).toBe(await issuesOf(project));
  expect((await sandbox.state.project('atlas/fetched')).description).toBe('New');

  const taken = on('url', '--namespace', 'atlas', '--path', 'fetched');
  await cli.fails(taken, { code: 'path-taken', exit: 1, todo: /--overwrite/ }, piped);
  const unconfirmed = await cli.run([...taken, '--overwrite'], piped);
  expect(unconfirmed.code).toBe(2);
  expect(unconfirmed.stderr).toMatch(/destroys[^]*atlas\/fetched[^]*--yes/);
  const before = (await sandbox.state.project('atlas/fetched')).id;
  const replaced = await cli.run([...taken, '--overwrite', '--yes'], {
    ...piped,
    ...as('administrator'),
  });
  expect(replaced.stdout, replaced.stderr).toContain('Imported as atlas/fetched');
  expect((await sandbox.state.project('atlas/fetched')).id).not.toBe(before);
  expect(cli.output).not.toContain(secret);
  expect(filesContaining(cli.folder, encodingsOf(secret))).toEqual([]);
});

test('a relation is imported again, which restores its missing records, and the import is listed', async () => {
  const calls = new SandboxCalls(sandbox);
  sandbox.faults.add({
    match: { method: 'POST', path: '/projects/import$', times: 1 },
    action: { kind: 'drop-records', relation: 'issues', count: 3 },
  });
  await calls.importArchive(archive, { path: 'again', namespace: 'atlas' });
  const all = await issuesOf(project);
  expect(await issuesOf('atlas/again')).toBe(all - 3);
  const imported = await cli.json(
    on('relation', 'atlas/again', 'issues', '--archive', 'compass.tar.gz'),
    as('maintainer'),
  );
  // The account is not an administrator, so it becomes the author of the imported records.
  expect(imported).toMatchObject({
    code: 3,
    document: {
      result: { relation: 'issues', inArchive: all, before: all - 3, after: all },
      warnings: [{ code: 'author-lost' }],
    },
  });
  expect(await issuesOf('atlas/again')).toBe(all);
  const listed = await cli.run(on('relations', 'atlas/again'), as('maintainer'));
  expect(listed.stdout).toMatch(/\n *\d+ +issues +finished /);
  const imports = await calls.get(`${projectUrl('atlas/again')}/relation-imports`);
  expect(imports).toHaveLength(1);

  const administrator = new SandboxCalls(sandbox, sandbox.tokens.administrator);
  const again = on('relation', 'atlas/again', 'issues', '--archive', 'compass.tar.gz');
  const refused = await cli.run(again, as('administrator'));
  expect(refused.stderr).toMatch(/removes the only direct member of atlas\/again: maintainer \(40\)/);
  expect(refused.stderr).toContain('--remove-members');
  expect(await administrator.get(`${projectUrl('atlas/again')}/relation-imports`)).toHaveLength(1);
  const accepted = await cli.run([...again, '--remove-members'], as('administrator'));
  expect(accepted.stdout, accepted.stderr).toMatch(/no longer direct members: maintainer \(40\)/);
  expect(accepted.stdout).toContain('The project has a record with each number of the archive.');
  expect(accepted.code).toBe(3);
  const milestones = ['relation', 'atlas/again', 'milestones', '--archive', 'compass.tar.gz'];
  const counted = await cli.run(on(...milestones), as('administrator'));
  expect(counted.stdout, counted.stderr).toContain(
    'The target has at least as many records as the archive. The records themselves were not looked up.',
  );
});

test.each([
  [['url', '--path', 'x'], '', 'invalid-input', /has no address/],
  [['url', '--path', 'x'], 'not an address', 'invalid-input', /one line/],
  [['url', '--path', 'a b'], 'https://a.example/b', 'invalid-input', /not a project path/],
  [['relation', project, 'labels', '--archive', 'compass.tar.gz'], '', 'invalid-input', /Allowed choices/],
])(
  'an impossible import is rejected, and no write request is sent: %j',
  async (command, stdin, code, says) => {
    const from = sandbox.requests.length;
    const { what } = await cli.fails(
      on(...command),
      { code, exit: 2, todo: /./ },
      { ...as('maintainer'), stdin },
    );
    expect(what).toMatch(says);
    expect(sandbox.requests.slice(from).filter(({ method }) => method !== 'GET')).toEqual([]);
  },
);

test('a storage needs the keychain for its key, and an import from an unknown storage reports it as missing', async () => {
  const place = ['--region', 'eu', '--bucket', 'b', '--access-key-id', 'AKIA'];
  const key = 'secret-access-key-of-the-bucket';
  const added = await cli.json(['storage', 'add', 'cold', ...place, '--secret-stdin'], { stdin: key });
  expect(added).toMatchObject({
    code: 4,
    document: { error: { code: expect.stringMatching(/^keychain-/) as string } },
  });
  expect(await cli.json(['storage', 'list'])).toEqual({ code: 0, document: { storages: [] } });
  const missing = { code: 'storage-missing', exit: 2, todo: /storage/ };
  await cli.fails(on('s3', 'cold', 'a/b.tar.gz', '--path', 'x'), missing, as('maintainer'));
  await cli.fails(['storage', 'remove', 'cold'], missing);
  expect(cli.output).not.toContain(key);
  expect(filesContaining(cli.folder, encodingsOf(key))).toEqual([]);
});
