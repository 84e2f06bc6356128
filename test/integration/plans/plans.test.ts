/** @file Plans that run against a real sandbox, with all effects up to the trash. */
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PlanStatus } from '../../../src-contract/plans/plan.ts';
import type { Run } from '../../../src-contract/runs/run.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { MemoryKeychain } from '../../support/keychain/memory-keychain.ts';
import { planDraft } from '../../support/jobs/plan-draft.ts';
import { ShiftedClock } from '../../support/clocks/shifted-clock.ts';
import { readStoredState } from '../../support/faults/stored-truth.ts';
import { ended, nextChange, openTestSandbox, openWorld, register, type World } from '../../support/world.ts';
import { archiveFilter, jobFilter } from '../../support/requests.ts';

const hour = 3_600_000;
const day = 24 * hour;
const draft = planDraft();
const due = (date: number): string => new Date(Date.UTC(2026, 10, date, 2, 30)).toISOString();

let clock: ShiftedClock;
let sandbox: Sandbox;
let world: World;

beforeEach(async () => {
  clock = new ShiftedClock(Date.UTC(2026, 10, 20, 12));
  sandbox = await openTestSandbox({ projectCount: 2 });
  world = await openWorld({ clock });
  await register(world, 'work', sandbox);
});

const runs = async (): Promise<Run[]> =>
  (await world.client.call('run.list', { before: null, limit: 50 })).runs;

async function status(target = world): Promise<PlanStatus> {
  const { plans } = await target.client.call('plan.list', {});
  const [only] = plans;
  if (only === undefined || plans.length > 1) throw new Error(`There are ${plans.length} plans.`);
  return only;
}

/** Waits until the plan's status meets the condition, and returns it. */
async function waitForStatus(
  condition: (status: PlanStatus) => boolean,
  target = world,
): Promise<PlanStatus> {
  for (;;) {
    const change = nextChange(target);
    const current = await status(target);
    if (condition(current)) return current;
    await change;
  }
}

/** Moves the clock to the next day while the machine is on, and waits until the jobs of that day's run have ended. */
async function nextDay(dueAt: string): Promise<void> {
  clock.step(day);
  world.app.wake();
  const { lastRun } = await waitForStatus((current) => current.lastRun?.dueAt === dueAt);
  await ended(world, lastRun?.runId ?? '');
}

