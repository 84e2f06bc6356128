/** @file Programs and heartbeats around the runs of a plan, with the real product, real programs and a real HTTP server. */
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { inProcessClient } from '../../../src-main/bridge/transports/in-process.ts';
import { GrantedPaths } from '../../../src-main/bridge/archives/granted-paths.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { Hooks } from '../../../src-contract/plans/hook.ts';
import type { Run } from '../../../src-contract/runs/run.ts';
import { MemoryKeychain } from '../../support/keychain/memory-keychain.ts';
import { planDraft } from '../../support/jobs/plan-draft.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ended, openTestSandbox, openWorld, register, type World } from '../../support/world.ts';

let sandbox: Sandbox;
let world: World;
let keychain: MemoryKeychain;
let scripts: string;

beforeEach(async () => {
  scripts = temporaryFolder();
  keychain = new MemoryKeychain();
  sandbox = await openTestSandbox({ projectCount: 1 });
  world = await openWorld({
    keychain,
    env: { PACKHORSE_TOKEN_OTHER: 'glpat-of-another-instance', HOME: '/home/of' },
  });
  await register(world, 'work', sandbox);
});

/** Writes a shell script and returns its absolute path. */
function script(name: string, lines: string): string {
  const path = join(scripts, name);
  writeFileSync(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, 0o700);
  return path;
}
const hook = (program: string, ...more: string[]) => ({ program, arguments: more, timeLimitSeconds: 20 });
const before = (program: string, ifFails: 'skip' | 'run' = 'skip') => ({ ...hook(program), ifFails });

async function save(hooks: Partial<Hooks>, secretAddress?: string): Promise<string> {
  const heartbeat = secretAddress === undefined ? {} : { heartbeat: { secretAddress } };
  const draft = planDraft({ hooks: { before: null, after: null, ...hooks }, ...heartbeat });
  return (await world.client.call('plan.save', draft)).plan.id;
}

/** Runs the plan, waits for the work after the run, and returns the run. */
async function run(id: string): Promise<Run> {
  const { runId } = await world.client.call('plan.run', { id });
  await ended(world, runId);
  for (;;) {
    const { runs } = await world.client.call('run.list', { limit: 20 });
    const found = runs.find((candidate) => candidate.id === runId);
    if (found?.notes.every(({ awaits }) => awaits === undefined) === true) return found;
    await systemClock.sleep(50);
  }
}

/** Returns the text of all files in the data folder except archives. */
function allFiles(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !path.endsWith('.tar.gz'))
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');
}

