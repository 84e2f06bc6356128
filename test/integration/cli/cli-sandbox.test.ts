/** @file `sandbox` and `demo` as a user runs them: their output, their remaining files, and their exit. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { exportWith } from '../../support/archives/archive-builder.ts';
import { KeychainFile, keytarInFile } from '../../support/keychain/keytar-in-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { Cli, type RunningCli } from '../../support/processes/cli.ts';

interface Printed {
  url: string;
  tokens: { administrator: string; maintainer: string; readOnly: string; expired: string };
}

async function start(cli: Cli, ...more: string[]): Promise<{ running: RunningCli; printed: Printed }> {
  const running = cli.start(['--json', 'sandbox', ...more]);
  onTestFinished(() => {
    running.process.kill('SIGKILL');
  });
  await running.prints(/"tokens".*\n/);
  const line = cli.output.split('\n').find((text) => text.startsWith('{'));
  return { running, printed: JSON.parse(line ?? '') as Printed };
}

async function projectPaths({ url, tokens }: Printed): Promise<string[]> {
  const reply = await fetch(`${url}/api/v4/projects`, { headers: { 'PRIVATE-TOKEN': tokens.maintainer } });
  expect(reply.status).toBe(200);
  const projects = (await reply.json()) as { path_with_namespace: string }[];
  return projects.map((project) => project.path_with_namespace).sort();
}

/** Resolves when the port can be listened on, rejects when it is in use. */
async function listenOn(port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  await new Promise((resolve) => server.close(resolve));
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'a sandbox prints one line once it listens, and %s ends it with 0 and frees its port',
  async (signal) => {
    const cli = new Cli();
    const { running, printed } = await start(cli);
    expect(Object.keys(printed)).toEqual(['url', 'tokens']);
    expect(Object.keys(printed.tokens)).toEqual(['administrator', 'maintainer', 'readOnly', 'expired']);
    expect(await projectPaths(printed)).toHaveLength(7);
    const port = Number(new URL(printed.url).port);
    await expect(listenOn(port)).rejects.toThrow('EADDRINUSE');
    await cli.fails(['sandbox', '--port', String(port)], { code: 'invalid-input', exit: 2, todo: /Correct/ });

    running.process.kill(signal);
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stderr, lines: stdout.trimEnd().split('\n').length }).toEqual({
      code: 0,
      stderr: '',
      lines: 1,
    });
    await listenOn(port);
  },
);

test('a sandbox is seeded from files and folders, and reports which file it leaves out', async () => {
  const cli = new Cli();
  writeFileSync(join(cli.folder, 'one_export.tar.gz'), exportWith());
  writeFileSync(join(cli.folder, 'broken_export.tar.gz'), 'no archive');
  const { running, printed } = await start(cli, '--seed', '.', '--projects', '1');
  const paths = await projectPaths(printed);
  expect(paths).toHaveLength(2);
  expect(paths).toContainEqual(expect.stringMatching(/\/one$/));
  running.process.kill('SIGINT');
  expect((await running.ended).stderr).toMatch(/broken_export\.tar\.gz is left out: /);
  await cli.fails(['sandbox', '--seed', 'nothing.tar.gz'], {
    code: 'archive-missing',
    exit: 2,
    todo: /path/,
  });
});

test('--limits gitlab refuses the seventh export request of a minute', async () => {
  const { printed } = await start(new Cli(), '--limits', 'gitlab');
  const headers = { 'PRIVATE-TOKEN': printed.tokens.maintainer };
  const statuses: number[] = [];
  // A new minute may begin during the loop, and with it a new window of the limit.
  for (let request = 0; request < 13 && !statuses.includes(429); request += 1) {
    const project = encodeURIComponent((await projectPaths(printed))[request % 7] ?? '');
    const reply = await fetch(`${printed.url}/api/v4/projects/${project}/export`, {
      method: 'POST',
      headers,
    });
    await reply.arrayBuffer();
    statuses.push(reply.status);
  }
  expect(statuses.slice(0, 6)).toEqual(Array(6).fill(202));
  expect(statuses.at(-1)).toBe(429);
});

test('--faults reads a file of faults, and reports which entry is invalid', async () => {
  const cli = new Cli();
  const fault = { match: { path: '/user$', times: 1 }, action: { kind: 'html', status: 503 } };
  writeFileSync(join(cli.folder, 'faults.json'), JSON.stringify([fault]));
  writeFileSync(join(cli.folder, 'bad.json'), JSON.stringify([fault, { match: {}, action: { kind: 'no' } }]));
  const { printed } = await start(cli, '--faults', 'faults.json');
  const headers = { 'PRIVATE-TOKEN': printed.tokens.maintainer };
  const user = async (): Promise<number> => (await fetch(`${printed.url}/api/v4/user`, { headers })).status;

  expect([await user(), await user()]).toEqual([503, 200]);
  const activeFaults = await fetch(`${printed.url}/-/sandbox/faults`);
  expect(await activeFaults.json()).toEqual([{ fault, matched: 2 }]);
  const { what } = await cli.fails(['sandbox', '--faults', 'bad.json'], {
    code: 'invalid-input',
    exit: 2,
    todo: /Correct/,
  });
  expect(what).toMatch(/Fault 2 \(action\.kind\)/);
});

