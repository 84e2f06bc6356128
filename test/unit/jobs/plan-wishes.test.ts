import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import { projectOf } from '../../support/jobs/fake-instance.ts';
import { PlanHarness } from '../../support/jobs/plan-harness.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const iso = (time: string): string => new Date(time).toISOString();
const signal = new AbortController().signal;

/** Starts a harness at noon of the 20th with a plan that is due daily at 02:30 UTC. */
async function startHarness(): Promise<PlanHarness & { planId: string }> {
  const bench = new PlanHarness('2026-11-20T12:00:00Z');
  const { plan } = await bench.begin('02:30');
  return Object.assign(bench, { planId: plan.id });
}

const runRequest = ({ planId }: { planId: string }) => ({ id: planId, keepsFailure: true });

describe('a paused plan', () => {
  it('starts no run, records each due time with the reason, and catches up once after the pause', async () => {
    const bench = await startHarness();
    const until = iso('2026-11-23T08:00:00Z');
    const [paused] = await bench.schedule.planChanges.pause(null, until);
    expect(paused).toMatchObject({ nextRunAt: until, overdue: null, plan: { pausedUntil: until } });
    for (let days = 0; days < 2; days++) await bench.sleepThrough(day);
    expect(bench.runs).toMatchObject([
      {
        dueAt: iso('2026-11-21T02:30:00Z'),
        outcome: 'skipped',
        skippedWhy: 'The plan was paused.',
        jobs: {},
      },
      { dueAt: iso('2026-11-22T02:30:00Z'), outcome: 'skipped', jobs: {} },
    ]);
    expect(bench.status).toMatchObject({ lastRun: null, overdue: null, nextRunAt: until });
    await bench.sleepThrough(20 * hour - minute);
    expect(bench.asked).toEqual([]);
    await bench.clock.advance(2 * minute);
    expect(bench.asked).toHaveLength(1);
    expect(bench.runs.map(({ dueAt, outcome }) => [dueAt?.slice(0, 10), outcome])).toEqual([
      ['2026-11-21', 'skipped'],
      ['2026-11-22', 'skipped'],
      ['2026-11-23', 'running'],
    ]);
    expect(bench.status).toMatchObject({
      nextRunAt: iso('2026-11-24T02:30:00Z'),
      plan: { pausedUntil: null },
      lastRun: { dueAt: iso('2026-11-23T02:30:00Z') },
    });
  });

  it('starts a run immediately when a user ends the pause, and the run replaces the skipped due time', async () => {
    const bench = await startHarness();
    await bench.schedule.planChanges.pause(bench.planId, iso('2027-01-01T00:00:00Z'));
    await bench.sleepThrough(day);
    expect(bench.runs).toMatchObject([{ outcome: 'skipped' }]);
    await bench.schedule.planChanges.pause(null, null);
    await bench.clock.advance(0);
    expect(bench.runs).toMatchObject([
      { dueAt: iso('2026-11-21T02:30:00Z'), skippedWhy: null, jobs: { queued: 1 } },
    ]);
  });

  it('runs at its next due time if nothing was due in the pause, and cannot be paused until a past time', async () => {
    const bench = await startHarness();
    const [paused] = await bench.schedule.planChanges.pause(bench.planId, iso('2026-11-20T20:00:00Z'));
    expect(paused?.nextRunAt).toBe(iso('2026-11-21T02:30:00Z'));
    await expect(bench.schedule.planChanges.pause(null, iso('2026-11-20T11:00:00Z'))).rejects.toMatchObject({
      code: 'invalid-input',
    });
  });
});