describe('a plan', () => {
  it('does not run with a read-only token, reports the reason once, and runs when a better token is set', async () => {
    const setToken = (token: string) =>
      world.client.call('instance.setToken', { name: 'work', token, keep: 'session' });
    await world.client.call('plan.save', draft);
    await setToken(sandbox.tokens.readOnly);
    world.app.startSchedule();
    clock.step(day);
    world.app.wake();
    const { overdue } = await waitForStatus((current) => (current.overdue?.error ?? null) !== null);
    expect(overdue?.error).toMatchObject({ code: 'token-scope' });
    const retried = nextChange(world);
    world.app.wake();
    await retried;
    const { attention } = await world.client.call('overview.show', {});
    expect(attention.filter(({ kind }) => kind === 'plan-overdue')).toMatchObject([
      { plan: 'work', error: { code: 'token-scope' } },
    ]);
    expect(await runs()).toEqual([]);
    await setToken(sandbox.tokens.maintainer);
    const { lastRun } = await waitForStatus((current) => current.lastRun !== null);
    expect((await ended(world, lastRun?.runId ?? '')).map(({ state }) => state.status)).toEqual([
      'succeeded',
      'succeeded',
    ]);
    expect((await status()).overdue).toBeNull();
  });

  it('creates no jobs while the instance is read-only, and runs when changes are allowed again', async () => {
    const setReadOnly = (readOnly: boolean) =>
      world.client.call('instance.change', { name: 'work', readOnly });
    await world.client.call('plan.save', draft);
    await setReadOnly(true);
    world.app.startSchedule();
    clock.step(day);
    world.app.wake();
    const { overdue, lastRun } = await waitForStatus(
      (current) => current.lastRun !== null || (current.overdue?.error ?? null) !== null,
    );
    expect(overdue?.error).toMatchObject({ code: 'instance-read-only' });
    expect([lastRun, await runs()]).toEqual([null, []]);
    await setReadOnly(false);
    await waitForStatus((current) => current.lastRun !== null);
  });

  it('backs up every project each day, and moves archives beyond its limit to the trash', async () => {
    world.app.startSchedule();
    await world.client.call('plan.save', planDraft({ keepLast: 2 }));
    const saved = await status();
    expect(saved).toMatchObject({ nextRunAt: due(21), lastRun: null, overdue: null });
    for (const date of [21, 22, 23]) await nextDay(due(date));

    expect((await runs()).map(({ dueAt, outcome, jobs }) => [dueAt, outcome, jobs])).toEqual(
      [23, 22, 21].map((date) => [due(date), 'succeeded', { succeeded: 2 }]),
    );
    expect(await status()).toMatchObject({
      nextRunAt: due(24),
      lastRun: { dueAt: due(23), outcome: 'succeeded' },
      overdue: null,
    });
    const { archives } = await world.client.call('archive.list', archiveFilter({ instance: 'work' }));
    expect(archives.map(({ fullPath, storedAt }) => [fullPath, storedAt.slice(0, 10)]).sort()).toEqual(
      ['atlas/compass', 'atlas/tools/ferry'].flatMap((path) => [
        [path, '2026-11-22'],
        [path, '2026-11-23'],
      ]),
    );
    await world.app.close();
    const truth = readStoredState(world.dataDir);
    expect(truth.archives).toHaveLength(4);
    const gone = truth.trash.filter((file) => file.endsWith('.tar.gz'));
    expect(gone).toHaveLength(2);
    expect(truth.trash).toEqual(
      gone
        .flatMap((file) => ['', '.manifest.json', '.reason.txt', '.state.json'].map((what) => file + what))
        .sort(),
    );
    const [reason] = truth.trash.filter((file) => file.endsWith('.reason.txt'));
    expect(readFileSync(join(world.dataDir, 'archives', reason ?? ''), 'utf8')).toMatch(
      /^Outside the limits that the plan sets for each project: the newest 2\n2026-11-23T.*Z\n$/,
    );
  });

  it('reports in the log of its job which archive it moved where, and why', async () => {
    world.app.startSchedule();
    await world.client.call('plan.save', planDraft({ keepLast: 1 }));
    await nextDay(due(21));
    await nextDay(due(22));
    const { jobs } = await world.client.call(
      'job.list',
      jobFilter({ runId: (await runs())[0]?.id ?? '', limit: 1 }),
    );
    const { events } = await world.client.call('job.log', { job: jobs[0]?.id ?? '', afterId: 0, limit: 100 });
    const notes = events.filter(({ type }) => type === 'note').map(({ message }) => message);
    const { checks } = await world.client.call('doctor.run', {});
    expect(checks).toContainEqual({
      name: 'trash',
      ok: true,
      value: expect.stringMatching(/archives\/\.trash, \d+\.\d MB$/) as unknown,
      todo: null,
    });
    expect(notes).toEqual([
      expect.stringMatching(
        /^Moved to the trash folder: \S+\/atlas\/[\w/]+\/20261121T[\w-]+_export\.tar\.gz\. Outside the limits that the plan sets for each project: the newest 1\.$/,
      ),
    ]);
  });

  it('prunes by its current limit, even if one of its jobs is retried later', async () => {
    world.app.startSchedule();
    const { plan } = await world.client.call('plan.save', planDraft({ keepLast: 1 }));
    await nextDay(due(21));
    sandbox.faults.add({
      match: { method: 'POST', path: '/export$' },
      action: { kind: 'respond', status: 403, body: { message: 'no' } },
    });
    await nextDay(due(22));
    sandbox.faults.clear();
    const failed = await world.client.call(
      'job.list',
      jobFilter({ runId: (await runs())[0]?.id ?? '', status: 'failed', limit: 5 }),
    );
    const [first = '', second = ''] = failed.jobs.map(({ id }) => id);
    const retry = async (job: string): Promise<number> => {
      const { runId } = await world.client.call('job.retry', { job });
      expect(await ended(world, runId)).toMatchObject([{ state: { status: 'succeeded' } }]);
      return (await world.client.call('overview.show', {})).archives.count;
    };
    await world.client.call('plan.save', planDraft({ id: plan.id, keepLast: null }));
    expect(await retry(first)).toBe(3);
    await world.client.call('plan.save', planDraft({ id: plan.id, keepLast: 1 }));
    expect(await retry(second)).toBe(3);
  });

  it('does not count an archive whose file is missing or truncated among those that it keeps', async () => {
    world.app.startSchedule();
    await world.client.call('plan.save', planDraft({ keepLast: 2 }));
    await nextDay(due(21));
    await nextDay(due(22));
    const filesOf = async (date: string): Promise<string[]> => {
      const { archives } = await world.client.call('archive.list', archiveFilter());
      return archives
        .filter(({ storedAt }) => storedAt.startsWith(date))
        .map(({ absolutePath }) => absolutePath);
    };
    const older = await filesOf('2026-11-21');
    const [gone = '', truncated = ''] = await filesOf('2026-11-22');
    rmSync(gone);
    truncateSync(truncated, 100);
    await nextDay(due(23));
    expect(older).toHaveLength(2);
    expect(older.filter((file) => existsSync(file))).toEqual(older);
    expect(existsSync(join(world.dataDir, 'archives', '.trash'))).toBe(false);
  });

  it('never moves a pinned archive', async () => {
    world.app.startSchedule();
    await world.client.call('plan.save', planDraft({ keepLast: 1 }));
    await nextDay(due(21));
    const { archives } = await world.client.call('archive.list', archiveFilter());
    const [pinned] = archives;
    const stateFile = `${pinned?.absolutePath ?? ''}.state.json`;
    const state = JSON.parse(readFileSync(stateFile, 'utf8')) as object;
    writeFileSync(stateFile, JSON.stringify({ ...state, pinned: true }));
    await nextDay(due(22));
    await nextDay(due(23));
    expect(existsSync(pinned?.absolutePath ?? '')).toBe(true);
    await world.app.close();
    expect(readStoredState(world.dataDir).archives).toHaveLength(3);
  });

  it('runs only in a host that keeps running, and is removed with its instance', async () => {
    await world.client.call('plan.save', draft);
    clock.step(day);
    world.app.wake();
    expect(await status()).toMatchObject({ lastRun: null, overdue: { since: due(21), error: null } });
    const { confirmation } = await world.client.call('host.confirm', {
      action: 'instance.remove',
      instance: 'work',
      project: null,
    });
    await world.client.call('instance.remove', { name: 'work', confirmation });
    expect(await world.client.call('plan.list', {})).toEqual({ plans: [] });
  });

  it('uses the time zone of this machine if none is given', async () => {
    const saved = await world.client.call('plan.save', planDraft({ timeZone: null }));
    expect(saved.plan.schedule.timeZone).toBe('Europe/Berlin');
    expect(saved.nextRunAt).toBe('2026-11-21T01:30:00.000Z');
    const codeOf = (code: string): Error => expect.objectContaining({ code }) as Error;
    const { client } = world;
    await expect(client.call('plan.save', draft)).rejects.toThrow(codeOf('already-exists'));
    await expect(client.call('plan.save', { ...draft, instance: 'no' })).rejects.toThrow(
      codeOf('instance-unknown'),
    );
    await expect(client.call('plan.save', planDraft({ timeZone: 'Mars/Base' }))).rejects.toThrow(
      codeOf('invalid-input'),
    );
    await expect(client.call('plan.remove', { id: 'none' })).rejects.toThrow(codeOf('plan-missing'));
    await client.call('plan.remove', { id: saved.plan.id });
    expect(await client.call('plan.list', {})).toEqual({ plans: [] });
  });
});

