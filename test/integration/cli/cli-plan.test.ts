/** @file Plans on the command line, and the daemon as a separate process. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { SettingsStore } from '../../../src-main/platform/settings.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import type { PlanStatus } from '../../../src-contract/plans/plan.ts';
import type { Run } from '../../../src-contract/runs/run.ts';
import { Cli, tokenOption, type RunOptions, type RunningCli } from '../../support/processes/cli.ts';
import { readStoredState } from '../../support/faults/stored-truth.ts';
import { openTestSandbox } from '../../support/world.ts';

let cli: Cli;
let sandbox: Sandbox;

beforeEach(async () => {
  cli = new Cli();
  sandbox = await openTestSandbox({ projectCount: 2 });
  await cli.add('gl', sandbox);
});

const add = (...more: string[]): string[] => ['plan', 'add', '--instance', 'gl', '--daily', '02:30', ...more];
const withToken = () => tokenOption('gl', sandbox.tokens.maintainer);
const exportRequests = (): number =>
  sandbox.requests.filter(({ method, path }) => method === 'POST' && /\/export$/.test(path)).length;

/** Resolves once the sandbox received a request for such a path. */
const waitForRequest = async (path: RegExp): Promise<void> => {
  await expect
    .poll(() => sandbox.requests.some((request) => path.test(request.path)), { timeout: 10_000 })
    .toBe(true);
};

/** Returns the stored settings, read from the disk again. */
const settings = (): SettingsStore => new SettingsStore(join(cli.dataDir, 'settings.json'), systemClock);

async function plans(): Promise<PlanStatus[]> {
  const { document } = await cli.json(['plan', 'list']);
  return (document as { plans: PlanStatus[] }).plans;
}

/** Adds a plan whose last due times were missed. */
async function addMissed(): Promise<void> {
  await cli.run(add('--time-zone', 'UTC'));
  await settings().change((before) => ({
    ...before,
    plans: before.plans.map((plan) => ({ ...plan, activeSince: '2020-01-01T00:00:00.000Z' })),
  }));
}

function daemon(options: string[] = [], access: RunOptions = withToken()): RunningCli {
  const running = cli.start([...options, 'daemon'], access);
  onTestFinished(async () => {
    running.process.kill('SIGKILL');
    await running.ended;
  });
  return running;
}

