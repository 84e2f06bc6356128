/** @file A token that passes through the product is in no file, no output and no argument. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportWith, member } from '../../support/archives/archive-builder.ts';
import { Cli, tokenOption } from '../../support/processes/cli.ts';
import { scriptedServer } from '../../support/servers/scripted-server.ts';
import { filesContaining, encodingsOf } from '../../support/secret-search.ts';
import { openTestSandbox } from '../../support/world.ts';

test('no file and no output contains the token after backups, imports and failures', async () => {
  const cli = new Cli();
  const sandbox = await openTestSandbox({ projectCount: 2 });
  const secret = sandbox.tokens.maintainer;
  const fromStdin = { stdin: `${secret}\n` };
  const fromEnvironment = tokenOption('gl', secret);
  // The server repeats the received token in its error.
  const echo = await scriptedServer((request, reply) => {
    reply.json(400, { message: `Bad token ${String(request.headers['private-token'])}` });
  });
  const session = ['--token-stdin', '--no-keychain', '--pace', 'sandbox'];
  await cli.json(['instance', 'add', 'gl', sandbox.url, ...session], fromStdin);
  await cli.run(['instance', 'add', 'echo', echo.url, ...session], fromStdin);
  expect(echo.requests.length).toBeGreaterThan(0);
  await cli.run(['backup', '--instance', 'gl', 'atlas/compass', '--token-stdin'], fromStdin);
  await cli.json(['backup', '--instance', 'gl', '--all'], fromEnvironment);
  const [file] = globSync('archives/**/*_export.tar.gz', { cwd: cli.dataDir });
  const importing = ['import', 'file', join(cli.dataDir, file ?? ''), '--instance', 'gl'];
  const imported = await cli.json([...importing, '--path', 'copy', '--token-stdin'], fromStdin);
  expect(imported.code).toBe(0);
  await cli.run([...importing, '--path', 'copy'], fromEnvironment);
  sandbox.faults.add({
    match: { path: '/export' },
    action: { kind: 'respond', status: 400, body: { message: { error: `${secret} is not welcome` } } },
  });
  const refused = await cli.run(['backup', '--instance', 'gl', 'atlas/compass'], fromEnvironment);
  expect(refused.stdout).toContain('is not welcome');
  await cli.run(['job', 'list']);
  const jobs = (await cli.json(['job', 'list'])).document as { jobs: { id: string }[] };
  await cli.run(['job', 'log', jobs.jobs[0]?.id ?? '']);

  const texts = encodingsOf(secret);
  expect(
    globSync('{settings.json,catalogue.sqlite*,logs/*,archives/**/*.json}', { cwd: cli.dataDir }).length,
  ).toBeGreaterThan(5);
  expect(filesContaining(cli.folder, texts)).toEqual([]);
  expect(texts.filter((text) => cli.output.toLowerCase().includes(text.toLowerCase()))).toEqual([]);
  // The search itself finds text that exists.
  expect(filesContaining(cli.folder, encodingsOf('atlas/compass'))).not.toEqual([]);
});

test.skipIf(process.platform !== 'linux')(
  'no process shows a token in its arguments or environment, or passes it to a child process',
  async () => {
    const cli = new Cli();
    const sandbox = await openTestSandbox({ projectCount: 1 });
    await cli.add('gl', sandbox);
    sandbox.faults.add({ match: { path: '/export/download' }, action: { kind: 'stall', afterBytes: 500 } });
    const running = cli.start(['backup', '--instance', 'gl', 'atlas/compass', '--token-stdin'], {
      stdin: sandbox.tokens.maintainer,
    });
    await expect
      .poll(() => globSync('archives/**/*.part', { cwd: cli.dataDir }).length, { timeout: 20_000 })
      .toBe(1);
    const shown = globSync(`/proc/${running.process.pid}/{cmdline,environ,task/*/{cmdline,environ}}`).map(
      (path) => readFileSync(path, 'latin1'),
    );
    expect(shown.length).toBeGreaterThanOrEqual(2);
    expect(shown.filter((text) => text.includes(sandbox.tokens.maintainer))).toEqual([]);
    const children = readFileSync(
      `/proc/${running.process.pid}/task/${running.process.pid}/children`,
      'utf8',
    );
    expect(children).toBe('');
    running.process.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
  },
);

test('names from a server cannot control the terminal', async () => {
  const cli = new Cli();
  const evil = '\u001b]0;owned\u0007\u001b[2J\u202egnp\u009b31m';
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await cli.add('gl', sandbox);
  const as = tokenOption('gl', sandbox.tokens.maintainer);
  sandbox.faults.add({
    match: { method: 'POST', path: '/export$' },
    action: { kind: 'respond', status: 400, body: { message: `no ${evil}` } },
  });
  const title = JSON.stringify({ title: evil, iid: 1, state: 'x'.repeat(9000) });
  const milestones = member({ name: './tree/project/milestones.ndjson', content: `${title}\n` });
  const archive = join(cli.folder, 'evil.tar.gz');
  writeFileSync(
    archive,
    exportWith({
      './tree/project/milestones.ndjson': milestones,
      './uploads/\u001b[2J': member({ name: './uploads/\u001b[2J', type: '2', linkName: '/x' }),
    }),
  );
  await cli.run(['backup', '--instance', 'gl', 'atlas/compass'], as);
  await cli.run(['--json', 'backup', '--instance', 'gl', 'atlas/compass'], as);
  await cli.run(['job', 'list']);
  await cli.run(['archive', 'record', archive, 'milestones', '0']);
  await cli.run(['--json', 'archive', 'record', archive, 'milestones', '0']);
  await cli.run(['archive', 'inspect', archive]);
  await cli.run(['backup', '--instance', 'gl', evil], as);
  expect(cli.output).toContain('owned');
  // eslint-disable-next-line no-control-regex -- the output must not contain these control characters
  expect(cli.output.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/g)).toBeNull();
});