describe('a plan that is due', () => {
  it('while the network is down is overdue with the reason, and afterwards runs once', async () => {
    world.app.startSchedule();
    await world.client.call('plan.save', draft);
    sandbox.faults.add({ match: { path: '/projects' }, action: { kind: 'reset' } });
    clock.step(2 * day);
    world.app.wake();
    const { overdue } = await waitForStatus(
      (current) => current.overdue !== null && current.overdue.error !== null,
    );
    expect(overdue).toMatchObject({ since: due(21), error: { code: 'connection-lost' } });
    expect(await runs()).toEqual([]);

    sandbox.faults.clear();
    world.app.wake();
    const after = await waitForStatus((current) => current.lastRun !== null);
    expect(after).toMatchObject({ lastRun: { dueAt: due(22) }, overdue: null });
    await ended(world, after.lastRun?.runId ?? '');
    world.app.wake();
    expect(await runs()).toMatchObject([{ dueAt: due(22), outcome: 'succeeded', jobs: { succeeded: 2 } }]);
  });

  it('without a token waits for one, and runs as soon as it is set', async () => {
    await world.client.call('plan.save', draft);
    await world.app.close();
    clock.step(day);
    world = await openWorld({ clock, dataDir: world.dataDir, keychain: new MemoryKeychain() });
    world.app.startSchedule();
    await waitForStatus((current) => current.overdue?.error?.code === 'token-missing');
    await world.client.call('instance.setToken', {
      name: 'work',
      token: sandbox.tokens.maintainer,
      keep: 'session',
    });
    const { lastRun } = await waitForStatus((current) => current.lastRun !== null);
    expect((await ended(world, lastRun?.runId ?? '')).map(({ state }) => state.status)).toEqual([
      'succeeded',
      'succeeded',
    ]);
  });

  it('leaves out a project that another run is backing up, and reports it', async () => {
    world.app.startSchedule();
    await world.client.call('plan.save', planDraft({ keepLast: 3 }));
    sandbox.faults.add({
      match: { path: 'export', method: 'POST', project: 'atlas/compass' },
      action: { kind: 'end-export', as: 'stuck' },
    });
    const { jobIds } = await world.client.call('backup.start', {
      instance: 'work',
      projects: ['atlas/compass'],
      keepExisting: true,
    });
    clock.step(day);
    world.app.wake();
    const { lastRun } = await waitForStatus((current) => current.lastRun !== null);
    await ended(world, lastRun?.runId ?? '');
    const [run] = await runs();
    expect(run).toMatchObject({
      outcome: 'warnings',
      project: 'atlas/tools/ferry',
      leftOut: { count: 1, projects: ['atlas/compass'] },
    });
    await world.client.call('job.cancel', { job: jobIds[0] ?? '', by: 'the test' });
  });
});