/** Opens a server that responds as scripted and records its requests. */
async function openHeartbeatServer(answer: (response: ServerResponse, requestCount: number) => void) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(response, requests.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  return { requests, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('programs around a run', () => {
  test('run before and after it, receive its data, and get no environment variables except the documented ones', async () => {
    const id = await save({
      before: before(script('before', `env > ${scripts}/before.env; echo mounted`)),
      after: hook(script('after', `env > ${scripts}/after.env; echo "$1" >&2`), 'gone; echo bad'),
    });
    const done = await run(id);
    expect(done).toMatchObject({ outcome: 'succeeded', jobs: { succeeded: 1 } });
    expect(done.notes).toEqual([
      { severity: 'info', message: 'The program before the run succeeded.', output: 'mounted\n' },
      { severity: 'info', message: 'The program after the run succeeded.', output: 'gone; echo bad\n' },
    ]);
    const environmentOf = (when: string): Record<string, string> =>
      Object.fromEntries(
        readFileSync(join(scripts, `${when}.env`), 'utf8')
          .trim()
          .split('\n')
          .map((line) => line.split(/=(.*)/s) as [string, string])
          .filter(([name]) => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name)),
      );
    const expected = {
      PATH: expect.any(String) as string,
      HOME: '/home/of',
      PACKHORSE_PLAN: 'work',
      PACKHORSE_RUN: done.id,
      PACKHORSE_DUE: done.dueAt,
    };
    expect(environmentOf('before')).toEqual({
      ...expected,
      PACKHORSE_HOOK: 'before',
      PACKHORSE_PROJECTS: '1',
    });
    expect(environmentOf('after')).toEqual({
      ...expected,
      PACKHORSE_HOOK: 'after',
      PACKHORSE_OUTCOME: 'succeeded',
      PACKHORSE_SUCCEEDED: '1',
      PACKHORSE_FAILED: '0',
      PACKHORSE_CANCELLED: '0',
      PACKHORSE_SKIPPED: '0',
      PACKHORSE_LEFT_OUT: '0',
      PACKHORSE_HEARTBEAT: '1',
    });
    const all = JSON.stringify([environmentOf('before'), environmentOf('after')]);
    expect(all).not.toContain(sandbox.tokens.maintainer);
    expect(all).not.toContain('glpat');
  });

  test('a program that fails before a run prevents the backup, with a reason; the program after it still runs', async () => {
    const id = await save({
      before: before(script('before', 'echo no drive >&2; exit 32')),
      after: hook(script('after', `echo "$PACKHORSE_OUTCOME" > ${scripts}/outcome`)),
    });
    const failed = await run(id);
    expect(failed).toMatchObject({
      outcome: 'failed',
      jobs: {},
      notes: [
        {
          severity: 'warning',
          message: 'The program before the run failed with the exit code 32, so nothing was backed up.',
          output: 'no drive\n',
          error: { code: 'hook-failed' },
        },
        { severity: 'info', message: 'The program after the run succeeded.' },
      ],
    });
    expect(readFileSync(join(scripts, 'outcome'), 'utf8')).toBe('failed\n');
    expect(sandbox.requests.filter(({ method }) => method === 'POST')).toEqual([]);
    const { plans } = await world.client.call('plan.list', {});
    expect(plans).toMatchObject([{ lastRun: { outcome: 'failed' }, overdue: null }]);
  });

  test('a program that may fail before a run lets the run continue with a warning', async () => {
    const id = await save({ before: before('/no/such/program', 'run') });
    const done = await run(id);
    expect(done).toMatchObject({ outcome: 'warnings', jobs: { succeeded: 1 } });
    expect(done.notes[0]?.message).toMatch(/could not be started \(there is no such file/);
  });

  test('a program that fails after a run makes the run succeed with warnings', async () => {
    const id = await save({ after: { ...hook(script('after', 'sleep 60')), timeLimitSeconds: 1 } });
    const done = await run(id);
    expect(done).toMatchObject({ outcome: 'warnings', jobs: { succeeded: 1 } });
    expect(done.notes).toMatchObject([
      {
        severity: 'warning',
        message: expect.stringMatching(/was ended after its time limit of 1 s/) as string,
      },
    ]);
  });

  test('an interrupted program does not count as done, and runs again', async () => {
    const flagOf = (name: string): string => join(scripts, `${name}-flag`);
    const wait = (name: string): string =>
      `echo $$ >> ${scripts}/${name}; [ -e ${flagOf(name)} ] || sleep 60`;
    const waitForPids = async (name: string, times: number): Promise<number[]> => {
      const pids = () =>
        existsSync(join(scripts, name)) ? readFileSync(join(scripts, name), 'utf8').trim().split('\n') : [];
      while (pids().length < times) await systemClock.sleep(20);
      return pids().map(Number);
    };
    const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);
    const id = await save({
      before: before(script('before', wait('tries'))),
      after: hook(script('after', wait('ends'))),
    });

    const cancel = new AbortController();
    const client = inProcessClient(world.app.dispatch, cancel.signal);
    const running = client.call('plan.run', { id }).catch((thrown: unknown) => thrown);
    const [beforePid = 0] = await waitForPids('tries', 1);
    await expect(world.client.call('plan.run', { id })).rejects.toMatchObject({ code: 'job-busy' });
    cancel.abort(new AppError('cancelled', 'Cancelled.'));
    expect(await running).toMatchObject({ code: 'cancelled' });
    expect(isAlive(beforePid)).toBe(false);
    expect((await world.client.call('run.list', { limit: 5 })).runs).toEqual([]);

    writeFileSync(flagOf('tries'), '');
    const again = world.client.call('plan.run', { id });
    await waitForPids('tries', 2);
    const { runId } = await again;
    const [afterPid = 0] = await waitForPids('ends', 1);
    await world.app.close();
    expect(isAlive(afterPid)).toBe(false);

    writeFileSync(flagOf('ends'), '');
    world = await openWorld({ keychain, dataDir: world.dataDir });
    world.app.startSchedule();
    await waitForPids('ends', 2);
    for (;;) {
      const { runs } = await world.client.call('run.list', { limit: 5 });
      if (runs[0]?.notes.some(({ awaits }) => awaits !== undefined) === false) {
        expect(runs).toMatchObject([{ id: runId, outcome: 'succeeded' }]);
        return;
      }
      await systemClock.sleep(50);
    }
  }, 20_000);

  test('a browser page shows and keeps the programs, and cannot set or change one', async () => {
    const program = script('before', 'exit 0');
    const id = await save({ before: before(program) });
    const page = new GrantedPaths();
    const savePlan = (request: unknown) =>
      world.app.dispatch('plan.save', request, {
        signal: new AbortController().signal,
        progress: () => undefined,
        grants: page,
      });
    const storedHooks = { before: before(program), after: null };
    const refusal = { ok: false, error: { code: 'host-cannot' } };
    const changed: unknown[] = [
      { ...storedHooks, before: { ...storedHooks.before, arguments: ['-rf'] } },
      { ...storedHooks, before: { ...storedHooks.before, timeLimitSeconds: 3600 } },
      { ...storedHooks, after: hook(program) },
      { before: before('/bin/sh'), after: null },
      { before: null, after: null },
    ];
    for (const hooks of changed)
      expect(await savePlan(planDraft({ id, hooks: hooks as Hooks }))).toMatchObject(refusal);
    expect(await savePlan(planDraft({ hooks: storedHooks, name: 'new' }))).toMatchObject(refusal);
    page.grant('/bin/sh', 'program');
    expect(
      await savePlan(planDraft({ hooks: { before: before('/bin/sh'), after: null }, name: 'new' })),
    ).toMatchObject(refusal);
    expect(await savePlan(planDraft({ id, name: 'renamed' }))).toMatchObject({ ok: true });
    expect(await savePlan(planDraft({ id, name: 'again', hooks: storedHooks }))).toMatchObject({ ok: true });
    const { plans } = await world.client.call('plan.list', {});
    expect(plans).toMatchObject([{ plan: { name: 'again', hooks: storedHooks } }]);
  });

  test('a desktop window can set only a program that the user chose', async () => {
    const desktop = new GrantedPaths({ mayChooseHooks: true });
    const savePlan = (program: string) =>
      world.app.dispatch('plan.save', planDraft({ hooks: { before: before(program), after: null } }), {
        signal: new AbortController().signal,
        progress: () => undefined,
        grants: desktop,
      });
    expect(await savePlan('/bin/true')).toMatchObject({ ok: false, error: { code: 'path-refused' } });
    desktop.grant('/bin/true', 'program');
    expect(await savePlan('/bin/true')).toMatchObject({ ok: true });
  });

  test('a program must be given by its absolute path', async () => {
    await expect(save({ after: hook('sync') })).rejects.toMatchObject({ code: 'invalid-input' });
  });
});

describe('a program before a run that is in progress', () => {
  test('is stopped when the plan is paused, and nothing is backed up', async () => {
    const id = await save({
      before: before(script('before', `echo $$ > ${scripts}/pid; echo waits; exec sleep 15`)),
    });
    const running = world.client.call('plan.run', { id });
    while (!existsSync(join(scripts, 'pid'))) await systemClock.sleep(20);
    await world.client.call('plan.pause', { id, until: '2099-01-01T00:00:00.000Z' });
    expect(await running).toMatchObject({ jobs: 0 });
    const { runs } = await world.client.call('run.list', { limit: 1 });
    expect(runs).toMatchObject([
      { outcome: 'cancelled', jobs: {}, notes: [{ severity: 'info', error: { code: 'cancelled' } }] },
    ]);
    const pid = Number(readFileSync(join(scripts, 'pid'), 'utf8'));
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});

describe('a heartbeat', () => {
  const secret = '/ping/1f0a9c55-7d14-4a52-9b5e-6f7a1c0e2d33';

  test("is sent once for a successful run, without the run's data, and its address is stored only in the keychain", async () => {
    const { requests, origin } = await openHeartbeatServer((response) => response.end('OK'));
    const id = await save({}, origin + secret);
    const events: unknown[] = [];
    world.app.subscribe((name, payload) => {
      events.push([name, payload]);
    });
    const done = await run(id);
    expect(done.notes).toEqual([{ severity: 'info', message: `The heartbeat was sent to ${origin}.` }]);
    expect(requests.map(({ method, url }) => [method, url])).toEqual([['GET', secret]]);
    expect(Object.keys(requests[0]?.headers ?? {}).sort()).toEqual(['connection', 'host', 'user-agent']);
    expect(requests[0]?.headers['user-agent']).toBe('Packhorse');
    const { plans } = await world.client.call('plan.list', {});
    expect(plans[0]?.plan.heartbeat).toEqual({ origin });
    expect(JSON.stringify([plans, done, events])).not.toContain('1f0a9c55');
    await world.app.close();
    expect(allFiles(world.dataDir)).not.toContain('1f0a9c55');
    expect(allFiles(world.dataDir)).toContain('heartbeat');
    expect(JSON.stringify([...keychain.entries])).toContain('1f0a9c55');
  });

  test('that fails is tried three times and becomes a warning of the run', async () => {
    const { requests, origin } = await openHeartbeatServer((response) => {
      response.statusCode = 500;
      response.end();
    });
    const done = await run(await save({}, origin + secret));
    expect(requests).toHaveLength(3);
    expect(done).toMatchObject({
      outcome: 'warnings',
      jobs: { succeeded: 1 },
      notes: [
        {
          severity: 'warning',
          message: `The heartbeat was not sent. The heartbeat at ${origin} responded with the status 500.`,
        },
      ],
    });
    await world.app.close();
    expect(allFiles(world.dataDir)).not.toContain('1f0a9c55');
  }, 20_000);

  test('does not follow a redirect to another origin', async () => {
    const other = await openHeartbeatServer((response) => response.end());
    const { requests, origin } = await openHeartbeatServer((response) => {
      response.writeHead(302, { location: `${other.origin}${secret}` }).end();
    });
    const done = await run(await save({}, origin + secret));
    expect([requests.length, other.requests.length, done.outcome]).toEqual([1, 0, 'warnings']);
  });

  test('is not sent for a failed run', async () => {
    const { requests, origin } = await openHeartbeatServer((response) => response.end());
    const done = await run(await save({ before: before('/bin/false') }, origin + secret));
    expect([done.outcome, requests.length]).toEqual(['failed', 0]);
  });

  test.each(['http://example.org/x', 'ftp://127.0.0.1/x', 'https://u:p@example.org/x', 'nonsense'])(
    'to %s is rejected, and the error does not repeat the address',
    async (address) => {
      const error: unknown = await save({}, address).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'invalid-input' });
      expect(JSON.stringify(error)).not.toContain(address);
    },
  );

  test('is deleted from the keychain when its plan drops it, and when its plan is removed', async () => {
    const id = await save({}, 'https://hc.example/abcdefghijklmnopq');
    const account = () => [...keychain.entries].filter(([name]) => name.includes('heartbeat'));
    expect(account()).toHaveLength(1);
    await world.client.call('plan.save', planDraft({ id }));
    expect(account()).toHaveLength(1);
    await world.client.call('plan.save', planDraft({ id, heartbeat: null }));
    expect(account()).toEqual([]);
    await world.client.call(
      'plan.save',
      planDraft({ id, heartbeat: { secretAddress: 'https://hc.example/abcdefghijklmnopq' } }),
    );
    await world.client.call('plan.remove', { id });
    expect(account()).toEqual([]);
  });

  test('is deleted from the keychain with the instance of its plan', async () => {
    await save({}, 'https://hc.example/abcdefghijklmnopq');
    const { confirmation } = await world.client.call('host.confirm', {
      action: 'instance.remove',
      instance: 'work',
      project: null,
    });
    await world.client.call('instance.remove', { name: 'work', confirmation });
    expect([...keychain.entries.keys()].filter((name) => name.includes('heartbeat'))).toEqual([]);
  });
});
