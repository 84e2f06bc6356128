/** @file `export start`, `status` and `download`: an account's own export beside backups, stored here or pushed elsewhere. */
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { startSandbox, type Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { Cli, tokenOption } from '../../support/processes/cli.ts';
import { openOrigin } from '../../support/servers/origin.ts';
import { SandboxCalls } from '../../support/servers/sandbox-calls.ts';
import { filesContaining, encodingsOf } from '../../support/secret-search.ts';

const project = 'atlas/compass';

let sandbox: Sandbox;
let calls: SandboxCalls;
let cli: Cli;
beforeAll(async () => {
  sandbox = await startSandbox({ clock: systemClock, projectCount: 2 });
  calls = new SandboxCalls(sandbox);
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  cli = new Cli();
  await cli.add('gl', sandbox);
});

const as = (who: keyof Sandbox['tokens']) => tokenOption('gl', sandbox.tokens[who]);
const on = (command: string, ...more: string[]): string[] => [
  'export',
  command,
  project,
  '--instance',
  'gl',
  ...more,
];
const finished = (): Promise<void> =>
  expect.poll(() => calls.exportStatus(project), { interval: 5, timeout: 10_000 }).toBe('finished');

test('an export is requested, has the status that the instance reports, and is downloaded and inspected without replacing a file', async () => {
  expect(await cli.json(on('status'), as('maintainer'))).toEqual({
    code: 0,
    document: { project, state: 'none' },
  });
  const missing = { code: 'export-gone', exit: 1, todo: /^Start an export[^]*packhorse export start/ };
  const { what } = await cli.fails(on('download'), missing, as('maintainer'));
  expect(what).toContain('There is no export');
  expect(readdirSync(join(cli.dataDir, 'downloads'))).toEqual([]);

  const started = await cli.json(on('start', '--description', 'Another one'), as('maintainer'));
  expect(started).toMatchObject({ code: 0, document: { warnings: [], result: { changed: true } } });
  await finished();
  const { stdout } = await cli.run(on('status'), as('maintainer'));
  expect(stdout).toBe(`${project}: finished (it can be downloaded)\n`);

  const saved = await cli.json(on('download'), as('maintainer'));
  const { path, sizeBytes, sha256 } = saved.document as { path: string; sizeBytes: number; sha256: string };
  expect(saved).toMatchObject({ code: 0, document: { verdict: 'sound', findings: [] } });
  expect(path).toBe(join(cli.dataDir, 'downloads', 'atlas-compass_export.tar.gz'));
  expect((await readFile(path)).length).toBe(sizeBytes);
  const again = await cli.json(on('download'), as('maintainer'));
  expect(basename((again.document as { path: string }).path)).toBe('atlas-compass_export (2).tar.gz');
  const taken = { code: 'already-exists', exit: 2, todo: /another name/ };
  await cli.fails(on('download', '--to', path), taken, as('maintainer'));
  const nowhere = { code: 'invalid-input', exit: 2, todo: /./ };
  await cli.fails(on('download', '--to', 'no/such/folder.tar.gz'), nowhere, as('maintainer'));

  const { document } = await cli.json(['archive', 'inspect', path]);
  expect(document).toMatchObject({ sha256, verdict: 'sound' });
  expect(readdirSync(join(cli.dataDir, 'downloads'))).toHaveLength(2);
});

test('a download that is damaged in transit is not kept', async () => {
  await calls.exportArchive(project);
  sandbox.faults.add({
    match: { path: '/export/download', times: 1 },
    action: { kind: 'corrupt', at: 2000 },
  });
  const corrupt = { code: 'archive-corrupt', exit: 1, todo: /./ };
  await cli.fails(on('download', '--to', '.'), corrupt, as('maintainer'));
  expect(readdirSync(cli.folder).sort()).toEqual(['data', 'home']);
});

test('an export is pushed to a presigned address, which comes from standard input and is stored nowhere', async () => {
  const bucket = await openOrigin((_sent, reply) => {
    reply.writeHead(200).end();
  });
  const secret = 'signature-of-the-bucket-0123456789';
  const query = `X-Amz-SignedHeaders=host&X-Amz-Date=20261120T000000Z&X-Amz-Expires=600&X-Amz-Signature=${secret}`;
  const address = `${bucket.url}/exports/compass.tar.gz?${query}`;
  const piped = { ...as('maintainer'), stdin: `${address}\n` };
  const { code, document } = await cli.json(
    on('start', '--upload-url-stdin', '--upload-method', 'POST'),
    piped,
  );
  expect(code).toBe(0);
  expect(document).toMatchObject({
    warnings: [
      expect.stringContaining('Content-Type') as string,
      expect.stringContaining('expired') as string,
    ],
  });
  await expect.poll(() => bucket.sent.length, { interval: 5, timeout: 10_000 }).toBe(1);
  expect(bucket.sent[0]).toMatchObject({
    method: 'POST',
    url: `/exports/compass.tar.gz?${query}`,
    headers: { 'content-type': 'application/gzip' },
  });
  const printed = await cli.run(on('start', '--upload-url-stdin'), piped);
  expect(printed.stdout).toMatch(/does not report whether the upload succeeds/);
  expect(printed.stderr).toMatch(/^Warning: .*Content-Type/m);
  await cli.run(['job', 'list']);
  expect(cli.output).not.toContain(secret);
  expect(filesContaining(cli.folder, encodingsOf(secret))).toEqual([]);
});

test.each([
  [['--upload-method', 'PUT'], '', /--upload-url-stdin/],
  [['--upload-method', 'PATCH'], '', /Allowed choices/],
  [['--upload-url-stdin'], '', /has no address/],
  [['--upload-url-stdin'], 'ftp://a.example/b', /web address/],
])('an impossible push is rejected, and no export is requested: %j', async (options, stdin, says) => {
  const from = sandbox.requests.length;
  const expected = { code: 'invalid-input', exit: 2, todo: /./ };
  const { what } = await cli.fails(on('start', ...options), expected, { ...as('maintainer'), stdin });
  expect(what).toMatch(says);
  expect(sandbox.requests.slice(from).filter(({ method }) => method === 'POST')).toEqual([]);
});

test('a role below Maintainer may not export', async () => {
  const { code, document } = await cli.json(on('start'), as('developer'));
  expect({ code, document }).toMatchObject({ code: 4, document: { error: { code: 'role-too-low' } } });
});
