/** @file Two commands on one data folder. The process that runs the jobs also runs the jobs of the other command. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { exportWith } from '../../support/archives/archive-builder.ts';
import { Cli, tokenOption, type RunningCli } from '../../support/processes/cli.ts';
import type { Job } from '../../../src-contract/runs/job.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { openTestSandbox } from '../../support/world.ts';

let cli: Cli;
let source: Sandbox;
let target: Sandbox;
let token: Record<'source' | 'target', Record<string, string>>;

beforeEach(async () => {
  cli = new Cli();
  source = await openTestSandbox({ projectCount: 8 });
  target = await openTestSandbox({ projectCount: 0, seed: 2 });
  await cli.add('source', source);
  await cli.add('target', target);
  token = {
    source: tokenOption('source', source.tokens.administrator).env,
    target: tokenOption('target', target.tokens.administrator).env,
  };
  writeFileSync(join(cli.folder, 'one.tar.gz'), exportWith());
});

/** Starts a backup whose downloads all hang, so that the maximum number of jobs runs. */
async function hangingBackup(env: Record<string, string>): Promise<RunningCli> {
  source.faults.add({ match: { path: '/export/download$' }, action: { kind: 'stall', afterBytes: 100 } });
  const running = cli.start(['backup', '--instance', 'source', '--all'], { env });
  const downloads = () => source.requests.filter(({ path }) => path.endsWith('/export/download')).length;
  await expect.poll(downloads, { timeout: 20_000 }).toBeGreaterThanOrEqual(4);
  return running;
}

const importing = ['import', 'file', 'one.tar.gz', '--instance', 'target', '--path', 'back'];

test('a restore starts while another command backs up everything, and ends before it', async () => {
  const env = { ...token.source, ...token.target };
  const backup = await hangingBackup(env);
  const restored = await cli.run(importing, { env });
  expect(restored.code).toBe(0);
  expect(backup.process.exitCode).toBeNull();
  expect(target.state.paths).toHaveLength(1);

  // The same backup, started again, does not count as an interrupted one.
  const again = cli.start(['backup', '--instance', 'source', '--all'], { env });
  await again.prints(/already in progress in another Packhorse process/);
  again.process.kill('SIGINT');
  await again.ended;
  backup.process.kill('SIGINT');
  expect((await backup.ended).code).toBe(130);
});

test('a command whose token the other process lacks reports that, and runs its own job when the other process ends', async () => {
  const backup = await hangingBackup(token.source);
  const restoring = cli.start(importing, { env: token.target });
  await restoring.prints(/has no token for "target"/);
  expect(target.state.paths).toEqual([]);
  backup.process.kill('SIGINT');
  await backup.ended;
  expect((await restoring.ended).code).toBe(0);
  expect(target.state.paths).toHaveLength(1);
});

test('an address with a secret is rejected while another command would have to run its job, and no job remains', async () => {
  const env = { ...token.source, ...token.target };
  const backup = await hangingBackup(env);
  const address = 'https://exports.example.com/one.tar.gz?signature=0123456789abcdef';
  const args = ['import', 'url', '--instance', 'target', '--path', 'copy'];
  const refused = { code: 'jobs-elsewhere', exit: 1, todo: /Give the address in the window of that program/ };
  await cli.fails(args, refused, { env, stdin: address });
  const { document } = await cli.json(['job', 'list']);
  const { jobs } = document as { jobs: Job[] };
  expect(jobs.filter(({ kind }) => kind !== 'export')).toEqual([]);
  backup.process.kill('SIGINT');
  await backup.ended;
});

test('another command cancels all jobs of a run: queued jobs at once, running jobs as soon as they stop', async () => {
  const backup = await hangingBackup(token.source);
  const { document } = await cli.json(['job', 'list']);
  const { jobs } = document as { jobs: Job[] };
  const runId = jobs[0]?.runId ?? '';
  const queued = jobs.filter(({ state }) => state.status === 'queued').length;
  expect(jobs).toHaveLength(8);
  expect(queued).toBeGreaterThan(0);
  await cli.fails(['job', 'cancel'], { code: 'invalid-input', exit: 2, todo: /./ });
  await cli.fails(['job', 'cancel', '--run', 'zzz'], { code: 'job-missing', exit: 2, todo: /job list/ });

  const cancellation = await cli.run(['job', 'cancel', '--run', runId.slice(0, 12)]);
  expect(cancellation.code).toBe(0);
  const [, id, cancelled, stopping] =
    /^Run (\S+): (\d+) jobs? cancelled, (\d+) still stopping\.\n$/.exec(cancellation.stdout) ?? [];
  expect(id).toBe(runId);
  expect(Number(cancelled)).toBeGreaterThanOrEqual(queued);
  expect(Number(cancelled) + Number(stopping)).toBe(8);

  await backup.ended;
  const { document: after } = await cli.json(['job', 'list']);
  expect((after as { jobs: Job[] }).jobs.map(({ state }) => state)).toEqual(
    Array(8).fill({ status: 'cancelled', by: 'the command line' }),
  );
  expect((await cli.json(['archive', 'list'])).document).toMatchObject({ archives: [] });
  await cli.fails(['job', 'cancel', '--run', runId], { code: 'job-ended', exit: 1, todo: /./ });
});