describe('a skipped due time', () => {
  it('starts no run, is recorded with the reason, is not caught up, and is the only one that is skipped', async () => {
    const bench = await startHarness();
    const skipped = await bench.schedule.planChanges.skipNext(bench.planId, true);
    expect(skipped).toMatchObject({
      nextRunAt: iso('2026-11-22T02:30:00Z'),
      plan: { skippedDue: iso('2026-11-21T02:30:00Z') },
    });
    // A second request returns the same time.
    expect(await bench.schedule.planChanges.skipNext(bench.planId, true)).toEqual(skipped);
    await bench.sleepThrough(day);
    expect(bench.runs).toMatchObject([
      {
        dueAt: iso('2026-11-21T02:30:00Z'),
        outcome: 'skipped',
        skippedWhy: expect.stringMatching(/skipped on request/) as unknown,
      },
    ]);
    expect(bench.status).toMatchObject({ overdue: null, plan: { skippedDue: null } });
    // A skipped time that has passed cannot be restored, and the next one can be skipped as well.
    await bench.schedule.planChanges.skipNext(bench.planId, false);
    await bench.schedule.planChanges.skipNext(bench.planId, true);
    await bench.clock.advance(hour);
    expect(bench.asked).toEqual([]);
    await bench.sleepThrough(day);
    await bench.sleepThrough(day);
    expect(bench.fired).toEqual(['21', '22', '23'].map((date) => iso(`2026-11-${date}T02:30:00Z`)));
    expect(bench.runs.map(({ outcome }) => outcome)).toEqual(['skipped', 'skipped', 'running']);
  });

  it('starts a run if the skip is revoked in time or the schedule changes', async () => {
    const bench = await startHarness();
    await bench.schedule.planChanges.skipNext(bench.planId, true);
    expect(await bench.schedule.planChanges.skipNext(bench.planId, false)).toMatchObject({
      nextRunAt: iso('2026-11-21T02:30:00Z'),
    });
    await bench.schedule.planChanges.skipNext(bench.planId, true);
    await bench.save({ id: bench.planId, at: '03:00' });
    await bench.sleepThrough(day);
    expect(bench.runs).toMatchObject([{ dueAt: iso('2026-11-21T03:00:00Z'), skippedWhy: null }]);
  });

  it('is not caught up even if no process ran that could record it', async () => {
    const bench = await startHarness();
    await bench.schedule.planChanges.skipNext(bench.planId, true);
    await bench.schedule.scheduler.stop();
    bench.clock.jump(20 * hour);
    expect(bench.status.overdue).toBeNull();
    bench.schedule.scheduler.start();
    await bench.clock.advance(minute);
    expect(bench.asked).toEqual([]);
    expect(bench.runs).toMatchObject([{ outcome: 'skipped' }]);
  });

  it('cannot be requested for a disabled plan', async () => {
    const bench = await startHarness();
    await bench.save({ id: bench.planId, enabled: false });
    await expect(bench.schedule.planChanges.skipNext(bench.planId, true)).rejects.toMatchObject({
      code: 'invalid-input',
    });
  });
});

describe('a manual run of a plan', () => {
  it('starts now, counts as a run of the plan, and is joined by a second request while it is in progress', async () => {
    const bench = await startHarness();
    const { runId, jobs } = await bench.schedule.planRuns.run(runRequest(bench), signal);
    expect(jobs).toBe(1);
    expect(await bench.schedule.planRuns.run(runRequest(bench), signal)).toEqual({ runId, jobs });
    expect(bench.status.lastRun).toMatchObject({ runId, dueAt: iso('2026-11-20T12:00:00Z') });
    bench.endJobs();
    const again = await bench.schedule.planRuns
      .run(runRequest(bench), signal)
      .catch((thrown: unknown) => AppError.from(thrown));
    // Two runs within the same millisecond cannot be distinguished.
    expect(again).toMatchObject({ code: 'job-busy' });
    await bench.clock.advance(1);
    expect((await bench.schedule.planRuns.run(runRequest(bench), signal)).runId).not.toBe(runId);
  });

  it('catches up an overdue run, and also starts while the plan is disabled or paused', async () => {
    const bench = await startHarness();
    bench.holdsLease = false;
    await bench.sleepThrough(day);
    expect(bench.status.overdue).not.toBeNull();
    await bench.schedule.planRuns.run(runRequest(bench), signal);
    expect(bench.status).toMatchObject({ overdue: null, lastRun: { dueAt: iso('2026-11-21T02:30:00Z') } });
    bench.endJobs();
    await bench.schedule.planChanges.pause(null, iso('2027-01-01T00:00:00Z'));
    await bench.save({ id: bench.planId, enabled: false });
    expect((await bench.schedule.planRuns.run(runRequest(bench), signal)).jobs).toBe(1);
  });

  it('is stored as failed with the reason if the instance cannot be reached', async () => {
    const bench = await startHarness();
    bench.cut(new AppError('address-unknown', 'The name is not known.'));
    await expect(bench.schedule.planRuns.run(runRequest(bench), signal)).rejects.toMatchObject({
      code: 'address-unknown',
    });
    expect(bench.runs).toMatchObject([
      { outcome: 'failed', jobs: {}, notes: [{ severity: 'warning', error: { code: 'address-unknown' } }] },
    ]);
  });
});

