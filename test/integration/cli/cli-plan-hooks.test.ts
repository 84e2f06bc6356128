/** @file Programs before and after the runs of a plan on the command line, also after their process is killed. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { SettingsStore } from '../../../src-main/platform/settings.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { Plan, PlanStatus } from '../../../src-contract/plans/plan.ts';
import { Cli, tokenOption } from '../../support/processes/cli.ts';
import { openTestSandbox } from '../../support/world.ts';

let cli: Cli;
let sandbox: Sandbox;

beforeEach(async () => {
  cli = new Cli();
  sandbox = await openTestSandbox({ projectCount: 1 });
  await cli.add('gl', sandbox);
});

const add = (...more: string[]): string[] => [
  ...['plan', 'add', '--instance', 'gl', '--daily', '02:30', '--time-zone', 'UTC'],
  ...more,
];
const withToken = () => tokenOption('gl', sandbox.tokens.maintainer);

function script(name: string, lines: string): string {
  const path = join(cli.folder, name);
  writeFileSync(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, 0o700);
  return path;
}

async function plan(): Promise<Plan> {
  const { document } = await cli.json(['plan', 'list']);
  const [only] = (document as { plans: PlanStatus[] }).plans;
  if (only === undefined) throw new Error('There is no plan.');
  return only.plan;
}

test('programs are set, shown, changed one by one and removed', async () => {
  const program = '/usr/local/bin/mount-drive';
  const added = await cli.run(
    add('--before-run', program, '--before-arg', '-o', '--before-arg', 'a b; $c', '--if-before-fails', 'run'),
  );
  expect([added.code, added.stderr]).toEqual([0, expect.any(String)]);
  const first = { program, arguments: ['-o', 'a b; $c'], timeLimitSeconds: 600, ifFails: 'run' };
  expect((await plan()).hooks).toEqual({ before: first, after: null });
  await cli.run(['plan', 'edit', 'gl', '--after-run', '/bin/sync', '--after-limit', '5']);
  const after = { program: '/bin/sync', arguments: [], timeLimitSeconds: 5 };
  expect((await plan()).hooks).toEqual({ before: first, after });
  await cli.run(['plan', 'edit', 'gl', '--before-limit', '30', '--keep', '3']);
  const shown = (await cli.run(['plan', 'show', 'gl'])).stdout;
  expect(shown).toContain(
    `Before     "${program}" "-o" "a b; $c", for at most 30 s; if it fails, the run takes place anyway`,
  );
  expect(shown).toContain('After      "/bin/sync", for at most 5 s');
  await cli.run(['plan', 'edit', 'gl', '--no-before-run']);
  expect((await plan()).hooks).toEqual({ before: null, after });
  const usage = await cli.run(['plan', 'edit', 'gl', '--before-run', 'mount-drive']);
  expect([usage.code, usage.stderr]).toEqual([2, expect.stringContaining('full path')]);
  expect((await cli.run(['plan', 'edit', 'gl', '--if-before-fails', 'run'])).code).toBe(2);
  expect((await cli.run(['plan', 'edit', 'gl', '--keep', '4'])).code).toBe(0);
  expect((await plan()).hooks).toEqual({ before: null, after });
});

test('"plan run" waits for the program after the run, and prints the output of both programs', async () => {
  const before = script('before', 'echo mounted');
  const after = script('after', 'echo "unmounted after $PACKHORSE_OUTCOME"; exit 4');
  await cli.run(add('--before-run', before, '--after-run', after));
  const ran = await cli.run(['plan', 'run', 'gl'], withToken());
  expect(ran.stdout).toMatch(
    /The program before the run succeeded\.\n {2}\| mounted\nThe program after the run failed with the exit code 4\.\n {2}\| unmounted after succeeded\n/,
  );
  expect(ran.code).toBe(3);
  expect((await cli.run(['plan', 'show', 'gl'])).stdout).toContain('  | unmounted after succeeded');
  await cli.run(['plan', 'edit', 'gl', '--before-run', script('bad', 'exit 9')]);
  const failed = await cli.run(['plan', 'run', 'gl'], withToken());
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('exit code 9, so nothing was')]);
});

/** Makes each plan due now, because its earlier due times were missed. */
async function makeDue(): Promise<void> {
  const settings = new SettingsStore(join(cli.dataDir, 'settings.json'), systemClock);
  await settings.change((stored) => ({
    ...stored,
    plans: stored.plans.map((entry) => ({ ...entry, activeSince: '2020-01-01T00:00:00.000Z' })),
  }));
}

function daemon() {
  const running = cli.start(['daemon'], withToken());
  onTestFinished(async () => {
    running.process.kill('SIGKILL');
    await running.ended;
  });
  return running;
}

test('another process shows the program before a run of the daemon, and ends it', async () => {
  const pid = join(cli.folder, 'pid');
  await cli.run(add('--before-run', script('before', `echo $$ > ${pid}; exec /bin/sleep 60`)));
  await makeDue();
  const running = daemon();
  await running.prints(/Plan "gl": the program before the run has started/);
  expect((await cli.run(['plan', 'list'])).stdout).toMatch(
    /\ngl: the program before the run has been running for \d+ s; "packhorse plan cancel" stops it\n$/,
  );
  const ended = await cli.run(['plan', 'cancel', 'gl']);
  expect([ended.code, ended.stdout]).toEqual([
    0,
    'The program before the run of gl was stopped and the run cancelled; nothing was backed up.\n',
  ]);
  expect(() => process.kill(Number(readFileSync(pid, 'utf8')), 0)).toThrow('ESRCH');
  await running.prints(/the run ended: cancelled/);
  const { document } = await cli.json(['plan', 'show', 'gl']);
  expect(document).toMatchObject({ beginning: null, lastRun: { outcome: 'cancelled' }, overdue: null });
});

test('if a daemon is killed during the program before the run, the next daemon starts that program again', async () => {
  const go = join(cli.folder, 'go');
  const tries = join(cli.folder, 'tries');
  await cli.run(add('--before-run', script('before', `echo $$ >> ${tries}; [ -e ${go} ] || /bin/sleep 60`)));
  await makeDue();
  const first = daemon();
  while (!existsSync(tries)) await systemClock.sleep(50);
  first.process.kill('SIGKILL');
  await first.ended;
  // A program has its own process group, so it continues after its parent is killed.
  process.kill(-Number(readFileSync(tries, 'utf8')), 'SIGKILL');
  writeFileSync(go, '');
  const second = daemon();
  await second.prints(/the run ended: done/);
  expect(readFileSync(tries, 'utf8').trim().split('\n')).toHaveLength(2);
});