describe('a plan on the command line', () => {
  test('is added, listed, changed and removed', async () => {
    expect((await cli.run(['plan', 'list'])).stdout).toMatch('No plan yet.');
    const added = await cli.run(add('--keep', '7', '--time-zone', 'America/New_York'));
    expect(added.code).toBe(0);
    expect(added.stdout).toMatch(
      /gl +gl +all as a member +daily at 02:30 America\/New_York +newest 7 +2\d\d\d-/,
    );
    expect(added.stdout).toMatch('dedicated account');
    expect(added.stdout).toMatch('packhorse daemon');
    const [first] = await plans();
    expect(first).toMatchObject({
      plan: { instance: 'gl', retention: { keepLast: 7 }, enabled: true },
      lastRun: null,
      overdue: null,
    });
    await cli.run(['plan', 'edit', first?.plan.id.slice(0, 12) ?? '', '--daily', '4:30']);
    await cli.run(['plan', 'edit', 'gl', '--daily', '04:30', '--keep', 'all']);
    expect((await plans())[0]?.plan).toMatchObject({
      id: first?.plan.id,
      schedule: { at: '04:30', timeZone: 'America/New_York' },
      retention: { keepLast: null },
    });
    const missingOption = { code: 'invalid-input', exit: 2, todo: /options of the command/ };
    const { what } = await cli.fails(['plan', 'edit', 'gl'], missingOption);
    expect(what).toBe('No option says what to change.');
    const off = await cli.run(['plan', 'edit', 'gl', '--off']);
    expect(off.stdout).toMatch('switched off');
    expect((await plans())[0]).toMatchObject({ nextRunAt: null });
    await cli.run(['plan', 'edit', 'gl', '--on']);
    expect(settings().read().plans[0]?.enabled).toBe(true);
    expect((await cli.run(['plan', 'remove', 'gl'])).code).toBe(0);
    expect(await plans()).toEqual([]);
  });

  test('that keeps all archives warns about its growth and how to limit it, and a plan with a limit gives no warning', async () => {
    const all = await cli.run(add('--name', 'all of it'));
    expect(all.stderr).toMatch(
      /keeps all archives: each run adds one archive of every project that changed, .*plan edit "all of it" --keep 7/,
    );
    expect((await cli.run(['plan', 'edit', 'all of it', '--keep', '7'])).code).toBe(0);
    const limited = await cli.run(add('--name', 'limited', '--keep-weekly', '4'));
    expect(limited.stderr).not.toMatch('keeps all archives');
    expect(
      (await plans()).map(({ plan }) => [plan.name, plan.retention.keepLast, plan.retention.weekly]),
    ).toEqual([
      ['all of it', 7, null],
      ['limited', null, 4],
    ]);
  });

  test.for<[string, string[], RegExp]>([
    ['an invalid time', add().with(5, '24:00'), /HH:MM/],
    ['an unknown time zone', add('--time-zone', 'Mars/Base'), /Europe\/Berlin/],
    ['an empty folder name, as from an unset variable', add('--archive-root', ''), /Name a folder/],
    ['an invalid number of archives', add('--keep', '0'), /1 to 1000/],
    ['both on and off', ['plan', 'edit', 'gl', '--on', '--off'], /cannot be used/],
    ['no instance', ['plan', 'add', '--daily', '02:30'], /--instance/],
    ['two schedules', add('--hourly', '5'), /cannot be used/],
    ['no schedule', ['plan', 'add', '--instance', 'gl'], /--weekly/],
    ['an invalid day', ['plan', 'add', '--instance', 'gl', '--weekly', 'moon@02:00'], /"moon" is not a day/],
    [
      'an invalid cron expression',
      ['plan', 'add', '--instance', 'gl', '--cron', '61 2 * * *'],
      /not a cron expression/,
    ],
    [
      'a cron expression that is never due',
      ['plan', 'add', '--instance', 'gl', '--cron', '0 2 30 2 *'],
      /never due/,
    ],
    ['projects and a rule', add('--project', 'a/b', '--starred'), /not several/],
  ])('with %s is wrong usage', async ([, args, says]) => {
    const { code, stderr } = await cli.run(args);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(says) as unknown });
    expect(settings().read().plans).toEqual([]);
  });

  test('keeps its archives in its own folder until that setting is removed', async () => {
    mkdirSync(join(cli.folder, 'drive'));
    await cli.run(add('--archive-root', 'drive'));
    expect((await cli.run(['plan', 'show', 'gl'])).stdout).toMatch(`Stored in  ${join(cli.folder, 'drive')}`);
    await cli.run(['plan', 'edit', 'gl', '--keep', '3']);
    expect(settings().read().plans[0]?.archiveRoot).toBe(join(cli.folder, 'drive'));
    await cli.run(['plan', 'edit', 'gl', '--no-archive-root']);
    expect(settings().read().plans[0]?.archiveRoot).toBeNull();
    await cli.fails(add('--name', 'other', '--archive-root', 'nowhere'), {
      code: 'invalid-input',
      exit: 2,
      todo: /./,
    });
  });

  test('is rejected for a taken name or an unknown instance, and cannot be removed if it does not exist', async () => {
    await cli.run(add());
    await cli.fails(add(), {
      code: 'already-exists',
      exit: 2,
      todo: /See "packhorse plan edit gl"\.$/,
    });
    await cli.fails(add().with(3, 'nobody'), { code: 'instance-unknown', exit: 2, todo: /instance list/ });
    await cli.fails(['plan', 'remove', 'other'], { code: 'plan-missing', exit: 2, todo: /plan list/ });
  });

  test('of each kind of schedule, selection and retention is stored as it was typed, and printed in words', async () => {
    const plan = (...more: string[]) =>
      cli.run(['plan', 'add', '--instance', 'gl', '--time-zone', 'UTC', ...more]);
    const weekly = await plan(
      '--name',
      'a',
      '--weekly',
      'fri-mon,Wednesday@22:00',
      '--keep-weekly',
      '4',
      '--every-time',
    );
    expect(weekly.stdout).toMatch(/every Mon, Wed, Fri, Sat and Sun at 22:00 UTC +4 weekly/);
    const byGroup = ['--group', 'atlas', '--not-archived', '--except', '*/x', '--except', 'a/b'];
    await plan('--name', 'b', '--monthly', 'last@03:00', ...byGroup);
    await plan('--name', 'c', '--hourly', '5', '--keep', '3', '--keep-days', '30');
    await plan('--name', 'd', '--cron', '30 2 * * 1-5');
    await cli.run(['plan', 'edit', 'C', '--keep', 'all', '--keep-yearly', '2', '--starred', '--name', 'e']);
    expect(
      (await plans()).map(({ plan: { name, schedule, selection, retention, skipUnchanged } }) => ({
        ...{ name, schedule, selection, skipUnchanged },
        kept: Object.entries(retention).filter(([, limit]) => limit !== null),
      })),
    ).toMatchObject([
      { name: 'a', schedule: { weekdays: [1, 3, 5, 6, 7] }, skipUnchanged: false, kept: [['weekly', 4]] },
      {
        name: 'b',
        schedule: { kind: 'monthly', day: 31, at: '03:00' },
        selection: {
          kind: 'rule',
          scope: 'member',
          group: 'atlas',
          markedArchived: false,
          except: ['*/x', 'a/b'],
          owned: null,
        },
        skipUnchanged: true,
        kept: [],
      },
      {
        name: 'e',
        schedule: { kind: 'hourly', minute: 5 },
        selection: { starred: true },
        kept: [['yearly', 2]],
      },
      {
        name: 'd',
        schedule: { kind: 'cron', expression: '30 2 * * 1-5' },
        selection: { kind: 'all', scope: 'member' },
      },
    ]);
    const next = await cli.json(['plan', 'next', 'd', '--count', '2']);
    expect(next.document).toMatchObject({
      timeZone: 'UTC',
      times: [/T02:30/, /T02:30/].map((like) => expect.stringMatching(like) as unknown),
    });
  });

  test('backs up its projects when it is run by name, can be paused, and can skip one due time', async () => {
    const access = withToken();
    await cli.run(add('--project', 'atlas/compass', '--keep', '2'), access);
    const run = await cli.run(['backup', '--plan', 'GL'], access);
    expect(run).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/1 of 1 project backed up/) as unknown,
    });
    expect(exportRequests()).toBe(1);
    const [first] = await plans();
    expect(first).toMatchObject({ lastRun: { outcome: 'succeeded' } });
    await cli.run(['plan', 'skip', 'gl']);
    const [skipped] = await plans();
    expect(skipped?.plan.skippedDue).toBe(first?.nextRunAt);
    expect(skipped?.nextRunAt).not.toBe(first?.nextRunAt);
    // Three consecutive due times without the skipped one.
    const { dueTimes } = (await cli.json(['plan', 'show', 'gl'])).document as { dueTimes: string[] };
    const day = 86_400_000;
    const next = Date.parse(skipped?.nextRunAt ?? '');
    expect(dueTimes.map((time) => Date.parse(time))).toEqual([next, next + day, next + 2 * day]);
    expect((await cli.run(['plan', 'pause', 'gl', '--until', '2036-12-24'])).stdout).toMatch(
      'paused until 2036-12-24 00:00',
    );
    expect((await cli.run(['plan', 'pause', 'gl', '--until', 'resumed'])).stdout).toMatch(
      'paused until it is resumed',
    );
    await cli.run(['plan', 'resume', '--all']);
    await cli.run(['plan', 'skip', 'gl', '--undo']);
    expect((await plans())[0]).toMatchObject({
      nextRunAt: first?.nextRunAt,
      plan: { pausedUntil: null, skippedDue: null },
    });
    expect((await cli.run(['plan', 'preview', 'gl'])).stdout).toMatch(
      /atlas\/compass[^]*kept +one of the newest[^]*1 archive is kept, none is removed/,
    );
    await cli.fails(['plan', 'pause'], { code: 'invalid-input', exit: 2, todo: /./ });
  });

  test('that covers no project now is saved with a warning, and its run exits with 3', async () => {
    const access = withToken();
    const added = await cli.run(add('--group', 'nogroup'), access);
    expect(added).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/The plan covers no project now/) as unknown,
    });
    const run = await cli.run(['plan', 'run', 'gl'], access);
    expect(run).toMatchObject({
      code: 3,
      stdout: 'Nothing was backed up: the plan covers no project.\n',
    });
    const overview = await cli.run(['overview']);
    expect(overview.stdout).toMatch(/The plan gl of gl backed nothing up\./);
  });

  test('whose run could not start reports that later too, with its earlier runs', async () => {
    await cli.run(add('--project', 'atlas/compass'), withToken());
    expect((await cli.run(['plan', 'run', 'gl'], withToken())).code).toBe(0);
    const again = await cli.run(['plan', 'run', 'gl'], withToken());
    expect((await cli.run(['job', 'list'])).stdout).toMatch(/backup +gl +gl +atlas\/compass/);
    expect(again.stderr).not.toMatch('skipped');
    expect(again.stdout.match(/atlas\/compass/g)).toHaveLength(1);
    expect((await cli.run(['plan', 'run', 'gl'], tokenOption('gl', 'glpat-another-one-0000'))).code).toBe(4);
    expect((await cli.run(['plan', 'list'])).stdout).toMatch(/, failed$/m);
    const shown = await cli.run(['plan', 'show', 'gl']);
    expect(shown.stdout).toMatch(
      /Newest runs:\n.*failed\. The run could not start\..*\n.*nothing new, 1 job skipped, took \d+ s\n.*done, 1 job done, took \d+ s, \S+ [kM]B$/m,
    );

    // A run with an unusable token file is recorded too.
    const file = join(cli.folder, 'token');
    writeFileSync(file, 'glpat-another-one-0000\n', { mode: 0o600 });
    expect((await cli.run(['plan', 'run', 'gl', '--token-file', file])).code).toBe(4);
    const gone = await cli.run(['plan', 'run', 'gl', '--token-file', join(cli.folder, 'none')]);
    expect(gone.code).not.toBe(0);
    // A command with wrong usage is not a run.
    await cli.run(['plan', 'run', 'gl', '--token-stdin', '--token-file', file]);
    const { document } = await cli.json(['plan', 'show', 'gl']);
    const failed = (document as { runs: Run[] }).runs.filter(({ outcome }) => outcome === 'failed');
    expect(failed.map(({ notes }) => notes[0]?.error?.code)).toEqual([
      'not-found',
      'token-invalid',
      'token-invalid',
    ]);
  });

  test('whose run was interrupted is not reported as running, and the next run continues it', async () => {
    await cli.run(add('--project', 'atlas/compass'), withToken());
    sandbox.faults.add({ match: { path: 'download' }, action: { kind: 'stall', afterBytes: 100 } });
    const running = cli.start(['plan', 'run', 'gl'], withToken());
    await waitForRequest(/\/export\/download$/);
    running.process.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    expect((await cli.run(['plan', 'list'])).stdout).toMatch('interrupted; the next run continues it');
    sandbox.faults.clear();
    expect((await cli.run(['plan', 'run', 'gl'], withToken())).stdout).toMatch('1 of 1 project backed up');
    expect(exportRequests()).toBe(1);
  });

  test('survives an outage while it requests its projects, and the run does not fail', async () => {
    await cli.run(add('--project', 'atlas/compass'), withToken());
    const file = join(cli.folder, 'token');
    writeFileSync(file, sandbox.tokens.maintainer, { mode: 0o600 });
    sandbox.faults.add({ match: { path: '/api/v4/' }, action: { kind: 'respond', status: 502 } });
    const running = cli.start(['plan', 'run', 'gl', '--token-file', file]);
    await running.prints(/Waiting: The instance has not answered since \d\d:\d\d \(HTTP 502\)\./);
    sandbox.faults.clear();
    expect((await running.ended).code).toBe(0);
    const { document } = await cli.json(['plan', 'show', 'gl']);
    expect((document as { runs: Run[] }).runs.map(({ outcome }) => outcome)).toEqual(['succeeded']);
  });

  test('reports what it waits for if an instance does not reply', async () => {
    await cli.run(add());
    sandbox.faults.add({
      match: { method: 'GET', path: '/projects' },
      action: { kind: 'delay', ms: 60_000 },
    });
    const running = cli.start(['plan', 'run', 'gl'], withToken());
    await running.prints(/Waiting for gl\./);
    running.process.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
  });

  test('that was missed is listed as overdue, and other commands do not run it', async () => {
    await addMissed();
    await cli.run(['backup', '--instance', 'gl', 'atlas/compass'], withToken());
    expect(exportRequests()).toBe(1);
    const [status] = await plans();
    expect(status).toMatchObject({
      lastRun: null,
      overdue: { since: '2020-01-01T02:30:00.000Z', error: null },
    });
    expect((await cli.run(['plan', 'list'])).stdout).toMatch(/since 2020-01-01 0\d:30:00: no Packhorse/);
  });
});

