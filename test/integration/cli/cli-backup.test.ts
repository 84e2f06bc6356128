/** @file Backups on the command line that are refused, slowed down or interrupted, and the files that remain. */
import { globSync } from 'node:fs';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { startSandbox, type Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { Cli, tokenOption } from '../../support/processes/cli.ts';
import { openTestSandbox } from '../../support/world.ts';

let cli: Cli;
let sandbox: Sandbox;
const project = 'atlas/compass';

beforeEach(async () => {
  cli = new Cli();
  sandbox = await openTestSandbox({ projectCount: 2 });
  await cli.add('gl', sandbox);
});

const backup = (...more: string[]): string[] => ['backup', '--instance', 'gl', ...more];
const as = (name: 'maintainer' | 'readOnly' | 'developer' | 'expired') =>
  tokenOption('gl', sandbox.tokens[name]);
const exportRequests = (): number =>
  sandbox.requests.filter(({ method, path }) => method === 'POST' && /\/export$/.test(path)).length;

/** Returns all files below the archive folder, including partial ones. */
const stored = (): string[] =>
  globSync('archives/**/*.*', { cwd: cli.dataDir, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);

test('a read-only token lists projects, and its backup is refused with the missing scope', async () => {
  const listed = await cli.json(['project', 'list', '--instance', 'gl'], as('readOnly'));
  expect(listed.code).toBe(0);
  expect((listed.document as { projects: unknown[] }).projects).toHaveLength(2);
  const { what } = await cli.fails(
    backup(project),
    { code: 'token-scope', exit: 4, todo: /"api"/ },
    as('readOnly'),
  );
  expect(what).toContain('api');
  expect(stored()).toEqual([]);
});

test.each([
  ['everything', ['--all']],
  ['one project', [project]],
])(
  'a backup of %s waits until the instance lists its projects again, and reports since when it does not',
  async (_what, args) => {
    sandbox.faults.add({ match: { path: '/projects' }, action: { kind: 'respond', status: 503 } });
    const running = cli.start(backup(...args), as('maintainer'));
    await running.prints(/Waiting: The instance has not answered since \d\d:\d\d \(HTTP 503\)\./);
    expect(exportRequests()).toBe(0);
    sandbox.faults.clear();
    expect((await running.ended).code).toBe(0);
    expect(exportRequests()).toBeGreaterThan(0);
  },
);

test('a role below Maintainer is refused for a named project, and with --all', async () => {
  const expected = { code: 'role-too-low', exit: 4, todo: /Maintainer/ };
  await cli.fails(backup(project), expected, as('developer'));
  await cli.fails(backup('--all'), expected, as('developer'));
  expect(exportRequests()).toBe(0);
  expect(stored()).toEqual([]);
});

test('a missing project is named, and the other projects are still backed up', async () => {
  await cli.fails(
    backup('atlas/nothing'),
    { code: 'project-missing', exit: 2, todo: /full path/ },
    as('maintainer'),
  );
  const { code, document } = await cli.json(backup('atlas/nothing', project), as('maintainer'));
  expect(code).toBe(3);
  expect(document).toMatchObject({
    refused: [{ project: 'atlas/nothing', error: { code: 'project-missing' } }],
    jobs: [{ project, state: { status: 'succeeded' } }],
  });
  expect(document).not.toHaveProperty('error');
  expect(stored().sort()).toEqual([
    expect.stringMatching(/_export\.tar\.gz$/),
    expect.stringMatching(/\.manifest\.json$/),
    expect.stringMatching(/\.state\.json$/),
  ]);
  const quiet = await cli.run(['--quiet', ...backup('atlas/nothing', project)], as('maintainer'));
  expect(quiet.stderr).toBe('');
  expect(quiet.stdout).toMatch(/atlas\/nothing: There is no project[^]*1 of 2 projects backed up/);
});

test('an expired token is reported once, not once per project', async () => {
  const { code, stdout, stderr } = await cli.run(backup('--all'), as('expired'));
  expect(code).toBe(4);
  expect(stdout).toBe('');
  expect(stderr.trimEnd().split('\n')).toHaveLength(2);
  expect(stderr).toMatch(/expired[^]*set-token/);
});

test('a server that replies with a web page is not GitLab, and nothing is stored', async () => {
  sandbox.faults.add({ match: { path: '/projects/' }, action: { kind: 'html', status: 200 } });
  await cli.fails(backup(project), { code: 'not-gitlab', exit: 1, todo: /proxy/ }, as('maintainer'));
  expect(stored()).toEqual([]);
});

test('a damaged download is not stored as an archive', async () => {
  sandbox.faults.add({ match: { path: '/export/download' }, action: { kind: 'corrupt', at: 2000 } });
  await cli.fails(
    backup(project),
    { code: 'archive-corrupt', exit: 1, todo: /trash folder.*new backup/ },
    as('maintainer'),
  );
  expect(stored().filter((name) => name.endsWith('_export.tar.gz'))).toEqual([]);
  expect((await cli.json(['archive', 'list'])).document).toEqual({ archives: [], next: null });
});

test('a backup waits for a rate limit as long as the server requests, and reports that', async () => {
  sandbox.faults.add({
    match: { method: 'POST', path: '/export$', times: 1 },
    action: { kind: 'respond', status: 429, body: { message: 'Slow down' }, headers: { 'retry-after': '1' } },
  });
  const { code, stderr, stdout } = await cli.run(backup(project), as('maintainer'));
  expect(stderr).toMatch(/waiting: .*slow down/i);
  expect(stdout).toContain('1 of 1 project backed up.');
  expect(code).toBe(0);
  const { jobs } = (await cli.json(['job', 'list'])).document as { jobs: { id: string }[] };
  const { document } = await cli.json(['job', 'log', jobs[0]?.id ?? '']);
  const [refused, accepted] = (document as { requests: { at: number }[] }).requests;
  expect((accepted?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
});

test('projects beyond the rate limit wait, and are not requested repeatedly', async () => {
  // The minute of this server's rate limit does not end, and no export leaves the queue.
  const minute = Date.now();
  const frozen = await startSandbox({
    clock: { ...systemClock, now: () => minute },
    projectCount: 8,
    limits: 'gitlab',
    speed: { exportPendingMs: 0, exportQueuedMs: 3_600_000 },
  });
  onTestFinished(() => frozen.close());
  await cli.add('busy', frozen);
  const running = cli.start(
    ['backup', '--instance', 'busy', '--all'],
    tokenOption('busy', frozen.tokens.maintainer),
  );
  const statuses = async () => {
    const { document } = await cli.json(['job', 'list']);
    return (document as { jobs: { state: { status: string } }[] }).jobs.map((job) => job.state.status);
  };
  await running.prints(/slow down/);
  await expect.poll(statuses).toEqual(Array(8).fill('waiting'));
  running.process.kill('SIGINT');
  expect((await running.ended).code).toBe(130);
  const posts = frozen.requests.filter(({ method }) => method === 'POST');
  // The server accepts six requests. Projects not yet requested at the first refusal wait as long as the refused project.
  expect(posts.length).toBeGreaterThan(6);
  expect(posts.length).toBeLessThanOrEqual(8);
  expect(await statuses()).toEqual(Array(8).fill('waiting'));
});

test('outside of a job a rate limit is an error', async () => {
  sandbox.faults.add({
    match: { path: '/projects' },
    action: { kind: 'respond', status: 429, body: 'Retry later\n' },
  });
  const expected = { code: 'rate-limited', exit: 1, todo: /again in a minute/ };
  await cli.fails(['project', 'list', '--instance', 'gl'], expected, as('maintainer'));
});

test('Ctrl-C exits with 130 and prints how to continue, other commands can read meanwhile, and the same command finishes the job', async () => {
  sandbox.faults.add({
    match: { path: '/export/download', times: 1 },
    action: { kind: 'stall', afterBytes: 1000 },
  });
  const running = cli.start(backup(project), as('maintainer'));
  await expect.poll(() => stored().some((name) => name.endsWith('.part')), { timeout: 20_000 }).toBe(true);

  const runningJobs = await cli.json(['job', 'list', '--status', 'running']);
  expect(runningJobs).toMatchObject({
    code: 0,
    document: { jobs: [{ project, state: { status: 'running' } }] },
  });
  expect((await cli.json(['archive', 'list'])).code).toBe(0);

  running.process.kill('SIGINT');
  const { code, stdout, stderr } = await running.ended;
  expect(code).toBe(130);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/Interrupted[^]*same command again/);
  const waiting = (await cli.json(['job', 'list'])).document as { jobs: { id: string }[] };
  expect(waiting.jobs).toMatchObject([{ project, state: { status: 'waiting', reason: 'interrupted' } }]);

  const resumed = await cli.json(backup(project), as('maintainer'));
  expect(resumed).toMatchObject({
    code: 0,
    document: { jobs: [{ id: waiting.jobs[0]?.id, state: { status: 'succeeded' } }] },
  });
  expect(exportRequests()).toBe(1);
  expect(stored().filter((name) => name.endsWith('_export.tar.gz'))).toHaveLength(1);
  expect(stored().filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('a command interrupted with --json still prints one document', async () => {
  sandbox.faults.add({ match: { path: '/export/download' }, action: { kind: 'stall', afterBytes: 1000 } });
  const running = cli.start(['--json', ...backup(project)], as('maintainer'));
  await expect.poll(() => stored().some((name) => name.endsWith('.part')), { timeout: 20_000 }).toBe(true);
  running.process.kill('SIGTERM');
  const { code, stdout } = await running.ended;
  expect(code).toBe(130);
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'interrupted' } });
});

test('an interrupted backup of everything resumes, and exports no stored project again', async () => {
  const many = await startSandbox({ clock: systemClock, projectCount: 6 });
  onTestFinished(() => many.close());
  await cli.add('many', many);
  const all = ['backup', '--instance', 'many', '--all'];
  const token = tokenOption('many', many.tokens.maintainer);
  many.faults.add({
    match: { path: '/export/download', nth: 3, times: 9 },
    action: { kind: 'stall', afterBytes: 100 },
  });
  const running = cli.start(all, token);
  const archives = (): string[] => stored().filter((name) => name.endsWith('_export.tar.gz'));
  await expect.poll(() => archives().length, { timeout: 20_000 }).toBe(2);
  running.process.kill('SIGINT');
  expect((await running.ended).code).toBe(130);
  many.faults.clear();

  const { code, stderr } = await cli.run(all, token);
  expect(stderr).toContain('Continuing a backup that was interrupted.');
  expect(code).toBe(0);
  expect(archives()).toHaveLength(6);
  // The backup has ended, so the next command starts a new one.
  await cli.run(all, token);
  expect(archives()).toHaveLength(12);
});

test('an archive without an LFS object of its project is shown as incomplete, and backups and runs of plans that store it exit with 3', async () => {
  const withLfs = await startSandbox({ clock: systemClock, projectCount: 4 });
  onTestFinished(() => withLfs.close());
  await cli.add('lfs', withLfs);
  const almanac = 'atlas/almanac';
  withLfs.faults.add({
    match: { project: almanac, path: '/export' },
    action: { kind: 'drop-files', of: 'lfs-objects', count: 1, isListed: true },
  });
  const token = tokenOption('lfs', withLfs.tokens.maintainer);
  const { code, stdout, stderr } = await cli.run(['backup', '--instance', 'lfs', almanac], token);
  expect(code, stderr).toBe(3);
  expect(stdout, stderr).toMatch(/atlas\/almanac +incomplete .* incomplete\./);
  expect(stdout).toContain('1 archive incomplete');

  const plan = ['plan', 'add', '--instance', 'lfs', '--daily', '02:30', '--project', almanac];
  expect((await cli.run(plan, token)).code).toBe(0);
  const incomplete = await cli.run(['plan', 'run', 'lfs'], token);
  expect(incomplete, incomplete.stderr).toMatchObject({ code: 3 });
  expect(incomplete.stdout).toContain('1 archive incomplete');
  withLfs.faults.clear();
  expect((await cli.run(['plan', 'run', 'lfs'], token)).code).toBe(0);
});