test('the demo prints a document with its counts, and changes neither the home folder nor the keychain', async () => {
  const cli = new Cli();
  const { env, path } = keytarInFile(temporaryFolder());
  const { code, stdout } = await cli.start(['--json', 'demo'], { env }).ended;
  const counts = JSON.parse(stdout) as Record<string, number> & { archiveRoot: string };
  onTestFinished(() => {
    rmSync(dirname(counts.archiveRoot), { recursive: true, force: true });
  });
  expect(code).toBe(0);
  expect(Object.keys(counts)).toEqual(
    'projects archives readable imported failedRelations lost reconciled contentsCompared differing archiveRoot'.split(
      ' ',
    ),
  );
  expect(counts).toMatchObject({ projects: 8, archives: 8, readable: 8, imported: 8, failedRelations: 1 });
  expect((counts['reconciled'] ?? 0) + (counts['differing'] ?? 0)).toBe(counts['imported']);
  expect(counts['lost']).toBeGreaterThanOrEqual(2);
  expect(readdirSync(counts.archiveRoot)).not.toEqual([]);
  expect(readdirSync(cli.home)).toEqual([]);
  expect(readdirSync(cli.dataDir)).toEqual([]);
  expect(readdirSync(cli.folder).sort()).toEqual(['data', 'home']);
  expect(new KeychainFile(path).entries).toEqual({});
});

test('the demo first reports that it contacts no real GitLab, and the commands that it prints at the end work', async () => {
  const cli = new Cli();
  const { code, stdout } = await cli.run(['--quiet', 'demo']);
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toBe('This uses two built-in sandboxes; no real GitLab is contacted.');
  expect(stdout).toMatch(/issues lost on export/);
  expect(stdout).toMatch(/ not all arrived$/m);
  expect(stdout).toMatch(/comments on merge requests lost on import/);
  // The sentences fit into a terminal of 100 columns; the commands are pasted as one line each.
  const sentences = lines.slice(0, -3);
  expect(sentences.filter((line) => line.length > 100)).toEqual([]);
  expect(sentences).toContainEqual(
    expect.stringMatching(/^ {2}- The source was not read by an administrator/),
  );

  const pasted = lines.slice(-3).map((line) => {
    expect(line).toMatch(/^npm run --silent packhorse -- --data-dir '/);
    return [...line.slice('npm run --silent packhorse -- '.length).matchAll(/'([^']*)'|(\S+)/g)].map(
      ([, quoted, plain]) => quoted ?? plain ?? '',
    );
  });
  const folder = pasted[0]?.[1] ?? '';
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const [inspected, verified, record] = await Promise.all(pasted.map((args) => cli.run(args)));
  // Both commands report that this archive lacks an issue.
  expect(inspected).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/^verdict +incomplete/) as string,
  });
  expect(verified).toMatchObject({ code: 3, stdout: expect.stringMatching(/^L2: /) as string });
  expect(record).toMatchObject({ code: 0, stdout: expect.stringMatching(/title +null/) as string });
  expect(readdirSync(cli.home)).toEqual([]);
});

test('the options of a sandbox set the properties of its server', async () => {
  const cli = new Cli();
  const { printed } = await start(
    cli,
    ...['--port', '0', '--tier', 'ultimate', '--gitlab-version', '17.2.0-ee', '--disable', 'export'],
    ...['--max-import-size', '1', '--deletion', 'immediate', '--no-token-expiry', '--no-allow-http-imports'],
  );
  const { url, tokens } = printed;
  const send = async (path: string, method = 'GET', body?: object) => {
    const reply = await fetch(`${url}/api/v4${path}`, {
      method,
      headers: { 'PRIVATE-TOKEN': tokens.administrator, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
  };

  expect(Number(new URL(url).port)).toBeGreaterThan(0);
  expect((await send('/version')).body).toMatchObject({ version: '17.2.0-ee' });
  const compass = await send('/projects/atlas%2Fcompass');
  expect(compass.body).toHaveProperty('only_allow_merge_if_all_status_checks_passed', false);
  expect(compass.body).not.toHaveProperty('marked_for_deletion_on');
  expect(await send('/projects/atlas%2Fcompass/export', 'POST')).toMatchObject({ status: 404 });
  expect((await send('/application/settings')).body).toMatchObject({ max_import_size: 1 });
  const token = { name: 'for ever', scopes: ['api'] };
  expect((await send('/users/1/personal_access_tokens', 'POST', token)).body).toMatchObject({
    expires_at: null,
  });
  const remote = { path: 'a', url: 'http://127.0.0.1:1/a.tar.gz' };
  expect((await send('/projects/remote-import', 'POST', remote)).body).toMatchObject({
    message: expect.stringMatching(/Only allowed schemes are https/) as unknown,
  });
});

test.each([
  ['--tier', 'gold'],
  ['--gitlab-version', 'newest'],
  ['--disable', 'everything'],
  ['--max-import-size', '1.5'],
  ['--s3-endpoint', 'storage'],
  ['--deletion', 'never'],
  ['--previous-export', 'lost'],
  ['--port', '65536'],
])('%s %s is wrong usage', async (...wrong) => {
  const { code, stderr } = await new Cli().run(['sandbox', ...wrong]);

  expect([code, stderr]).toEqual([2, expect.stringContaining(wrong[0])]);
});