describe('the daemon', () => {
  test('runs a missed plan once, reports the run, and exits with 0 on a signal', async () => {
    await addMissed();
    const running = daemon(['--json']);
    await running.prints(/Plan "gl": the run that was due at .* started: 2 jobs/);
    await running.prints(/Plan "gl": the run ended: done, 2 jobs done/);
    expect(running.process.exitCode).toBeNull();
    running.process.kill('SIGTERM');
    const { code, stdout, stderr } = await running.ended;
    expect(code).toBe(0);
    expect(stderr).toMatch(/This process runs the plans and jobs of this data folder/);
    expect(stderr).toMatch(/Plan "gl" is due next at /);
    const { runs } = JSON.parse(stdout) as { runs: Run[] };
    expect(runs).toMatchObject([{ outcome: 'succeeded', jobs: { succeeded: 2 } }]);
    expect(readStoredState(cli.dataDir).archives).toHaveLength(2);

    const again = daemon();
    await again.prints(/Plan "gl" is due next at /);
    again.process.kill('SIGINT');
    expect((await again.ended).code).toBe(0);
    expect(exportRequests()).toBe(2);
  });

  test('resumes its run after being killed, and does not start another one', async () => {
    sandbox.faults.add({ match: { path: 'download' }, action: { kind: 'stall', afterBytes: 100 } });
    await addMissed();
    const first = daemon();
    await first.prints(/started: 2 jobs/);
    first.process.kill('SIGKILL');
    await first.ended;
    sandbox.faults.clear();
    const second = daemon(['--json']);
    await second.prints(/the run ended: done, 2 jobs done/);
    second.process.kill('SIGTERM');
    await second.ended;
    const { document } = await cli.json(['job', 'list']);
    expect((document as { jobs: unknown[] }).jobs).toHaveLength(2);
    const truth = readStoredState(cli.dataDir);
    expect(truth.archives).toHaveLength(2);
    expect(new Set(truth.jobs.map(({ runId }) => runId)).size).toBe(1);
    expect((await plans())[0]).toMatchObject({ overdue: null, lastRun: { outcome: 'succeeded' } });
  });

  test('waits while another process runs the jobs, and takes over when that process ends', async () => {
    const first = daemon();
    await first.prints(/This process runs the plans and jobs/);
    const second = daemon();
    await second.prints(/Another Packhorse process runs the jobs/);
    await addMissed();
    first.process.kill('SIGKILL');
    await first.ended;
    await second.prints(/This process runs the plans and jobs/);
    await second.prints(/the run ended: done, 2 jobs done/);
    second.process.kill('SIGTERM');
    expect((await second.ended).code).toBe(0);
  });

  test('reports a missing token and a refused one at its start, and an accepted one no longer', async () => {
    const missing = daemon([], {});
    await missing.prints(/There is no token for gl\..*packhorse instance set-token/);
    missing.process.kill('SIGTERM');
    expect((await missing.ended).code).toBe(0);

    const refuse = (tokenRefused: Instance['tokenRefused']) =>
      settings().change((before) => ({
        ...before,
        instances: before.instances.map((instance) => ({ ...instance, tokenRefused })),
      }));
    await refuse({ code: 'token-revoked', at: '2026-01-01T00:00:00.000Z' });
    const refused = daemon();
    await refused.prints(/The token was revoked: gl/);
    refused.process.kill('SIGTERM');
    expect((await refused.ended).stderr).not.toContain('There is no token');

    await refuse(null);
    const accepted = daemon();
    await accepted.prints(/There is no plan yet/);
    accepted.process.kill('SIGTERM');
    expect((await accepted.ended).stderr).not.toMatch(/token/);
  });

  test('reports why a plan cannot run', async () => {
    await addMissed();
    const running = daemon([], {});
    await running.prints(/Plan "gl" is overdue since .*keychain/i);
    running.process.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
    expect((await plans())[0]?.overdue?.error).not.toBeNull();
    expect(exportRequests()).toBe(0);
  });
});