describe('the notes of a run', () => {
  it('name the projects that the plan finds for the first time, except those of its first run', async () => {
    const bench = await startHarness();
    await bench.sleepThrough(day);
    bench.endJobs();
    expect(bench.runs).toMatchObject([{ notes: [] }]);
    bench.onProjects = () =>
      ['b/two', 'a/one', 'group/project'].map((fullPath, at) => projectOf({ id: 9 - at, fullPath }));
    await bench.sleepThrough(day);
    bench.endJobs();
    expect(bench.runs[1]?.notes).toEqual([{ severity: 'info', message: '2 new projects: a/one, b/two.' }]);
    await bench.sleepThrough(day);
    bench.endJobs();
    expect(bench.runs[2]).toMatchObject({ notes: [], outcome: 'succeeded' });
  });

  it('name the chosen projects that are missing or may not be exported, and the run ends with warnings', async () => {
    const bench = await startHarness();
    bench.onProjects = () => [
      projectOf({ id: 1, fullPath: 'a/renamed' }),
      projectOf({ id: 2, fullPath: 'a/low', accessLevel: 30 }),
    ];
    await bench.save({
      id: bench.planId,
      selection: { kind: 'projects', projects: [1, 2, 3].map((id) => ({ id, fullPath: `a/${id}` })) },
    });
    await bench.sleepThrough(day);
    expect(bench.jobs.openJobs().map(({ project }) => project)).toEqual(['a/renamed']);
    bench.endJobs();
    expect(bench.runs).toMatchObject([
      {
        outcome: 'warnings',
        notes: [
          { severity: 'warning', message: 'Not backed up: a/low: an export needs the role Maintainer.' },
          {
            severity: 'warning',
            message: 'Not backed up: a/3: it was deleted, or this account can no longer see it.',
          },
        ],
      },
    ]);
  });
});

describe('the history of a plan', () => {
  it('has an entry for each date in its time zone: the worst outcome of its runs, missed, skipped, or nothing due', async () => {
    const bench = await startHarness();
    await bench.sleepThrough(day);
    bench.endJobs();
    await bench.schedule.planChanges.skipNext(bench.planId, true);
    await bench.sleepThrough(day);
    await bench.schedule.scheduler.stop();
    bench.clock.jump(2 * day);
    const days = (count: number) => bench.schedule.plans.history(count).plans[0]?.days;
    expect(days(7)?.map(({ date, outcome }) => [date, outcome])).toEqual([
      ['2026-11-18', null],
      ['2026-11-19', null],
      ['2026-11-20', null],
      ['2026-11-21', 'succeeded'],
      ['2026-11-22', 'skipped'],
      ['2026-11-23', 'missed'],
      ['2026-11-24', 'missed'],
    ]);
    const { runId } = await bench.schedule.planRuns.run(runRequest(bench), signal);
    expect(days(1)).toEqual([{ date: '2026-11-24', outcome: 'running', runId }]);
  });

  it('of an hourly plan has one entry a day, and is computed quickly for a year', async () => {
    const bench = new PlanHarness('2026-11-20T12:00:00Z');
    await bench.addInstance('source');
    await bench.save({ schedule: { kind: 'hourly', minute: 0, timeZone: 'Europe/Berlin' } });
    bench.clock.jump(365 * day);
    const days = bench.schedule.plans.history(366).plans[0]?.days ?? [];
    expect([days.length, days[0]?.date, days.at(-1)?.date]).toEqual([366, '2026-11-20', '2027-11-20']);
    expect(new Set(days.map(({ outcome }) => outcome))).toEqual(new Set(['missed']));
  });
});

it('a run that was missed during sleep is reported within a minute and caught up when the network is available again', async () => {
  const bench = await startHarness();
  bench.cut(new AppError('address-unknown', 'The name is not known.', { retry: 'later' }));
  bench.clock.jump(7 * day);
  await bench.clock.advance(minute);
  expect(bench.status.overdue).toMatchObject({
    since: iso('2026-11-21T02:30:00Z'),
    error: { code: 'address-unknown' },
  });
  bench.cut(null);
  await bench.clock.advance(2 * minute);
  expect(bench.fired).toEqual([iso('2026-11-27T02:30:00Z')]);
  await bench.clock.advance(hour);
  expect(bench.runs).toHaveLength(1);
});
